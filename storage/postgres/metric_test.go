package postgres_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/google/uuid"

	"github.com/recourse-dev/recourse/core/access"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

func TestTheOpenWorkIsCountedByStatus(t *testing.T) {
	t.Parallel()
	store, ctx := open(t, nil), t.Context()
	id := func() string { return uuid.Must(uuid.NewV7()).String() }
	depth, err := store.QueueDepth(ctx)
	require.NoError(t, err)
	require.Empty(t, depth.Open)
	require.Zero(t, depth.Overdue)
	_, err = store.Bootstrap(ctx, access.Workspace{ID: "default"}, access.NewToken{WorkspaceID: "default", ID: id(), Hash: work.HashToken("t"), Role: access.RoleAdmin})
	require.NoError(t, err)
	for _, delivery := range []work.Delivery{work.DeliveryCaller, work.DeliveryWorker} {
		begin := work.BeginPrompt{WorkspaceID: "default", Delivery: delivery}
		if delivery == work.DeliveryWorker {
			begin.Prompt = "mend it"
		}
		_, err = store.BeginPrompt(ctx, work.Request{}, begin, work.BeginIDs{SessionID: id(), WakeupID: id()})
		require.NoError(t, err)
	}
	depth, err = store.QueueDepth(ctx)
	require.NoError(t, err)
	require.Equal(t, map[recovery.WakeupStatus]int64{recovery.WakeupQueued: 2}, depth.Open)
	require.Positive(t, depth.Overdue, "the worker's has been due since it began")
}
