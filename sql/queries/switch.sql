-- name: LockWorkspace :one
SELECT * FROM workspaces WHERE workspace_id = @workspace_id FOR NO KEY UPDATE;

-- name: UpdateWorkspace :exec
UPDATE workspaces SET display_name = @display_name, recovery_mode = @recovery_mode, recovery_off = @recovery_off
WHERE workspace_id = @workspace_id;

-- FindWaits returns what would go on by itself: the wait for a retry and the
-- parks with a deadline.
-- name: FindWaits :many
SELECT wakeup_id FROM wakeups
WHERE workspace_id = @workspace_id AND attention = 'deadline'
ORDER BY updated_at, wakeup_id
LIMIT @row_limit;

-- FindSwitchedOff returns what the Off switch holds.
-- name: FindSwitchedOff :many
SELECT w.wakeup_id
FROM wakeups w JOIN wakeup_details d ON d.workspace_id = w.workspace_id AND d.wakeup_id = w.wakeup_id
WHERE w.workspace_id = @workspace_id AND w.attention = 'person' AND w.status = 'parked' AND d.last_decision ->> 'park_reason' = 'recovery_off'
ORDER BY w.updated_at, w.wakeup_id
LIMIT @row_limit;

-- CountRunsLastDay counts what a consent bounds: the runs of one prompt.
-- name: CountRunsLastDay :one
SELECT count(*) FROM runs
WHERE workspace_id = @workspace_id AND wakeup_id = @wakeup_id
    AND claimed_at > coalesce(sqlc.narg('now')::timestamptz, now()) - interval '24 hours';
