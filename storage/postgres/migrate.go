package postgres

import (
	"context"
	"database/sql"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/sql/migrations"
)

// Migrate brings the schema to the newest version. Replicas that start
// together take turns, under a lock of the database's. The URL must not lead
// through a transaction pooler.
func Migrate(ctx context.Context, url string) error {
	db, provider, err := migrator(url)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	if _, err := provider.Up(ctx); err != nil {
		return fault.Wrap(err, fault.Unavailable, fault.ReasonDatabaseUnavailable, "the database schema could not be migrated")
	}
	return nil
}

func migrator(url string) (*sql.DB, *goose.Provider, error) {
	cfg, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, nil, badURL("database_url")
	}
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return nil, nil, asFault(err)
	}
	db := stdlib.OpenDB(*cfg)
	provider, err := goose.NewProvider(goose.DialectPostgres, db, migrations.FS, goose.WithSessionLocker(locker), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		_ = db.Close()
		return nil, nil, asFault(err)
	}
	return db, provider, nil
}

// TargetVersion is the schema version that this binary needs.
func TargetVersion() int64 {
	entries, err := migrations.FS.ReadDir(".")
	if err != nil {
		return 0
	}
	var newest int64
	for _, e := range entries {
		if v, err := goose.NumericComponent(e.Name()); err == nil && v > newest {
			newest = v
		}
	}
	return newest
}

// SchemaVersion returns the version of the last migration.
func (s *Store) SchemaVersion(ctx context.Context) (int64, error) {
	db := stdlib.OpenDBFromPool(s.pool)
	defer func() { _ = db.Close() }()
	provider, err := goose.NewProvider(goose.DialectPostgres, db, migrations.FS, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return 0, asFault(err)
	}
	version, err := provider.GetDBVersion(ctx)
	return version, asFault(err)
}
