package pg

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/jackc/pgx/v5/pgxpool"
	"go.uber.org/goleak"

	"github.com/recourse-dev/recourse/storage/embedded"
)

// adminConnections is how many databases may be made at once: they are copies
// of files, which gain nothing from more.
const adminConnections = 4

// current is the suite between the start and the end of Main.
var current atomic.Pointer[suite]

// suite is the state of one package's tests.
type suite struct {
	migrate func(ctx context.Context, url string) error
	leaks   []goleak.Option

	once     sync.Once
	startErr error
	server   *embedded.Server // nil on an existing server
	folder   string           // of the server; empty on an existing one
	url      string           // of a database that is never a test's own
	admin    *pgxpool.Pool
	prefix   string // tells the databases of this process apart
	template string
	count    atomic.Int64
}

func (s *suite) newName() string { return s.prefix + strconv.FormatInt(s.count.Add(1), 10) }

// start makes the server and the template ready, once. The first test pays for
// it, but its context must not end what the others use.
func (s *suite) start() error {
	s.once.Do(func() { s.startErr = s.open(context.Background()) })
	return s.startErr
}

func (s *suite) open(ctx context.Context) error {
	s.prefix = "test_" + strings.ToLower(rand.Text()[:10]) + "_"
	if s.url = os.Getenv(URLVariable); s.url == "" {
		if err := s.startServer(ctx); err != nil {
			return err
		}
	}
	config, err := pgxpool.ParseConfig(s.url)
	if err != nil {
		return fmt.Errorf("%s: %w", URLVariable, err)
	}
	config.MaxConns = adminConnections
	if s.admin, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return err
	}
	name := s.prefix + "template"
	if _, err := s.admin.Exec(ctx, "CREATE DATABASE "+quote(name)+" TEMPLATE template0"); err != nil {
		return fmt.Errorf("make the template database: %w", err)
	}
	s.template = name
	if s.migrate == nil {
		return nil
	}
	if err := s.migrate(ctx, withDatabase(s.url, name)); err != nil {
		return fmt.Errorf("migrate the template database: %w", err)
	}
	return nil
}

func (s *suite) startServer(ctx context.Context) error {
	folder, err := newFolder(quickBase())
	if err != nil {
		return err
	}
	s.folder = folder
	if s.server, err = startCached(ctx, configIn(folder, fast)); err != nil {
		return err
	}
	s.url = s.server.URL()
	return nil
}

// close undoes open, however far it came.
func (s *suite) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), cleanupLimit)
	defer cancel()
	var err error
	if s.template != "" && s.server == nil {
		err = s.dropDatabase(ctx, s.template)
	}
	if s.admin != nil {
		s.admin.Close()
	}
	if s.server != nil {
		// Nobody needs what is in it: no time for an orderly stop.
		cancel()
		_ = s.server.Stop(ctx)
	}
	if s.folder != "" {
		err = errors.Join(err, os.RemoveAll(s.folder))
	}
	return err
}

// withDatabase is base with another database, as a URL or as keywords.
func withDatabase(base, name string) string {
	if u, err := url.Parse(base); err == nil && strings.HasPrefix(u.Scheme, "postgres") {
		u.Path = "/" + name
		return u.String()
	}
	return base + " dbname=" + name
}
