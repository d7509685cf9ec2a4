-- LockDue locks what is due for workers, the oldest first. What another claim
-- has locked is skipped, so that replicas share the queue and none waits. after
-- is a low-water mark: entries of claimed rows stay in the index while an old
-- snapshot is held, and walking over them again at each look would cost more
-- the longer it is. The upper bound is a pair so that the planner does not take
-- the range for a narrow one and sorts the whole backlog at each look: it reads
-- the index in order, up to the limit. What must go on in the agent's own session is for its host.
-- name: LockDue :many
SELECT sqlc.embed(w) FROM wakeups w
WHERE w.workspace_id = @workspace_id AND w.delivery = 'worker' AND w.due_at IS NOT NULL
    AND w.due_at > @after::timestamptz
    AND (w.due_at, w.wakeup_id) <= (coalesce(sqlc.narg('now')::timestamptz, now()), 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
    AND (w.next_send <> 'continue' OR w.host_id = '' OR w.host_id = ANY (@host_ids::text[]))
ORDER BY w.due_at, w.wakeup_id
LIMIT @row_limit
FOR UPDATE SKIP LOCKED;

-- NextDue is when the first of them is or will be due, and what time it is.
-- name: NextDue :one
SELECT w.due_at, coalesce(sqlc.narg('now')::timestamptz, clock_timestamp())::timestamptz AS now FROM wakeups w
WHERE w.workspace_id = @workspace_id AND w.delivery = 'worker' AND w.due_at IS NOT NULL AND w.due_at > @after::timestamptz
    AND (w.next_send <> 'continue' OR w.host_id = '' OR w.host_id = ANY (@host_ids::text[]))
ORDER BY w.due_at
LIMIT 1;

-- NextLater is when the first is due of those that LockDue of the same
-- transaction leaves out because they are not due yet. now() does not move, so
-- that the index finds it at once.
-- name: NextLater :one
SELECT w.due_at, coalesce(sqlc.narg('now')::timestamptz, clock_timestamp())::timestamptz AS now FROM wakeups w
WHERE w.workspace_id = @workspace_id AND w.delivery = 'worker' AND w.due_at IS NOT NULL AND w.due_at > coalesce(sqlc.narg('now')::timestamptz, now())
    AND (w.next_send <> 'continue' OR w.host_id = '' OR w.host_id = ANY (@host_ids::text[]))
ORDER BY w.due_at
LIMIT 1;

-- LockSessions skips what others have locked.
-- name: LockSessions :many
SELECT sqlc.embed(s), w.recovery_mode, w.recovery_off
FROM sessions s JOIN workspaces w ON w.workspace_id = s.workspace_id
WHERE s.workspace_id = @workspace_id AND s.session_id = ANY (@session_ids::uuid[])
FOR UPDATE OF s SKIP LOCKED;

-- name: GetDetails :many
SELECT * FROM wakeup_details
WHERE workspace_id = @workspace_id AND wakeup_id = ANY (@wakeup_ids::uuid[]);
