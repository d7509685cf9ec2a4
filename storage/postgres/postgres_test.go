package postgres_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/storage/postgres"
	"github.com/recourse-dev/recourse/storage/storagetest"
	"github.com/recourse-dev/recourse/storage/storagetest/pg"
)

func TestMain(m *testing.M) { pg.Main(m, pg.Migrate(postgres.Migrate)) }

func open(t *testing.T, now func() time.Time) *postgres.Store {
	t.Helper()
	store, err := postgres.Open(t.Context(), postgres.Config{URL: pg.URL(t), MaxConns: 8, Now: now})
	require.NoError(t, err)
	t.Cleanup(store.Close)
	return store
}

func TestContract(t *testing.T) {
	t.Parallel()
	storagetest.Run(t, func(t *testing.T, now func() time.Time) storagetest.Store { return open(t, now) })
}
