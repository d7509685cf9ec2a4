-- Cooldowns are locked last: after session, wakeup and run. Whoever holds one
-- locks wakeups of others only where nobody waits for that.
-- name: LockCooldown :one
SELECT * FROM cooldowns
WHERE workspace_id = @workspace_id AND provider = @provider AND model = @model
FOR UPDATE;

-- InsertCooldown touches no row when another run was faster.
-- name: InsertCooldown :exec
INSERT INTO cooldowns (workspace_id, provider, model, owner_wakeup_id, owner_run_id, attempt, profile, ordinal, retry_at, version, updated_at)
VALUES (@workspace_id, @provider, @model, @owner_wakeup_id, @owner_run_id, @attempt, @profile, @ordinal, @retry_at, @version, @updated_at)
ON CONFLICT (workspace_id, provider, model) DO NOTHING;

-- name: UpdateCooldown :exec
UPDATE cooldowns
SET owner_wakeup_id = @owner_wakeup_id, owner_run_id = @owner_run_id, attempt = @attempt, profile = @profile, ordinal = @ordinal,
    retry_at = @retry_at, version = @version, updated_at = @updated_at
WHERE workspace_id = @workspace_id AND provider = @provider AND model = @model AND version = @old_version;

-- name: DeleteCooldown :exec
DELETE FROM cooldowns
WHERE workspace_id = @workspace_id AND provider = @provider AND model = @model AND version = @old_version;

-- LockWaiting locks those that wait for a run, the first due first. One that is
-- locked already is being claimed, cancelled or superseded; it finds out itself.
-- name: LockWaiting :many
SELECT sqlc.embed(w) FROM wakeups w
WHERE w.workspace_id = @workspace_id AND w.waits_for_run_id = @run_id::uuid AND w.status = 'scheduled_retry'
ORDER BY w.due_at, w.wakeup_id
LIMIT @row_limit
FOR UPDATE SKIP LOCKED;
