-- FindViolations returns no rows, whatever happens: each names a broken
-- invariant that no single row's CHECK can see.
-- name: FindViolations :many
SELECT 'running wakeup without live or lost run' AS violation, w.wakeup_id AS id FROM wakeups w
WHERE w.workspace_id = @workspace_id AND w.status = 'running' AND NOT EXISTS (
    SELECT 1 FROM runs r WHERE r.workspace_id = w.workspace_id AND r.run_id = w.last_run_id AND r.state <> 'settled')
UNION ALL
SELECT 'live run of a wakeup that does not run', r.run_id FROM runs r
    JOIN wakeups w ON w.workspace_id = r.workspace_id AND w.wakeup_id = r.wakeup_id
WHERE r.workspace_id = @workspace_id AND r.state IN ('claimed', 'sending', 'delivered') AND (w.status <> 'running' OR w.last_run_id <> r.run_id)
UNION ALL
SELECT 'lost run that nobody asks about', r.run_id FROM runs r
    JOIN wakeups w ON w.workspace_id = r.workspace_id AND w.wakeup_id = r.wakeup_id
WHERE r.workspace_id = @workspace_id AND r.state = 'lost' AND r.grace_ends_at IS NULL AND w.status = 'running'
UNION ALL
SELECT 'run count differs from runs', w.wakeup_id FROM wakeups w
WHERE w.workspace_id = @workspace_id AND w.run_count <> (
    SELECT count(*) FROM runs r WHERE r.workspace_id = w.workspace_id AND r.wakeup_id = w.wakeup_id)
UNION ALL
SELECT 'open wakeup of an old generation', w.wakeup_id FROM wakeups w
    JOIN sessions s ON s.workspace_id = w.workspace_id AND s.session_id = w.session_id
WHERE w.workspace_id = @workspace_id AND w.status IN ('queued', 'running', 'scheduled_retry', 'parked') AND w.generation <> s.generation
UNION ALL
SELECT 'session state does not fit its newest wakeup', s.session_id FROM sessions s
    JOIN wakeups w ON w.workspace_id = s.workspace_id AND w.session_id = s.session_id AND w.generation = s.generation
    LEFT JOIN runs r ON r.workspace_id = w.workspace_id AND r.run_id = w.last_run_id
WHERE s.workspace_id = @workspace_id AND s.state <> CASE
    WHEN w.status = 'running' AND r.state IN ('claimed', 'sending') THEN 'starting'
    WHEN w.status = 'running' THEN 'running'
    WHEN w.status IN ('failed', 'timed_out') THEN 'failed'
    WHEN w.status = 'cancelled' AND w.status_reason = 'stopped' THEN 'stopped'
    ELSE 'idle' END
UNION ALL
SELECT 'failed run without evidence', r.run_id FROM runs r
WHERE r.workspace_id = @workspace_id AND r.outcome = 'failed' AND NOT EXISTS (
    SELECT 1 FROM run_evidence e WHERE e.workspace_id = r.workspace_id AND e.run_id = r.run_id AND e.evidence IS NOT NULL AND e.decision IS NOT NULL)
UNION ALL
SELECT 'stopped run whose wakeup goes on', r.run_id FROM runs r
    JOIN wakeups w ON w.workspace_id = r.workspace_id AND w.last_run_id = r.run_id
WHERE r.workspace_id = @workspace_id AND r.stop_requested_at IS NOT NULL AND w.status IN ('queued', 'scheduled_retry', 'parked')
UNION ALL
SELECT 'short phase without a live owner', c.owner_wakeup_id FROM cooldowns c
    JOIN wakeups w ON w.workspace_id = c.workspace_id AND w.wakeup_id = c.owner_wakeup_id
    LEFT JOIN runs r ON r.workspace_id = w.workspace_id AND r.run_id = w.last_run_id
WHERE c.workspace_id = @workspace_id AND (w.status NOT IN ('scheduled_retry', 'running') OR w.waits_for_run_id IS NOT NULL
    OR w.status = 'running' AND r.state NOT IN ('claimed', 'sending', 'delivered'))
UNION ALL
SELECT 'prompt of a worker is missing', w.wakeup_id FROM wakeups w
WHERE w.workspace_id = @workspace_id AND (w.delivery = 'worker') <> EXISTS (
    SELECT 1 FROM wakeup_prompts p WHERE p.workspace_id = w.workspace_id AND p.wakeup_id = w.wakeup_id)
UNION ALL
SELECT 'detail row is missing', w.wakeup_id FROM wakeups w
WHERE w.workspace_id = @workspace_id AND NOT EXISTS (
    SELECT 1 FROM wakeup_details d WHERE d.workspace_id = w.workspace_id AND d.wakeup_id = w.wakeup_id);

-- FindSequenceFaults returns the workspace when its event numbers have a gap.
-- name: FindSequenceFaults :many
SELECT h.workspace_id FROM event_heads h
WHERE h.workspace_id = @workspace_id AND h.last_seq - h.oldest_seq + 1 <> (
    SELECT count(*) FROM events e WHERE e.workspace_id = h.workspace_id AND e.seq IS NOT NULL);
