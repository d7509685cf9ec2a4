-- +goose Up
ALTER TABLE wakeups
    ADD COLUMN delivery text NOT NULL DEFAULT 'caller',
    -- Tries after the worker's host could not start the agent.
    ADD COLUMN runtime_retries int NOT NULL DEFAULT 0,
    -- The run that owns the retries of this provider and model.
    ADD COLUMN waits_for_run_id uuid,
    ADD CONSTRAINT wakeups_delivery CHECK (delivery IN ('caller', 'worker')),
    ADD CONSTRAINT wakeups_runtime_retries CHECK (runtime_retries >= 0),
    ADD CONSTRAINT wakeups_waits_for CHECK (waits_for_run_id IS NULL OR status = 'scheduled_retry'),
    DROP CONSTRAINT wakeups_next_send,
    ADD CONSTRAINT wakeups_next_send CHECK (next_send IN ('prompt', 'continue', 'fresh'));
-- What is due for workers; the finder of the next instant reads its left edge.
CREATE INDEX wakeups_due ON wakeups (workspace_id, due_at, wakeup_id) WHERE delivery = 'worker' AND due_at IS NOT NULL;
-- Who waits for the owner of a short phase.
CREATE INDEX wakeups_waiting ON wakeups (workspace_id, waits_for_run_id, due_at, wakeup_id) WHERE waits_for_run_id IS NOT NULL;
-- What waits or needs a person, the latest change first.
CREATE INDEX wakeups_attention ON wakeups (workspace_id, updated_at, wakeup_id) WHERE attention <> '';
-- What has ended, the longest ago first: history is pruned from there.
CREATE INDEX wakeups_ended ON wakeups (workspace_id, ended_at) WHERE ended_at IS NOT NULL;

-- Prompts are work, not evidence: verbatim, for the claim holder alone.
CREATE TABLE wakeup_prompts (
    workspace_id text NOT NULL,
    wakeup_id    uuid NOT NULL,
    prompt       text NOT NULL,
    CONSTRAINT wakeup_prompts_pkey PRIMARY KEY (workspace_id, wakeup_id),
    CONSTRAINT wakeup_prompts_wakeup FOREIGN KEY (workspace_id, wakeup_id) REFERENCES wakeups (workspace_id, wakeup_id),
    CONSTRAINT wakeup_prompts_bounded CHECK (octet_length(prompt) BETWEEN 1 AND 1048576)
);

ALTER TABLE runs
    ADD COLUMN stop_requested_at timestamptz,
    DROP CONSTRAINT runs_send,
    ADD CONSTRAINT runs_send CHECK (send IN ('prompt', 'continue', 'fresh'));

-- The native sessions that a session has had before its present one.
CREATE TABLE session_natives (
    workspace_id      text NOT NULL,
    session_id        uuid NOT NULL,
    generation        bigint NOT NULL,
    native_session_id text NOT NULL,
    ended_at          timestamptz NOT NULL,
    CONSTRAINT session_natives_pkey PRIMARY KEY (workspace_id, session_id, generation),
    CONSTRAINT session_natives_session FOREIGN KEY (workspace_id, session_id) REFERENCES sessions (workspace_id, session_id)
);

-- The short phase of a provider and model: one run owns its retries, the others
-- wait for it.
CREATE TABLE cooldowns (
    workspace_id    text NOT NULL,
    provider        text NOT NULL,
    model           text NOT NULL,
    owner_wakeup_id uuid NOT NULL,
    owner_run_id    uuid NOT NULL,
    attempt         int NOT NULL,
    profile         text NOT NULL,
    ordinal         int NOT NULL,
    retry_at        timestamptz NOT NULL,
    version         bigint NOT NULL,
    updated_at      timestamptz NOT NULL,
    CONSTRAINT cooldowns_pkey PRIMARY KEY (workspace_id, provider, model),
    CONSTRAINT cooldowns_owner FOREIGN KEY (workspace_id, owner_wakeup_id) REFERENCES wakeups (workspace_id, wakeup_id),
    CONSTRAINT cooldowns_counts CHECK (attempt >= 1 AND ordinal >= 1 AND version >= 1)
);
CREATE INDEX cooldowns_of_owner ON cooldowns (workspace_id, owner_wakeup_id);

-- What all runs of a wakeup leave for a person to decide on: whether any was
-- sent or may have had effects, and the agent's version as the last failure
-- showed it.
CREATE VIEW wakeup_standings AS
SELECT w.workspace_id, w.wakeup_id,
    EXISTS (
        SELECT 1 FROM runs r
        WHERE r.workspace_id = w.workspace_id AND r.wakeup_id = w.wakeup_id AND (r.sending_at IS NOT NULL AND r.outcome <> 'not_sent'
            OR r.assistant_output <> 'none' OR r.tool_activity <> 'none' OR r.partial_result <> 'none'))::boolean AS sent,
    coalesce((
        SELECT e.facts -> 'Agent' ->> 'Version' FROM runs r
            JOIN run_evidence e ON e.workspace_id = r.workspace_id AND e.run_id = r.run_id
        WHERE r.workspace_id = w.workspace_id AND r.wakeup_id = w.wakeup_id AND e.facts IS NOT NULL
        ORDER BY r.ordinal DESC LIMIT 1), '')::text AS agent_version
FROM wakeups w;

-- +goose Down
DROP VIEW wakeup_standings;
DROP TABLE cooldowns;
DROP TABLE session_natives;
ALTER TABLE runs
    DROP CONSTRAINT runs_send,
    ADD CONSTRAINT runs_send CHECK (send IN ('prompt', 'continue')),
    DROP COLUMN stop_requested_at;
DROP TABLE wakeup_prompts;
DROP INDEX wakeups_ended;
DROP INDEX wakeups_attention;
DROP INDEX wakeups_waiting;
DROP INDEX wakeups_due;
ALTER TABLE wakeups
    DROP CONSTRAINT wakeups_next_send,
    ADD CONSTRAINT wakeups_next_send CHECK (next_send IN ('prompt', 'continue')),
    DROP COLUMN waits_for_run_id,
    DROP COLUMN runtime_retries,
    DROP COLUMN delivery;
