-- CountOpen looks over all workspaces: how many wakeups have not ended, and how
-- long the first that is due and waits for a worker has been due.
-- name: CountOpen :many
SELECT status, count(*) AS open_count,
    coalesce(extract(epoch FROM coalesce(sqlc.narg('now')::timestamptz, now()) - min(due_at) FILTER (WHERE delivery = 'worker')), 0)::float8 AS overdue_seconds
FROM wakeups
WHERE status IN ('queued', 'running', 'scheduled_retry', 'parked')
GROUP BY status;
