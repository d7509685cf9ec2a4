-- ReadClock is asked once in each transaction, after its row locks: the start
-- of the transaction may lie before them.
-- name: ReadClock :one
SELECT coalesce(sqlc.narg('now')::timestamptz, clock_timestamp())::timestamptz AS now;

-- name: InsertSession :exec
INSERT INTO sessions (workspace_id, session_id, state, generation, native_session_id, replied, version, created_at, updated_at)
VALUES (@workspace_id, @session_id, @state, @generation, @native_session_id, @replied, @version, @created_at, @updated_at);

-- name: LockSession :one
SELECT sqlc.embed(s), w.recovery_mode, w.recovery_off
FROM sessions s JOIN workspaces w ON w.workspace_id = s.workspace_id
WHERE s.workspace_id = @workspace_id AND s.session_id = @session_id
FOR UPDATE OF s;

-- name: UpdateSession :exec
UPDATE sessions
SET state = @state, generation = @generation, native_session_id = @native_session_id, replied = @replied, version = @version, updated_at = @updated_at
WHERE workspace_id = @workspace_id AND session_id = @session_id AND version = @old_version;
