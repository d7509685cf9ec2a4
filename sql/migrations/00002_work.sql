-- +goose Up
CREATE TABLE sessions (
    workspace_id      text NOT NULL,
    session_id        uuid NOT NULL,
    state             text NOT NULL,
    generation        bigint NOT NULL,
    native_session_id text NOT NULL,
    -- The native session has had a reply: some agents save nothing before one.
    replied           boolean NOT NULL,
    version           bigint NOT NULL,
    created_at        timestamptz NOT NULL,
    updated_at        timestamptz NOT NULL,
    CONSTRAINT sessions_pkey PRIMARY KEY (workspace_id, session_id),
    CONSTRAINT sessions_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (workspace_id),
    CONSTRAINT sessions_state CHECK (state IN ('idle', 'starting', 'running', 'waiting_for_input', 'failed', 'stopped')),
    CONSTRAINT sessions_generation CHECK (generation >= 1),
    CONSTRAINT sessions_version CHECK (version >= 1)
) WITH (fillfactor = 80);

-- The hot row of a wakeup; what is large and rarely read is in wakeup_details.
CREATE TABLE wakeups (
    workspace_id      text NOT NULL,
    wakeup_id         uuid NOT NULL,
    session_id        uuid NOT NULL,
    generation        bigint NOT NULL,
    status            text NOT NULL,
    status_reason     text NOT NULL,
    source            text NOT NULL,
    due_at            timestamptz,
    attention         text NOT NULL,
    run_count         int NOT NULL,
    transient_retries int NOT NULL,
    transient_waited  boolean NOT NULL,
    hard_retries      int NOT NULL,
    hard_waited       boolean NOT NULL,
    park_count        int NOT NULL,
    -- All time that was waited for resets and parks, over all route cycles.
    waited_us         bigint NOT NULL,
    last_run_id       uuid,
    last_code         text NOT NULL,
    supervisor_id     text NOT NULL,
    host_id           text NOT NULL,
    next_send         text NOT NULL,
    native_session_id text NOT NULL,
    version           bigint NOT NULL,
    created_at        timestamptz NOT NULL,
    updated_at        timestamptz NOT NULL,
    ended_at          timestamptz,
    CONSTRAINT wakeups_pkey PRIMARY KEY (workspace_id, wakeup_id),
    CONSTRAINT wakeups_session FOREIGN KEY (workspace_id, session_id) REFERENCES sessions (workspace_id, session_id),
    CONSTRAINT wakeups_status CHECK (status IN ('queued', 'running', 'scheduled_retry', 'parked', 'completed', 'failed', 'timed_out', 'cancelled')),
    CONSTRAINT wakeups_attention CHECK (attention IN ('', 'deadline', 'person')),
    CONSTRAINT wakeups_next_send CHECK (next_send IN ('prompt', 'continue')),
    CONSTRAINT wakeups_counts CHECK (run_count >= 0 AND transient_retries >= 0 AND hard_retries >= 0 AND park_count >= 0 AND waited_us >= 0),
    CONSTRAINT wakeups_version CHECK (version >= 1),
    -- Nothing waits for ever: a wait has an instant, or a person who is asked.
    CONSTRAINT wakeups_wait_is_owned CHECK (
        CASE status
            WHEN 'queued' THEN due_at IS NOT NULL AND attention = ''
            WHEN 'scheduled_retry' THEN due_at IS NOT NULL AND attention = 'deadline'
            WHEN 'parked' THEN (due_at IS NOT NULL AND attention = 'deadline') OR (due_at IS NULL AND attention = 'person')
            WHEN 'failed' THEN due_at IS NULL AND attention = 'person' AND status_reason <> ''
            WHEN 'timed_out' THEN due_at IS NULL AND attention = 'person' AND status_reason <> ''
            ELSE due_at IS NULL AND attention = ''
        END),
    CONSTRAINT wakeups_run_is_known CHECK ((run_count > 0) = (last_run_id IS NOT NULL) AND (status NOT IN ('running', 'scheduled_retry') OR run_count > 0)),
    CONSTRAINT wakeups_ended CHECK ((status IN ('completed', 'failed', 'timed_out', 'cancelled')) = (ended_at IS NOT NULL))
) WITH (fillfactor = 80);
-- What a new prompt supersedes.
CREATE INDEX wakeups_open ON wakeups (workspace_id, session_id) WHERE status IN ('queued', 'running', 'scheduled_retry', 'parked');
CREATE INDEX wakeups_of_session ON wakeups (workspace_id, session_id, wakeup_id);

