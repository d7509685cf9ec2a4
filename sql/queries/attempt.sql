-- ListAttempts returns what decisions were made from, newest first.
-- name: ListAttempts :many
SELECT e.run_id, e.classification, e.decision, e.facts, e.jitter, e.decided_at
FROM run_evidence e
WHERE e.workspace_id = @workspace_id AND e.jitter IS NOT NULL
    AND (sqlc.narg('decided_after')::timestamptz IS NULL OR e.decided_at >= sqlc.narg('decided_after'))
    AND (sqlc.narg('decided_before')::timestamptz IS NULL OR e.decided_at < sqlc.narg('decided_before'))
    AND (@code::text = '' OR e.classification ->> 'Code' = @code)
ORDER BY e.decided_at DESC, e.run_id DESC
LIMIT @row_limit;
