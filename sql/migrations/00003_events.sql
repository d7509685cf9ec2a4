-- +goose Up
-- An event is written without a number in the transaction that caused it; a
-- later step numbers committed rows. Readers see numbered rows only.
CREATE TABLE events (
    workspace_id text NOT NULL,
    event_id     uuid NOT NULL,
    seq          bigint,
    type         text NOT NULL,
    occurred_at  timestamptz NOT NULL,
    payload      json NOT NULL,
    CONSTRAINT events_pkey PRIMARY KEY (workspace_id, event_id),
    CONSTRAINT events_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (workspace_id),
    CONSTRAINT events_seq_is_positive CHECK (seq > 0)
) WITH (fillfactor = 90);
-- The fence: two numbering steps can never give one number twice.
CREATE UNIQUE INDEX events_seq ON events (workspace_id, seq) WHERE seq IS NOT NULL;
CREATE INDEX events_unnumbered ON events (workspace_id, occurred_at, event_id) WHERE seq IS NULL;

CREATE TABLE event_heads (
    workspace_id text NOT NULL,
    last_seq     bigint NOT NULL,
    oldest_seq   bigint NOT NULL,
    CONSTRAINT event_heads_pkey PRIMARY KEY (workspace_id),
    CONSTRAINT event_heads_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (workspace_id),
    CONSTRAINT event_heads_order CHECK (last_seq >= 0 AND oldest_seq >= 1 AND oldest_seq <= last_seq + 1)
);

-- +goose Down
DROP TABLE event_heads;
DROP TABLE events;
