-- name: InsertEvents :exec
INSERT INTO events (workspace_id, event_id, type, occurred_at, payload)
SELECT @workspace_id, unnest(@event_ids::uuid[]), unnest(@event_types::text[]), @occurred_at, unnest(@payloads::json[]);

-- name: HasUnnumberedEvents :one
SELECT EXISTS (SELECT 1 FROM events WHERE workspace_id = @workspace_id AND seq IS NULL);

-- name: LockEventHead :one
SELECT * FROM event_heads WHERE workspace_id = @workspace_id FOR UPDATE;

-- NumberEvents needs a snapshot younger than the lock on the head: of two
-- steps the second must see what the first one has numbered.
-- name: NumberEvents :execrows
WITH batch AS (
    SELECT u.event_id, row_number() OVER (ORDER BY u.occurred_at, u.event_id) AS n
    FROM events u
    WHERE u.workspace_id = @workspace_id AND u.seq IS NULL
    ORDER BY u.occurred_at, u.event_id
    LIMIT @row_limit)
UPDATE events e SET seq = batch.n + @last_seq::bigint
FROM batch
WHERE e.workspace_id = @workspace_id AND e.event_id = batch.event_id;

-- name: AdvanceEventHead :exec
UPDATE event_heads SET last_seq = last_seq + @numbered_count::bigint WHERE workspace_id = @workspace_id;

-- name: GetEventHead :one
SELECT * FROM event_heads WHERE workspace_id = @workspace_id;

-- name: ListEvents :many
SELECT workspace_id, event_id, seq::bigint AS seq, type, occurred_at, payload FROM events
WHERE workspace_id = @workspace_id AND seq > @after_seq::bigint
ORDER BY seq
LIMIT @row_limit;

-- FindUnnumbered looks over all workspaces.
-- name: FindUnnumbered :many
SELECT DISTINCT workspace_id FROM events WHERE seq IS NULL;

-- PruneEvents removes the oldest events up to the first that is young enough:
-- what is kept has no hole.
-- name: PruneEvents :one
WITH gone AS (
    DELETE FROM events d
    WHERE d.workspace_id = @workspace_id AND d.seq IN (
        SELECT o.seq FROM events o
        WHERE o.workspace_id = @workspace_id AND o.seq IS NOT NULL AND o.seq < coalesce((
            SELECT f.seq FROM events f
            WHERE f.workspace_id = @workspace_id AND f.seq IS NOT NULL AND f.occurred_at >= @before_at
            ORDER BY f.seq LIMIT 1), 9223372036854775807)
        ORDER BY o.seq LIMIT @row_limit)
    RETURNING d.seq)
SELECT count(*)::bigint AS pruned_count, coalesce(max(seq), 0)::bigint AS last_pruned_seq FROM gone;

-- name: SetOldestEvent :exec
UPDATE event_heads SET oldest_seq = greatest(oldest_seq, @oldest_seq::bigint) WHERE workspace_id = @workspace_id;

-- SendHint tells listening replicas that workspaces have something new. It is
-- a hint, sent outside of every domain transaction.
-- name: SendHint :exec
SELECT pg_notify('recourse_hint', @payload::text);
