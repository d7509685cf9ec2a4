-- LocateNewestWakeup finds the wakeup of a session's present generation.
-- name: LocateNewestWakeup :one
SELECT w.wakeup_id FROM wakeups w
    JOIN sessions s ON s.workspace_id = w.workspace_id AND s.session_id = w.session_id AND s.generation = w.generation
WHERE w.workspace_id = @workspace_id AND w.session_id = @session_id
ORDER BY w.wakeup_id DESC
LIMIT 1;

-- GetStanding tells what all runs of a wakeup leave for a person to decide on:
-- whether any was sent or may have had effects, and the agent's version as the
-- last failure showed it.
-- name: GetStanding :one
SELECT
    EXISTS (
        SELECT 1 FROM runs r
        WHERE r.workspace_id = @workspace_id AND r.wakeup_id = @wakeup_id AND (r.sending_at IS NOT NULL AND r.outcome <> 'not_sent'
            OR r.assistant_output <> 'none' OR r.tool_activity <> 'none' OR r.partial_result <> 'none')) AS sent,
    coalesce((
        SELECT e.facts -> 'Agent' ->> 'Version' FROM runs r
            JOIN run_evidence e ON e.workspace_id = r.workspace_id AND e.run_id = r.run_id
        WHERE r.workspace_id = @workspace_id AND r.wakeup_id = @wakeup_id AND e.facts IS NOT NULL
        ORDER BY r.ordinal DESC LIMIT 1), '')::text AS agent_version;

-- InsertSessionNative keeps the agent's own session that a fresh start leaves.
-- name: InsertSessionNative :exec
INSERT INTO session_natives (workspace_id, session_id, generation, native_session_id, ended_at)
VALUES (@workspace_id, @session_id, @generation, @native_session_id, @ended_at);

-- ListStandings lists the newest wakeup of each session that waits or needs a
-- person, the latest change first.
-- name: ListStandings :many
SELECT sqlc.embed(s), sqlc.embed(w), d.profile, d.last_classification, d.last_decision,
    coalesce(r.state, '')::text AS run_state, coalesce(r.outcome, '')::text AS run_outcome, coalesce(r.version, 0)::bigint AS run_version,
    r.stop_requested_at, coalesce(r.native_session_id, '')::text AS run_native_session_id,
    coalesce(r.assistant_output, '')::text AS assistant_output, coalesce(r.tool_activity, '')::text AS tool_activity,
    EXISTS (
        SELECT 1 FROM runs o
        WHERE o.workspace_id = w.workspace_id AND o.wakeup_id = w.wakeup_id AND (o.sending_at IS NOT NULL AND o.outcome <> 'not_sent'
            OR o.assistant_output <> 'none' OR o.tool_activity <> 'none' OR o.partial_result <> 'none')) AS sent,
    coalesce((
        SELECT e.facts -> 'Agent' ->> 'Version' FROM runs o
            JOIN run_evidence e ON e.workspace_id = o.workspace_id AND e.run_id = o.run_id
        WHERE o.workspace_id = w.workspace_id AND o.wakeup_id = w.wakeup_id AND e.facts IS NOT NULL
        ORDER BY o.ordinal DESC LIMIT 1), '')::text AS agent_version,
    coalesce(sqlc.narg('now')::timestamptz, now())::timestamptz AS read_at
FROM wakeups w
    JOIN wakeup_details d ON d.workspace_id = w.workspace_id AND d.wakeup_id = w.wakeup_id
    JOIN sessions s ON s.workspace_id = w.workspace_id AND s.session_id = w.session_id AND s.generation = w.generation
    LEFT JOIN runs r ON r.workspace_id = w.workspace_id AND r.run_id = w.last_run_id
WHERE w.workspace_id = @workspace_id AND w.attention <> ''
    AND (@attention::text = '' OR w.attention = @attention)
    AND (sqlc.narg('before_at')::timestamptz IS NULL OR (w.updated_at, w.wakeup_id) < (sqlc.narg('before_at')::timestamptz, sqlc.narg('before_id')::uuid))
ORDER BY w.updated_at DESC, w.wakeup_id DESC
LIMIT @row_limit;

-- GetSessionStanding gets the newest wakeup of one session, whatever its state,
-- with the columns of ListStandings.
-- name: GetSessionStanding :one
SELECT sqlc.embed(s), sqlc.embed(w), d.profile, d.last_classification, d.last_decision,
    coalesce(r.state, '')::text AS run_state, coalesce(r.outcome, '')::text AS run_outcome, coalesce(r.version, 0)::bigint AS run_version,
    r.stop_requested_at, coalesce(r.native_session_id, '')::text AS run_native_session_id,
    coalesce(r.assistant_output, '')::text AS assistant_output, coalesce(r.tool_activity, '')::text AS tool_activity,
    EXISTS (
        SELECT 1 FROM runs o
        WHERE o.workspace_id = w.workspace_id AND o.wakeup_id = w.wakeup_id AND (o.sending_at IS NOT NULL AND o.outcome <> 'not_sent'
            OR o.assistant_output <> 'none' OR o.tool_activity <> 'none' OR o.partial_result <> 'none')) AS sent,
    coalesce((
        SELECT e.facts -> 'Agent' ->> 'Version' FROM runs o
            JOIN run_evidence e ON e.workspace_id = o.workspace_id AND e.run_id = o.run_id
        WHERE o.workspace_id = w.workspace_id AND o.wakeup_id = w.wakeup_id AND e.facts IS NOT NULL
        ORDER BY o.ordinal DESC LIMIT 1), '')::text AS agent_version,
    coalesce(sqlc.narg('now')::timestamptz, now())::timestamptz AS read_at
FROM wakeups w
    JOIN wakeup_details d ON d.workspace_id = w.workspace_id AND d.wakeup_id = w.wakeup_id
    JOIN sessions s ON s.workspace_id = w.workspace_id AND s.session_id = w.session_id AND s.generation = w.generation
    LEFT JOIN runs r ON r.workspace_id = w.workspace_id AND r.run_id = w.last_run_id
WHERE w.workspace_id = @workspace_id AND w.session_id = @session_id
ORDER BY w.wakeup_id DESC
LIMIT 1;
