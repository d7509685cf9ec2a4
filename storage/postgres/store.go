// Package postgres keeps everything in PostgreSQL. One use case is one
// transaction and one exported method; what follows from the locked rows is
// decided by pure functions of core, called inside. Every error is a
// *fault.Error, or *work.NotDue where a method says so.
package postgres

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/storage/postgres/internal/dbsqlc"
)

// Config says which database to use and how.
type Config struct {
	// URL of the database; PostgreSQL 14 or later.
	URL string
	// DirectURL reaches the same database without a transaction pooler, for
	// LISTEN. With it URL is taken for a pooler, and statements are not cached
	// there. "" listens on URL.
	DirectURL string
	// MaxConns bounds the pool; 0 is DefaultMaxConns.
	MaxConns int32
	// Tracer sees each statement, without arguments; nil is none.
	Tracer pgx.QueryTracer
	// Now replaces the database's clock, in tests only; nil is the database's.
	Now func() time.Time
}

// DefaultMaxConns keeps a small machine's PostgreSQL busy without making its
// commits wait for each other.
const DefaultMaxConns = 16

// The limits of one connection. They hold for every statement of the server.
const (
	statementTimeout = "15000" // milliseconds
	lockTimeout      = "5000"
	idleTxTimeout    = "20000"
	connectTimeout   = 5 * time.Second
	healthCheck      = 15 * time.Second
)

// Store is the database. It is safe for concurrent use.
type Store struct {
	pool   *pgxpool.Pool
	listen *pgx.ConnConfig
	now    func() time.Time
	closed atomic.Bool
}

// Open connects to the database; the schema must have been migrated. It fails
// with DATABASE_UNAVAILABLE, or with INVALID_REQUEST for a bad URL.
func Open(ctx context.Context, cfg Config) (*Store, error) {
	pc, err := poolConfig(cfg)
	if err != nil {
		return nil, err
	}
	listen := pc.ConnConfig.Copy()
	if cfg.DirectURL != "" {
		if listen, err = pgx.ParseConfig(cfg.DirectURL); err != nil {
			return nil, badURL("database_direct_url")
		}
	}
	listen.ConnectTimeout = connectTimeout
	pool, err := pgxpool.NewWithConfig(ctx, pc)
	if err != nil {
		return nil, asFault(err)
	}
	s := &Store{pool: pool, listen: listen, now: cfg.Now}
	if err := s.Ping(ctx); err != nil {
		pool.Close()
		return nil, err
	}
	return s, nil
}

func poolConfig(cfg Config) (*pgxpool.Config, error) {
	pc, err := pgxpool.ParseConfig(cfg.URL)
	if err != nil {
		return nil, badURL("database_url")
	}
	pc.MaxConns = DefaultMaxConns
	if cfg.MaxConns > 0 {
		pc.MaxConns = cfg.MaxConns
	}
	pc.MinIdleConns = 1
	pc.HealthCheckPeriod = healthCheck
	pc.ConnConfig.ConnectTimeout = connectTimeout
	pc.ConnConfig.Tracer = cfg.Tracer
	params := pc.ConnConfig.RuntimeParams
	for name, value := range map[string]string{
		"application_name": "recourse", "statement_timeout": statementTimeout, "lock_timeout": lockTimeout,
		"idle_in_transaction_session_timeout": idleTxTimeout,
	} {
		if _, set := params[name]; !set && (cfg.DirectURL == "" || name == "application_name") {
			params[name] = value
		}
	}
	if cfg.DirectURL != "" {
		// A pooler gives each transaction another connection: nothing that was
		// prepared on one is known to the next.
		pc.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeExec
		pc.ConnConfig.StatementCacheCapacity, pc.ConnConfig.DescriptionCacheCapacity = 0, 0
	}
	return pc, nil
}

// badURL never repeats the URL, which may hold a password.
func badURL(field string) error {
	return fault.Invalid(field, "must be a PostgreSQL URL, as postgres://user@host/name")
}

// Close waits for running statements and closes every connection.
func (s *Store) Close() {
	s.closed.Store(true)
	s.pool.Close()
}

// Pool gives the pool to metrics.
func (s *Store) Pool() *pgxpool.Pool { return s.pool }

// Ping reports whether the database answers.
func (s *Store) Ping(ctx context.Context) error { return asFault(s.pool.Ping(ctx)) }

// at is the injected instant, nil for the database's own clock.
func (s *Store) at() *time.Time {
	if s.now == nil {
		return nil
	}
	t := s.now()
	return &t
}

func (s *Store) queries() *dbsqlc.Queries { return dbsqlc.New(s.pool) }
