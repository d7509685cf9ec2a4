-- ReserveRequest makes a concurrent call with the same id wait until this one
-- has ended. No row comes back when the id has an answer already.
-- name: ReserveRequest :one
INSERT INTO request_log AS r (workspace_id, request_id, body_hash, answer, created_at, expires_at)
SELECT @workspace_id, @request_id, @body_hash, NULL, t.at, t.at + interval '24 hours'
FROM (SELECT coalesce(sqlc.narg('now')::timestamptz, now()) AS at) t
ON CONFLICT (workspace_id, request_id) DO UPDATE
SET body_hash = excluded.body_hash, answer = NULL, created_at = excluded.created_at, expires_at = excluded.expires_at
WHERE r.expires_at <= excluded.created_at
RETURNING r.request_id;

-- name: GetRequest :one
SELECT * FROM request_log WHERE workspace_id = @workspace_id AND request_id = @request_id;

-- name: SaveAnswer :exec
UPDATE request_log SET answer = @answer
WHERE workspace_id = @workspace_id AND request_id = @request_id;

-- name: DeleteExpiredRequests :execrows
DELETE FROM request_log d
WHERE d.workspace_id = @workspace_id AND d.request_id IN (
    SELECT r.request_id FROM request_log r
    WHERE r.workspace_id = @workspace_id AND r.expires_at <= coalesce(sqlc.narg('now')::timestamptz, now())
    ORDER BY r.expires_at LIMIT @row_limit);