CREATE TABLE wakeup_details (
    workspace_id        text NOT NULL,
    wakeup_id           uuid NOT NULL,
    profile             json NOT NULL,
    last_classification json,
    last_decision       json,
    error_message       text NOT NULL,
    CONSTRAINT wakeup_details_pkey PRIMARY KEY (workspace_id, wakeup_id),
    CONSTRAINT wakeup_details_wakeup FOREIGN KEY (workspace_id, wakeup_id) REFERENCES wakeups (workspace_id, wakeup_id),
    CONSTRAINT wakeup_details_error_message_bounded CHECK (octet_length(error_message) <= 65536)
);

-- The hot row of a run: heartbeats change no indexed column, so that they stay
-- on their page.
CREATE TABLE runs (
    workspace_id      text NOT NULL,
    run_id            uuid NOT NULL,
    wakeup_id         uuid NOT NULL,
    session_id        uuid NOT NULL,
    generation        bigint NOT NULL,
    ordinal           int NOT NULL,
    state             text NOT NULL,
    outcome           text NOT NULL,
    send              text NOT NULL,
    supervisor_id     text NOT NULL,
    host_id           text NOT NULL,
    token_hash        bytea NOT NULL,
    lease_expires_at  timestamptz,
    grace_ends_at     timestamptz,
    heartbeat_at      timestamptz NOT NULL,
    -- A reconciler owes this run something once lease or grace has passed.
    watched           boolean NOT NULL,
    claimed_at        timestamptz NOT NULL,
    sending_at        timestamptz,
    delivered_at      timestamptz,
    settled_at        timestamptz,
    assistant_output  text NOT NULL,
    tool_activity     text NOT NULL,
    partial_result    text NOT NULL,
    delivery          text NOT NULL,
    native_session_id text NOT NULL,
    cost_usd          double precision NOT NULL,
    late              boolean NOT NULL,
    version           bigint NOT NULL,
    CONSTRAINT runs_pkey PRIMARY KEY (workspace_id, run_id),
    CONSTRAINT runs_wakeup FOREIGN KEY (workspace_id, wakeup_id) REFERENCES wakeups (workspace_id, wakeup_id),
    CONSTRAINT runs_ordinal UNIQUE (workspace_id, wakeup_id, ordinal),
    CONSTRAINT runs_state CHECK (state IN ('claimed', 'sending', 'delivered', 'settled', 'lost')),
    CONSTRAINT runs_outcome CHECK (outcome IN ('', 'succeeded', 'failed', 'not_sent', 'ambiguous', 'cancelled')),
    CONSTRAINT runs_send CHECK (send IN ('prompt', 'continue')),
    CONSTRAINT runs_effects CHECK (assistant_output IN ('', 'none', 'seen') AND tool_activity IN ('', 'none', 'seen')
        AND partial_result IN ('', 'none', 'seen') AND delivery IN ('', 'acknowledged', 'ambiguous')),
    CONSTRAINT runs_token_is_sha256 CHECK (octet_length(token_hash) = 32),
    CONSTRAINT runs_lease_is_live CHECK ((state IN ('claimed', 'sending', 'delivered')) = (lease_expires_at IS NOT NULL)),
    CONSTRAINT runs_grace_is_lost CHECK (grace_ends_at IS NULL OR state = 'lost'),
    CONSTRAINT runs_watched CHECK (watched = (lease_expires_at IS NOT NULL OR grace_ends_at IS NOT NULL)),
    CONSTRAINT runs_settled CHECK ((state = 'settled') = (settled_at IS NOT NULL)),
    CONSTRAINT runs_settled_has_outcome CHECK (state <> 'settled' OR outcome <> ''),
    CONSTRAINT runs_sent CHECK (state NOT IN ('sending', 'delivered', 'lost') OR sending_at IS NOT NULL),
    CONSTRAINT runs_delivered CHECK (state <> 'delivered' OR delivered_at IS NOT NULL)
) WITH (fillfactor = 70);
CREATE UNIQUE INDEX runs_one_live_per_session ON runs (workspace_id, session_id) WHERE state IN ('claimed', 'sending', 'delivered');
CREATE INDEX runs_watched ON runs (workspace_id, run_id) WHERE watched;

-- What one run left: written once per report, read on demand. With facts and
-- jitter a decision can be replayed.
CREATE TABLE run_evidence (
    workspace_id   text NOT NULL,
    run_id         uuid NOT NULL,
    evidence       json,
    classification json,
    decision       json,
    facts          json,
    jitter         double precision,
    decided_at     timestamptz NOT NULL,
    CONSTRAINT run_evidence_pkey PRIMARY KEY (workspace_id, run_id),
    CONSTRAINT run_evidence_run FOREIGN KEY (workspace_id, run_id) REFERENCES runs (workspace_id, run_id)
);

-- +goose Down
DROP TABLE run_evidence;
DROP TABLE runs;
DROP TABLE wakeup_details;
DROP TABLE wakeups;
DROP TABLE sessions;
