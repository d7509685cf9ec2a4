-- name: BootstrapWorkspace :execrows
INSERT INTO workspaces (workspace_id, display_name, created_at)
SELECT @workspace_id, @display_name, coalesce(sqlc.narg('now')::timestamptz, now())
WHERE NOT EXISTS (SELECT 1 FROM workspaces)
ON CONFLICT (workspace_id) DO NOTHING;

-- name: InsertEventHead :exec
INSERT INTO event_heads (workspace_id, last_seq, oldest_seq)
VALUES (@workspace_id, 0, 1)
ON CONFLICT (workspace_id) DO NOTHING;

-- name: GetWorkspace :one
SELECT * FROM workspaces WHERE workspace_id = @workspace_id;

-- name: ListWorkspaces :many
SELECT * FROM workspaces
WHERE workspace_id > @after_id
ORDER BY workspace_id
LIMIT @row_limit;
