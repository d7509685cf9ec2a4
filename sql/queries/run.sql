-- name: InsertRun :exec
INSERT INTO runs (workspace_id, run_id, wakeup_id, session_id, generation, ordinal, state, outcome, send, supervisor_id, host_id, token_hash,
    lease_expires_at, heartbeat_at, watched, claimed_at, assistant_output, tool_activity, partial_result, delivery,
    native_session_id, cost_usd, late, version)
VALUES (@workspace_id, @run_id, @wakeup_id, @session_id, @generation, @ordinal, @state, @outcome, @send, @supervisor_id, @host_id, @token_hash,
    @lease_expires_at, @heartbeat_at, @watched, @claimed_at, @assistant_output, @tool_activity, @partial_result, @delivery,
    @native_session_id, @cost_usd, @late, @version);

-- name: LocateRun :one
SELECT session_id, wakeup_id FROM runs WHERE workspace_id = @workspace_id AND run_id = @run_id;

-- name: LockRun :one
SELECT * FROM runs WHERE workspace_id = @workspace_id AND run_id = @run_id FOR UPDATE;

-- name: UpdateRun :exec
UPDATE runs
SET state = @state, outcome = @outcome, lease_expires_at = @lease_expires_at, grace_ends_at = @grace_ends_at, heartbeat_at = @heartbeat_at,
    watched = @watched, sending_at = @sending_at, delivered_at = @delivered_at, settled_at = @settled_at,
    assistant_output = @assistant_output, tool_activity = @tool_activity, partial_result = @partial_result, delivery = @delivery,
    native_session_id = @native_session_id, cost_usd = @cost_usd, late = @late, stop_requested_at = @stop_requested_at, version = @version
WHERE workspace_id = @workspace_id AND run_id = @run_id AND version = @old_version;

-- RenewLease is no transition: it changes no state, so that it needs no other lock.
-- name: RenewLease :one
UPDATE runs
SET lease_expires_at = coalesce(sqlc.narg('now')::timestamptz, now()) + make_interval(secs => @lease_seconds::float8),
    heartbeat_at = coalesce(sqlc.narg('now')::timestamptz, now())
WHERE workspace_id = @workspace_id AND run_id = @run_id AND token_hash = @token_hash AND lease_expires_at IS NOT NULL
RETURNING lease_expires_at, stop_requested_at;

-- name: SaveEvidence :exec
INSERT INTO run_evidence (workspace_id, run_id, evidence, classification, decision, facts, jitter, decided_at)
VALUES (@workspace_id, @run_id, @evidence, @classification, @decision, @facts, @jitter, @decided_at)
ON CONFLICT (workspace_id, run_id) DO UPDATE
SET evidence = coalesce(excluded.evidence, run_evidence.evidence), classification = coalesce(excluded.classification, run_evidence.classification),
    decision = excluded.decision, facts = excluded.facts, jitter = excluded.jitter, decided_at = excluded.decided_at;

-- name: GetEvidence :one
SELECT * FROM run_evidence WHERE workspace_id = @workspace_id AND run_id = @run_id;

-- name: GetRun :one
SELECT sqlc.embed(r), d.profile, e.evidence, e.classification, e.decision
FROM runs r
    JOIN wakeup_details d ON d.workspace_id = r.workspace_id AND d.wakeup_id = r.wakeup_id
    LEFT JOIN run_evidence e ON e.workspace_id = r.workspace_id AND e.run_id = r.run_id
WHERE r.workspace_id = @workspace_id AND r.run_id = @run_id;

-- name: ListRuns :many
SELECT sqlc.embed(r), d.profile, e.classification, e.decision
FROM runs r
    JOIN wakeup_details d ON d.workspace_id = r.workspace_id AND d.wakeup_id = r.wakeup_id
    LEFT JOIN run_evidence e ON e.workspace_id = r.workspace_id AND e.run_id = r.run_id
WHERE r.workspace_id = @workspace_id
    AND (sqlc.narg('before_id')::uuid IS NULL OR r.run_id < sqlc.narg('before_id'))
    AND (sqlc.narg('wakeup_id')::uuid IS NULL OR r.wakeup_id = sqlc.narg('wakeup_id'))
    AND (cardinality(@states::text[]) = 0 OR r.state = ANY (@states::text[]))
ORDER BY r.run_id DESC
LIMIT @row_limit;

-- SurveyWatched looks over all workspaces: when the next lease or grace ends,
-- and when any owner last gave a sign of life. Both are now when none is watched.
-- name: SurveyWatched :one
SELECT count(r.run_id) AS watched_count,
    coalesce(min(coalesce(r.lease_expires_at, r.grace_ends_at)), t.at)::timestamptz AS next_deadline_at,
    coalesce(max(r.heartbeat_at), t.at)::timestamptz AS last_heartbeat_at, t.at::timestamptz AS now
FROM (SELECT coalesce(sqlc.narg('now')::timestamptz, clock_timestamp()) AS at) t
    LEFT JOIN runs r ON r.watched
GROUP BY t.at;

-- FindOverdue looks over all workspaces.
-- name: FindOverdue :many
SELECT workspace_id, run_id FROM runs
WHERE watched AND coalesce(lease_expires_at, grace_ends_at) <= coalesce(sqlc.narg('now')::timestamptz, now())
ORDER BY coalesce(lease_expires_at, grace_ends_at)
LIMIT @row_limit;
