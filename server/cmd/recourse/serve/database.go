package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/recourse-dev/recourse/server/config"
	"github.com/recourse-dev/recourse/storage/embedded"
	"github.com/recourse-dev/recourse/storage/postgres"
)

// database is an open, migrated database, and the PostgreSQL behind it where
// that is our own.
type database struct {
	store *postgres.Store
	own   *embedded.Server // nil with a database-url
}

// stopTimeout bounds the stop of our own PostgreSQL.
const stopTimeout = 30 * time.Second

func openDatabase(ctx context.Context, cfg config.Config, log *slog.Logger) (*database, error) {
	db := &database{}
	url, direct := cfg.DatabaseURL, cfg.DatabaseDirectURL
	if url == "" {
		own, err := embedded.Start(ctx, embedded.Config{DataDir: cfg.Data, BinDir: cfg.PostgresBin, Logger: log})
		if err != nil {
			return nil, err
		}
		db.own, url = own, own.URL()
	}
	if err := db.open(ctx, url, direct); err != nil {
		return nil, errors.Join(err, db.close())
	}
	return db, nil
}

func (db *database) open(ctx context.Context, url, direct string) error {
	migrateURL := direct
	if migrateURL == "" {
		migrateURL = url
	}
	if err := postgres.Migrate(ctx, migrateURL); err != nil {
		return err
	}
	store, err := postgres.Open(ctx, postgres.Config{URL: url, DirectURL: direct})
	db.store = store
	return err
}

// failed is closed when our own PostgreSQL has ended by itself; nil without one.
func (db *database) failed() <-chan struct{} {
	if db.own == nil {
		return nil
	}
	return db.own.Done()
}

func (db *database) close() error {
	if db.store != nil {
		db.store.Close()
	}
	if db.own == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	if err := db.own.Stop(ctx); err != nil {
		return fmt.Errorf("stop PostgreSQL: %w", err)
	}
	return nil
}

// Migrate brings the schema to the newest version without serving.
func Migrate(ctx context.Context, cfg config.Config, log *slog.Logger) (version int64, err error) {
	db, err := openDatabase(ctx, cfg, log)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, db.close()) }()
	return db.store.SchemaVersion(ctx)
}
