-- PruneWakeups removes a batch of wakeups that ended before an instant, with
-- all that belongs to them. A session's newest one stays as long as the session
-- changes. Foreign keys are looked at when the statement ends.
-- name: PruneWakeups :many
WITH old AS (
    SELECT o.wakeup_id, o.session_id FROM wakeups o
        JOIN sessions s ON s.workspace_id = @workspace_id AND s.session_id = o.session_id
    WHERE o.workspace_id = @workspace_id AND o.ended_at < @before_at AND (o.generation < s.generation OR s.updated_at < @before_at)
    ORDER BY o.ended_at LIMIT @row_limit
    FOR UPDATE SKIP LOCKED),
gone_evidence AS (
    DELETE FROM run_evidence e USING runs r, old
    WHERE e.workspace_id = @workspace_id AND r.workspace_id = @workspace_id AND r.wakeup_id = old.wakeup_id AND e.run_id = r.run_id),
gone_runs AS (
    DELETE FROM runs r USING old WHERE r.workspace_id = @workspace_id AND r.wakeup_id = old.wakeup_id),
gone_prompts AS (
    DELETE FROM wakeup_prompts p USING old WHERE p.workspace_id = @workspace_id AND p.wakeup_id = old.wakeup_id),
gone_details AS (
    DELETE FROM wakeup_details d USING old WHERE d.workspace_id = @workspace_id AND d.wakeup_id = old.wakeup_id)
DELETE FROM wakeups w USING old WHERE w.workspace_id = @workspace_id AND w.wakeup_id = old.wakeup_id
RETURNING w.session_id;

-- name: PruneNatives :exec
DELETE FROM session_natives n
WHERE n.workspace_id = @workspace_id AND n.session_id = ANY (@session_ids::uuid[]) AND NOT EXISTS (
    SELECT 1 FROM wakeups w WHERE w.workspace_id = @workspace_id AND w.session_id = n.session_id);

-- PruneSessions removes what has no wakeup any more and had none for as long. A
-- prompt that begins meanwhile has changed its session.
-- name: PruneSessions :exec
DELETE FROM sessions s
WHERE s.workspace_id = @workspace_id AND s.session_id = ANY (@session_ids::uuid[]) AND s.updated_at < @before_at AND NOT EXISTS (
    SELECT 1 FROM wakeups w WHERE w.workspace_id = @workspace_id AND w.session_id = s.session_id);
