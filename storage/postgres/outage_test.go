package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/work"
	"github.com/recourse-dev/recourse/storage/postgres"
	"github.com/recourse-dev/recourse/storage/storagetest/pg"
)

func TestADatabaseThatIsGoneIsUnavailable(t *testing.T) {
	t.Parallel()
	server := pg.Durable(t)
	store, err := postgres.Open(t.Context(), postgres.Config{URL: server.URL()})
	require.NoError(t, err)
	t.Cleanup(store.Close)
	at := context.WithoutCancel(t.Context())
	stopping, cancel := context.WithTimeout(at, time.Minute)
	defer cancel()
	require.NoError(t, server.Stop(stopping))
	_, err = store.GetWakeup(t.Context(), "default", newID())
	require.Equal(t, fault.ReasonDatabaseUnavailable, fault.From(err).Reason, "%v", err)
	require.Positive(t, fault.From(err).RetryAfter)
	_, err = store.BeginPrompt(t.Context(), work.Request{}, work.BeginPrompt{WorkspaceID: "default"}, work.BeginIDs{SessionID: newID(), WakeupID: newID()})
	require.Equal(t, fault.ReasonDatabaseUnavailable, fault.From(err).Reason, "%v", err)
	require.Error(t, store.Ping(t.Context()))
	store.Close()
	_, err = store.GetWakeup(t.Context(), "default", newID())
	require.Equal(t, fault.ReasonShuttingDown, fault.From(err).Reason, "%v", err)
}

func TestABadURLIsNotRepeated(t *testing.T) {
	t.Parallel()
	secret := "hunt" + "er2"
	_, err := postgres.Open(t.Context(), postgres.Config{URL: "postgres://u:" + secret + "@h:notaport/x"})
	require.Equal(t, fault.ReasonInvalidRequest, fault.From(err).Reason)
	require.NotContains(t, err.Error(), secret)
	require.NotContains(t, postgres.Migrate(t.Context(), "postgres://u:"+secret+"@h:notaport/x").Error(), secret)
}
