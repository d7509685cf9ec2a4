package postgres_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/access"
	"github.com/recourse-dev/recourse/core/work"
)

// statement reads a query as it is sent, with numbered arguments.
func statement(t *testing.T, file, name string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("internal", "dbsqlc", file))
	require.NoError(t, err)
	found := regexp.MustCompile("(?s)-- name: " + name + " :\\w+\n(.*?)`").FindStringSubmatch(string(raw))
	require.NotNil(t, found)
	return found[1]
}

// The look for due work reads its index in order and stops at the limit,
// whatever the planner knows: before any statistics, after them, and with a
// plan that fits all arguments. A plan that sorts would read the whole backlog.
func TestDueWorkIsFoundInTheOrderOfItsIndex(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	_, err := store.Bootstrap(t.Context(), access.Workspace{ID: "default"}, access.NewToken{WorkspaceID: "default", ID: "t", Hash: work.HashToken("t"), Role: access.RoleAdmin})
	require.NoError(t, err)
	conn, err := store.Pool().Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	_, err = conn.Exec(t.Context(), `INSERT INTO sessions SELECT 'default', md5(i::text)::uuid, 'idle', 1, '', false, 1, now(), now() FROM generate_series(1, 20000) i`)
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), `INSERT INTO wakeups (workspace_id, wakeup_id, session_id, generation, status, status_reason, source, due_at, attention, run_count,
			transient_retries, transient_waited, hard_retries, hard_waited, park_count, waited_us, last_code, supervisor_id, host_id,
			next_send, native_session_id, version, created_at, updated_at, delivery)
		SELECT 'default', md5(i::text)::uuid, md5(i::text)::uuid, 1, 'queued', '', '', now() + (i - 10000) * interval '1 second', '', 0,
			0, false, 0, false, 0, 0, '', '', '', 'prompt', '', 1, now(), now(), 'worker' FROM generate_series(1, 20000) i`)
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), "PREPARE due AS "+statement(t, "due.sql.go", "LockDue"))
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), "PREPARE later AS "+statement(t, "due.sql.go", "NextLater"))
	require.NoError(t, err)
	for _, mode := range []string{"force_custom_plan", "force_generic_plan"} {
		for _, analyzed := range []bool{false, true} {
			if analyzed {
				_, err = conn.Exec(t.Context(), "ANALYZE wakeups")
				require.NoError(t, err)
			}
			_, err = conn.Exec(t.Context(), "SET plan_cache_mode = "+mode)
			require.NoError(t, err)
			for _, ask := range []string{
				`EXECUTE due ('default', '0001-01-01', NULL, '{}', 50)`,
				`EXECUTE due ('default', '` + time.Now().Add(-time.Minute).Format(time.RFC3339) + `', NULL, '{}', 50)`,
				`EXECUTE later (NULL, 'default', '{}')`,
			} {
				plan := explain(t, conn.Conn(), ask)
				require.Contains(t, plan, "Index Scan using wakeups_due", "%s %v %s\n%s", mode, analyzed, ask, plan)
				require.NotContains(t, plan, "Sort", "%s %v %s\n%s", mode, analyzed, ask, plan)
			}
		}
	}
}

func explain(t *testing.T, conn *pgx.Conn, ask string) string {
	t.Helper()
	rows, err := conn.Query(t.Context(), "EXPLAIN "+ask, pgx.QueryExecModeSimpleProtocol)
	require.NoError(t, err)
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return strings.Join(lines, "\n")
}
