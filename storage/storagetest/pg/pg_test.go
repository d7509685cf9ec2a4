//go:build unix

package pg

import (
	"context"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/goleak"
)

var migrations atomic.Int32

func migrateForTest(ctx context.Context, url string) error {
	migrations.Add(1)
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, "CREATE TABLE note (body text PRIMARY KEY)")
	return errors.Join(err, conn.Close(ctx))
}

func TestMain(m *testing.M) { Main(m, Migrate(migrateForTest)) }

func text(t *testing.T, pool *pgxpool.Pool, sql string, args ...any) string {
	t.Helper()
	var got string
	if err := pool.QueryRow(t.Context(), sql, args...).Scan(&got); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return got
}

func TestEachTestHasADatabaseOfItsOwn(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			pool := New(t)
			// The same key everywhere: a shared database would refuse it.
			if _, err := pool.Exec(t.Context(), "INSERT INTO note VALUES ('mine')"); err != nil {
				t.Error(err)
			}
			t.Logf("database after %s", time.Since(began).Round(time.Millisecond))
			if got := text(t, pool, "SELECT count(*)::text FROM note"); got != "1" {
				t.Errorf("%s notes", got)
			}
			if got := migrations.Load(); got < 1 {
				t.Errorf("%d migrations", got)
			}
		})
	}
}

func TestDatabaseGoesWithItsTest(t *testing.T) {
	t.Parallel()
	var name string
	var open *pgx.Conn
	t.Run("inner", func(t *testing.T) {
		name = text(t, New(t), "SELECT current_database()")
		conn, err := pgx.Connect(t.Context(), withDatabase(suiteOf(t).url, name))
		if err != nil {
			t.Fatal(err)
		}
		open = conn // a leaked connection does not keep it
	})
	if got := text(t, New(t), "SELECT count(*)::text FROM pg_database WHERE datname = $1", name); got != "0" {
		t.Errorf("database %s is left", name)
	}
	if _, err := open.Exec(t.Context(), "SELECT 1"); err == nil {
		t.Error("the leaked connection still works")
	}
	_ = open.Close(t.Context())
}

