package postgres_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/access"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
	"github.com/recourse-dev/recourse/storage/postgres"
	"github.com/recourse-dev/recourse/storage/storagetest/pg"
)

func newUUID() string { return uuid.Must(uuid.NewV7()).String() }

// openBoth gives a store on a workspace and a pool on the same database.
func openBoth(t *testing.T) (*postgres.Store, *pgxpool.Pool) {
	t.Helper()
	url := pg.URL(t)
	store, err := postgres.Open(t.Context(), postgres.Config{URL: url, MaxConns: 4})
	require.NoError(t, err)
	t.Cleanup(store.Close)
	pool, err := pgxpool.New(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	_, err = store.Bootstrap(t.Context(), access.Workspace{ID: "default"}, access.NewToken{WorkspaceID: "default", ID: newUUID(), Hash: work.HashToken("t"), Role: access.RoleAdmin})
	require.NoError(t, err)
	return store, pool
}

// The agent's own sessions that fresh starts leave stay on record, one for each
// generation that had one.
func TestAFreshStartKeepsTheOldNativeSession(t *testing.T) {
	t.Parallel()
	store, pool := openBoth(t)
	ctx, settings := t.Context(), recovery.Defaults()
	begun, err := store.BeginPrompt(ctx, work.Request{}, work.BeginPrompt{WorkspaceID: "default", Delivery: work.DeliveryWorker, Prompt: "mend it", Profile: work.Profile{AgentKind: "claude"}},
		work.BeginIDs{SessionID: newUUID(), WakeupID: newUUID()})
	require.NoError(t, err)
	for i, native := range []string{"first", "second"} {
		claim, err := store.ClaimWakeup(ctx, "default", begun.Wakeup.ID, work.ClaimRequest{RunID: newUUID(), TokenHash: work.HashToken("lease"), Settings: settings})
		require.NoError(t, err)
		lease := work.Lease{WorkspaceID: "default", RunID: claim.Run.ID, Token: "lease"}
		_, err = store.BeginSend(ctx, lease, settings)
		require.NoError(t, err)
		_, err = store.MarkDelivered(ctx, work.MarkDelivered{Lease: lease, NativeSessionID: native}, settings)
		require.NoError(t, err)
		_, err = store.SucceedRun(ctx, work.Request{}, lease, work.Success{Token: "lease", Settings: settings})
		require.NoError(t, err)
		begun, err = store.GoOn(ctx, work.Request{}, work.GoOn{WorkspaceID: "default", SessionID: begun.Session.ID, Fresh: true}, newUUID())
		require.NoError(t, err)
		require.EqualValues(t, i+2, begun.Session.Generation)
	}
	rows, err := pool.Query(ctx, "SELECT generation || ' ' || native_session_id FROM session_natives WHERE workspace_id = 'default' ORDER BY generation")
	require.NoError(t, err)
	defer rows.Close()
	var kept []string
	for rows.Next() {
		var text string
		require.NoError(t, rows.Scan(&text))
		kept = append(kept, text)
	}
	require.NoError(t, rows.Err())
	require.Equal(t, []string{"1 first", "2 second"}, kept)
}

// A page of what needs attention costs the page, not the history behind it.
func TestRecoveriesAreReadFromTheirIndex(t *testing.T) {
	t.Parallel()
	_, pool := openBoth(t)
	ctx := t.Context()
	_, err := pool.Exec(ctx, `
		INSERT INTO sessions (workspace_id, session_id, state, generation, native_session_id, replied, version, created_at, updated_at)
		SELECT 'default', gen_random_uuid(), 'idle', 1, '', false, 1, now(), now() FROM generate_series(1, 20000);
		INSERT INTO wakeups (workspace_id, wakeup_id, session_id, generation, status, status_reason, source, due_at, attention, run_count,
			transient_retries, transient_waited, hard_retries, hard_waited, park_count, waited_us, last_code, supervisor_id, host_id,
			next_send, native_session_id, version, created_at, updated_at, ended_at)
		SELECT 'default', gen_random_uuid(), session_id, 1, 'cancelled', 'cancelled', 'user_prompt', NULL, '', 0, 0, false, 0, false, 0, 0, '', '', '',
			'prompt', '', 1, now(), now() - random() * interval '1 day', now() FROM sessions;
		ANALYZE sessions; ANALYZE wakeups`)
	require.NoError(t, err)
	rows, err := pool.Query(ctx, `EXPLAIN SELECT w.wakeup_id FROM wakeups w
			JOIN sessions s ON s.workspace_id = w.workspace_id AND s.session_id = w.session_id AND s.generation = w.generation
		WHERE w.workspace_id = 'default' AND w.attention <> '' ORDER BY w.updated_at DESC, w.wakeup_id DESC LIMIT 51`)
	require.NoError(t, err)
	defer rows.Close()
	var plan strings.Builder
	for rows.Next() {
		var line string
		require.NoError(t, rows.Scan(&line))
		plan.WriteString(line + "\n")
	}
	require.NoError(t, rows.Err())
	require.Contains(t, plan.String(), "wakeups_attention")
	require.NotContains(t, plan.String(), "Seq Scan on wakeups")
}
