// Package pg gives every test a PostgreSQL database of its own.
//
// A package calls Main from TestMain, and New or URL from its tests:
//
//	func TestMain(m *testing.M) { pg.Main(m, pg.Migrate(postgres.Migrate)) }
//
//	func TestX(t *testing.T) {
//		t.Parallel()
//		pool := pg.New(t)
//
// The first test that asks starts one server for the process and migrates one
// template database; each database is a copy of it and is dropped with its
// test. The server trades durability for speed; a test that crashes its server
// takes Durable instead. With RECOURSE_TEST_DATABASE_URL set, databases are
// made on that server, whose role needs CREATEDB.
package pg

import (
	"context"
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/goleak"
)

// URLVariable names the environment variable of an existing server for tests.
const URLVariable = "RECOURSE_TEST_DATABASE_URL"

// cleanupLimit bounds dropping a database and stopping the server.
const cleanupLimit = 30 * time.Second

// Option changes what Main prepares.
type Option func(*suite)

// Migrate sets what brings an empty database to the current schema. It must
// close its connections: PostgreSQL does not copy a database in use.
func Migrate(migrate func(ctx context.Context, url string) error) Option {
	return func(s *suite) { s.migrate = migrate }
}

// IgnoreLeaks passes options to the goroutine leak check at the end of Main.
func IgnoreLeaks(options ...goleak.Option) Option {
	return func(s *suite) { s.leaks = append(s.leaks, options...) }
}

// Main runs the tests of a package, stops the server, looks for leaked
// goroutines, and exits.
func Main(m *testing.M, options ...Option) {
	os.Exit(run(m.Run, os.Stderr, options))
}

// run is Main without the exit; it reports what is wrong after the tests.
func run(tests func() int, report io.Writer, options []Option) int {
	s := &suite{}
	for _, option := range options {
		option(s)
	}
	outer := current.Swap(s)
	code := tests()
	current.Store(outer)
	err := s.close()
	if err == nil {
		err = goleak.Find(s.leaks...)
	}
	if err != nil && code == 0 {
		_, _ = fmt.Fprintln(report, err)
		code = 1
	}
	return code
}

// New is a pool on a database of the test's own; both go with the test.
func New(tb testing.TB) *pgxpool.Pool {
	tb.Helper()
	pool, err := pgxpool.New(tb.Context(), URL(tb))
	if err != nil {
		tb.Fatalf("open the test database: %v", err)
	}
	tb.Cleanup(pool.Close)
	return pool
}

// URL is the connection string of a new, migrated database, which is dropped
// with the test, even while connections to it are open.
func URL(tb testing.TB) string {
	tb.Helper()
	s := suiteOf(tb)
	url, name, err := s.createDatabase(tb.Context())
	if err != nil {
		tb.Fatalf("make a test database: %v", err)
	}
	tb.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), cleanupLimit)
		defer cancel()
		if err := s.dropDatabase(ctx, name); err != nil {
			tb.Errorf("drop the test database: %v", err)
		}
	})
	return url
}

func suiteOf(tb testing.TB) *suite {
	tb.Helper()
	s := current.Load()
	if s == nil {
		tb.Fatal("TestMain does not call pg.Main")
	}
	return s
}

func (s *suite) createDatabase(ctx context.Context) (url, name string, err error) {
	if err := s.start(); err != nil {
		return "", "", err
	}
	name = s.newName()
	_, err = s.admin.Exec(ctx, "CREATE DATABASE "+quote(name)+" TEMPLATE "+quote(s.template))
	return withDatabase(s.url, name), name, err
}

func (s *suite) dropDatabase(ctx context.Context, name string) error {
	_, err := s.admin.Exec(ctx, "DROP DATABASE IF EXISTS "+quote(name)+" WITH (FORCE)")
	return err
}

func quote(name string) string { return pgx.Identifier{name}.Sanitize() }
