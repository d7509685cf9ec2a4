-- name: InsertWakeup :exec
INSERT INTO wakeups (workspace_id, wakeup_id, session_id, generation, status, status_reason, source, due_at, attention,
    run_count, transient_retries, transient_waited, hard_retries, hard_waited, park_count, waited_us, last_run_id, last_code,
    supervisor_id, host_id, next_send, native_session_id, version, created_at, updated_at, ended_at, delivery)
VALUES (@workspace_id, @wakeup_id, @session_id, @generation, @status, @status_reason, @source, @due_at, @attention,
    @run_count, @transient_retries, @transient_waited, @hard_retries, @hard_waited, @park_count, @waited_us, @last_run_id, @last_code,
    @supervisor_id, @host_id, @next_send, @native_session_id, @version, @created_at, @updated_at, @ended_at, @delivery);

-- name: InsertWakeupDetails :exec
INSERT INTO wakeup_details (workspace_id, wakeup_id, profile, error_message)
VALUES (@workspace_id, @wakeup_id, @profile, '');

-- name: LocateWakeup :one
SELECT session_id FROM wakeups WHERE workspace_id = @workspace_id AND wakeup_id = @wakeup_id;

-- name: LockWakeup :one
SELECT sqlc.embed(w), sqlc.embed(d)
FROM wakeups w JOIN wakeup_details d ON d.workspace_id = w.workspace_id AND d.wakeup_id = w.wakeup_id
WHERE w.workspace_id = @workspace_id AND w.wakeup_id = @wakeup_id
FOR UPDATE OF w;

-- name: LockOpenWakeups :many
SELECT sqlc.embed(w), sqlc.embed(d)
FROM wakeups w JOIN wakeup_details d ON d.workspace_id = w.workspace_id AND d.wakeup_id = w.wakeup_id
WHERE w.workspace_id = @workspace_id AND w.session_id = @session_id AND w.status IN ('queued', 'running', 'scheduled_retry', 'parked')
ORDER BY w.wakeup_id
FOR UPDATE OF w;

-- name: UpdateWakeup :exec
UPDATE wakeups
SET status = @status, status_reason = @status_reason, due_at = @due_at, attention = @attention, run_count = @run_count,
    transient_retries = @transient_retries, transient_waited = @transient_waited, hard_retries = @hard_retries, hard_waited = @hard_waited,
    park_count = @park_count, waited_us = @waited_us, last_run_id = @last_run_id, last_code = @last_code, supervisor_id = @supervisor_id, host_id = @host_id,
    next_send = @next_send, native_session_id = @native_session_id, version = @version, updated_at = @updated_at, ended_at = @ended_at,
    runtime_retries = @runtime_retries, waits_for_run_id = @waits_for_run_id
WHERE workspace_id = @workspace_id AND wakeup_id = @wakeup_id AND version = @old_version;

-- name: UpdateWakeupDetails :exec
UPDATE wakeup_details
SET last_classification = @last_classification, last_decision = @last_decision, error_message = @error_message
WHERE workspace_id = @workspace_id AND wakeup_id = @wakeup_id;

-- name: GetWakeup :one
SELECT sqlc.embed(w), sqlc.embed(d), s.state AS session_state
FROM wakeups w
    JOIN wakeup_details d ON d.workspace_id = w.workspace_id AND d.wakeup_id = w.wakeup_id
    JOIN sessions s ON s.workspace_id = w.workspace_id AND s.session_id = w.session_id
WHERE w.workspace_id = @workspace_id AND w.wakeup_id = @wakeup_id;

-- ListWakeups cuts error messages: a page of whole ones could be 64 MiB.
-- name: ListWakeups :many
SELECT sqlc.embed(w), d.profile, d.last_classification, d.last_decision, left(d.error_message, 2048)::text AS error_message, s.state AS session_state
FROM wakeups w
    JOIN wakeup_details d ON d.workspace_id = w.workspace_id AND d.wakeup_id = w.wakeup_id
    JOIN sessions s ON s.workspace_id = w.workspace_id AND s.session_id = w.session_id
WHERE w.workspace_id = @workspace_id
    AND (sqlc.narg('before_id')::uuid IS NULL OR w.wakeup_id < sqlc.narg('before_id'))
    AND (sqlc.narg('session_id')::uuid IS NULL OR w.session_id = sqlc.narg('session_id'))
    AND (cardinality(@statuses::text[]) = 0 OR w.status = ANY (@statuses::text[]))
    AND (@code::text = '' OR w.last_code = @code)
ORDER BY w.wakeup_id DESC
LIMIT @row_limit;