func TestDurableServerKeepsWhatItAcknowledged(t *testing.T) {
	t.Parallel()
	server := Durable(t)
	pool, err := pgxpool.New(t.Context(), server.URL())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	for _, setting := range []string{"fsync", "synchronous_commit", "full_page_writes"} {
		if got := text(t, pool, "SELECT current_setting($1)", setting); got != "on" {
			t.Errorf("%s is %s", setting, got)
		}
	}
	if _, err := pool.Exec(t.Context(), "INSERT INTO note VALUES ('kept')"); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(server.PID(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if got := waitForNote(t, pool); got != "kept" {
		t.Errorf("note %q", got)
	}
}

// waitForNote asks until the server is back; the pool replaces its dead
// connections.
func waitForNote(t *testing.T, pool *pgxpool.Pool) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for {
		var got string
		err := pool.QueryRow(ctx, "SELECT body FROM note").Scan(&got)
		if err == nil {
			return got
		}
		select {
		case <-ctx.Done():
			t.Fatalf("the server does not come back: %v", err)
		case <-ticker.C:
		}
	}
}

// It sets a variable of the process, so that it cannot run in parallel.
func TestExistingServerIsUsedAndLeftClean(t *testing.T) {
	pool := New(t)
	t.Setenv(URLVariable, suiteOf(t).url)
	const mine = "SELECT count(*)::text FROM pg_database WHERE datname LIKE 'test%' AND datname NOT LIKE $1 || '%'"
	outer := suiteOf(t).prefix
	code := run(func() int {
		t.Run("inner", func(t *testing.T) {
			if got := text(t, New(t), "SELECT count(*)::text FROM note"); got != "0" {
				t.Errorf("%s notes", got)
			}
			if suiteOf(t).server != nil {
				t.Error("it started a server")
			}
			if got := text(t, pool, mine, outer); got != "2" { // template and database
				t.Errorf("%s databases on the existing server", got)
			}
		})
		return 0
	}, os.Stderr, []Option{Migrate(migrateForTest), IgnoreLeaks(goleak.IgnoreCurrent())})
	if code != 0 {
		t.Errorf("code %d", code)
	}
	if got := text(t, pool, mine, outer); got != "0" {
		t.Errorf("%s databases are left", got)
	}
}

func TestFailuresAreReported(t *testing.T) {
	pool := New(t)
	t.Setenv(URLVariable, suiteOf(t).url)
	broken := &suite{migrate: func(context.Context, string) error { return errors.New("bad migration") }}
	if _, _, err := broken.createDatabase(t.Context()); err == nil || !strings.Contains(err.Error(), "bad migration") {
		t.Errorf("failed migration: %v", err)
	}
	if err := broken.close(); err != nil {
		t.Errorf("close: %v", err)
	}
	if got := text(t, pool, "SELECT count(*)::text FROM pg_database WHERE datname = $1", broken.template); got != "0" {
		t.Error("the template of the failed migration is left")
	}
	t.Setenv(URLVariable, "postgres://nobody@127.0.0.1:1/none?connect_timeout=5")
	absent := &suite{}
	if _, _, err := absent.createDatabase(t.Context()); err == nil {
		t.Error("an absent server gave a database")
	}
	if err := absent.close(); err != nil {
		t.Errorf("close: %v", err)
	}
	leaking := make(chan struct{})
	var report strings.Builder
	code := run(func() int { go func() { <-leaking }(); return 0 }, &report, []Option{IgnoreLeaks(goleak.IgnoreCurrent())})
	close(leaking)
	if code != 1 || !strings.Contains(report.String(), "TestFailuresAreReported") {
		t.Errorf("a leaked goroutine gave code %d and %q", code, report.String())
	}
}

func TestWithDatabase(t *testing.T) {
	t.Parallel()
	for base, host := range map[string]string{
		"postgres://u:p@/old?host=%2Frun%2Fpg&port=5432":  "/run/pg",
		"postgresql://u:p@example.org:5432/old":           "example.org",
		"host=/run/pg user=u password='a b' dbname=older": "/run/pg",
	} {
		config, err := pgx.ParseConfig(withDatabase(base, "new"))
		if err != nil || config.Database != "new" || config.Host != host || config.User != "u" {
			t.Errorf("%s: %+v, %v", base, config, err)
		}
	}
	if _, err := url.Parse(withDatabase("postgres://h/x", "y")); err != nil {
		t.Error(err)
	}
}

func TestStoreKeepsTheFirst(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	cached := filepath.Join(base, "cache", "key")
	for _, content := range []string{"first", "second"} {
		folder := filepath.Join(base, content)
		if err := errors.Join(os.Mkdir(folder, 0o700), os.WriteFile(filepath.Join(folder, "f"), []byte(content), 0o600), store(folder, cached)); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(filepath.Join(cached, "f"))
	left, _ := os.ReadDir(filepath.Dir(cached))
	if err != nil || string(got) != "first" || len(left) != 1 {
		t.Errorf("%q, %v; %d entries", got, err, len(left))
	}
}

func TestAbandonedFoldersAreRemoved(t *testing.T) {
	base := t.TempDir()
	t.Setenv("TMPDIR", base)
	old, young := filepath.Join(base, folderPrefix+"1"), filepath.Join(base, folderPrefix+"2")
	past := time.Now().Add(-abandonedAfter - time.Minute)
	if err := errors.Join(os.Mkdir(old, 0o700), os.Mkdir(young, 0o700), os.Chtimes(old, past, past)); err != nil {
		t.Fatal(err)
	}
	made, err := newFolder(quickBase())
	if err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]bool{old: false, young: true, made: true} {
		if _, err := os.Stat(dir); (err == nil) != want {
			t.Errorf("%s: %v", dir, err)
		}
	}
}
