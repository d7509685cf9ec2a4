-- name: InsertToken :one
INSERT INTO api_tokens (workspace_id, token_id, token_hash, display_name, role, instance_admin, is_session, created_at, expires_at)
SELECT @workspace_id, @token_id, @token_hash, @display_name, @role, @instance_admin, @is_session, t.at, t.at + make_interval(secs => sqlc.narg('ttl_seconds')::float8)
FROM (SELECT coalesce(sqlc.narg('now')::timestamptz, now()) AS at) t
RETURNING *;

-- name: ListTokens :many
SELECT * FROM api_tokens
WHERE workspace_id = @workspace_id AND (@before_id::text = '' OR token_id < @before_id)
ORDER BY token_id DESC
LIMIT @row_limit;

-- name: RevokeToken :one
UPDATE api_tokens
SET revoked_at = coalesce(revoked_at, sqlc.narg('now')::timestamptz, now())
WHERE workspace_id = @workspace_id AND token_id = @token_id
RETURNING *;

-- name: FindToken :one
SELECT sqlc.embed(t), (t.last_used_at IS NULL OR t.last_used_at < coalesce(sqlc.narg('now')::timestamptz, now()) - interval '1 minute')::boolean AS is_touch_due
FROM api_tokens t
WHERE t.workspace_id = @workspace_id AND t.token_hash = @token_hash AND t.revoked_at IS NULL
    AND (t.expires_at IS NULL OR t.expires_at > coalesce(sqlc.narg('now')::timestamptz, now()));

-- name: TouchToken :exec
UPDATE api_tokens
SET last_used_at = coalesce(sqlc.narg('now')::timestamptz, now())
WHERE workspace_id = @workspace_id AND token_id = @token_id;

-- name: InsertLoginCode :one
INSERT INTO login_codes (workspace_id, code_hash, token_id, created_at, expires_at)
SELECT @workspace_id, @code_hash, @token_id, t.at, t.at + make_interval(secs => @ttl_seconds::float8)
FROM (SELECT coalesce(sqlc.narg('now')::timestamptz, now()) AS at) t
RETURNING expires_at;

-- UseLoginCode uses up a code; the row lock makes it single use.
-- name: UseLoginCode :one
UPDATE login_codes c
SET used_at = coalesce(sqlc.narg('now')::timestamptz, now())
FROM api_tokens t
WHERE c.workspace_id = @workspace_id AND c.code_hash = @code_hash AND c.used_at IS NULL
    AND c.expires_at > coalesce(sqlc.narg('now')::timestamptz, now())
    AND t.workspace_id = c.workspace_id AND t.token_id = c.token_id AND t.revoked_at IS NULL
    AND (t.expires_at IS NULL OR t.expires_at > coalesce(sqlc.narg('now')::timestamptz, now()))
RETURNING t.role, t.instance_admin;

-- name: DeleteLoginCodes :execrows
DELETE FROM login_codes
WHERE workspace_id = @workspace_id AND expires_at < coalesce(sqlc.narg('now')::timestamptz, now()) - interval '1 day';
