-- LocateNewestWakeup finds the wakeup of a session's present generation.
-- name: LocateNewestWakeup :one
SELECT w.wakeup_id FROM wakeups w
    JOIN sessions s ON s.workspace_id = w.workspace_id AND s.session_id = w.session_id AND s.generation = w.generation
WHERE w.workspace_id = @workspace_id AND w.session_id = @session_id
ORDER BY w.wakeup_id DESC
LIMIT 1;

-- GetStanding tells what all runs of a wakeup leave for a person to decide on.
-- name: GetStanding :one
SELECT sent, agent_version FROM wakeup_standings WHERE workspace_id = @workspace_id AND wakeup_id = @wakeup_id;

-- InsertSessionNative keeps the agent's own session that a fresh start leaves.
-- name: InsertSessionNative :exec
INSERT INTO session_natives (workspace_id, session_id, generation, native_session_id, ended_at)
VALUES (@workspace_id, @session_id, @generation, @native_session_id, @ended_at);

-- ListStandings lists the newest wakeup of each session that waits or needs a
-- person, the latest change first.
-- name: ListStandings :many
SELECT sqlc.embed(s), sqlc.embed(w), d.profile, d.last_classification, d.last_decision, left(d.error_message, 2048)::text AS error_message,
    coalesce(r.state, '')::text AS run_state, coalesce(r.outcome, '')::text AS run_outcome, coalesce(r.version, 0)::bigint AS run_version,
    r.stop_requested_at, coalesce(r.native_session_id, '')::text AS run_native_session_id,
    coalesce(r.assistant_output, '')::text AS assistant_output, coalesce(r.tool_activity, '')::text AS tool_activity,
    t.sent, t.agent_version,
    coalesce(sqlc.narg('now')::timestamptz, now())::timestamptz AS read_at
FROM wakeups w
    JOIN wakeup_details d ON d.workspace_id = w.workspace_id AND d.wakeup_id = w.wakeup_id
    JOIN sessions s ON s.workspace_id = w.workspace_id AND s.session_id = w.session_id AND s.generation = w.generation
    JOIN wakeup_standings t ON t.workspace_id = w.workspace_id AND t.wakeup_id = w.wakeup_id
    LEFT JOIN runs r ON r.workspace_id = w.workspace_id AND r.run_id = w.last_run_id
WHERE w.workspace_id = @workspace_id AND w.attention <> ''
    AND (@attention::text = '' OR w.attention = @attention)
    AND (sqlc.narg('before_at')::timestamptz IS NULL OR (w.updated_at, w.wakeup_id) < (sqlc.narg('before_at')::timestamptz, sqlc.narg('before_id')::uuid))
ORDER BY w.updated_at DESC, w.wakeup_id DESC
LIMIT @row_limit;

-- GetSessionStanding gets the newest wakeup of one session, whatever its state,
-- with the columns of ListStandings.
-- name: GetSessionStanding :one
SELECT sqlc.embed(s), sqlc.embed(w), d.profile, d.last_classification, d.last_decision, left(d.error_message, 2048)::text AS error_message,
    coalesce(r.state, '')::text AS run_state, coalesce(r.outcome, '')::text AS run_outcome, coalesce(r.version, 0)::bigint AS run_version,
    r.stop_requested_at, coalesce(r.native_session_id, '')::text AS run_native_session_id,
    coalesce(r.assistant_output, '')::text AS assistant_output, coalesce(r.tool_activity, '')::text AS tool_activity,
    t.sent, t.agent_version,
    coalesce(sqlc.narg('now')::timestamptz, now())::timestamptz AS read_at
FROM wakeups w
    JOIN wakeup_details d ON d.workspace_id = w.workspace_id AND d.wakeup_id = w.wakeup_id
    JOIN sessions s ON s.workspace_id = w.workspace_id AND s.session_id = w.session_id AND s.generation = w.generation
    JOIN wakeup_standings t ON t.workspace_id = w.workspace_id AND t.wakeup_id = w.wakeup_id
    LEFT JOIN runs r ON r.workspace_id = w.workspace_id AND r.run_id = w.last_run_id
WHERE w.workspace_id = @workspace_id AND w.session_id = @session_id
ORDER BY w.wakeup_id DESC
LIMIT 1;
