-- +goose Up
CREATE TABLE workspaces (
    workspace_id  text NOT NULL,
    display_name  text NOT NULL,
    recovery_mode text NOT NULL DEFAULT 'policy',
    created_at    timestamptz NOT NULL,
    CONSTRAINT workspaces_pkey PRIMARY KEY (workspace_id),
    CONSTRAINT workspaces_id_is_slug CHECK (workspace_id ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
    CONSTRAINT workspaces_recovery_mode CHECK (recovery_mode IN ('policy', 'terminal'))
);

CREATE TABLE api_tokens (
    workspace_id   text NOT NULL,
    token_id       text NOT NULL,
    token_hash     bytea NOT NULL,
    display_name   text NOT NULL,
    role           text NOT NULL,
    instance_admin boolean NOT NULL,
    is_session     boolean NOT NULL,
    created_at     timestamptz NOT NULL,
    expires_at     timestamptz,
    last_used_at   timestamptz,
    revoked_at     timestamptz,
    CONSTRAINT api_tokens_pkey PRIMARY KEY (workspace_id, token_id),
    CONSTRAINT api_tokens_hash UNIQUE (workspace_id, token_hash),
    CONSTRAINT api_tokens_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (workspace_id),
    CONSTRAINT api_tokens_role CHECK (role IN ('viewer', 'member', 'admin', 'worker')),
    CONSTRAINT api_tokens_hash_is_sha256 CHECK (octet_length(token_hash) = 32),
    -- A browser's credential always ends by itself.
    CONSTRAINT api_tokens_session_expires CHECK (NOT is_session OR expires_at IS NOT NULL)
);

CREATE TABLE login_codes (
    workspace_id text NOT NULL,
    code_hash    bytea NOT NULL,
    token_id     text NOT NULL,
    created_at   timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    used_at      timestamptz,
    CONSTRAINT login_codes_pkey PRIMARY KEY (workspace_id, code_hash),
    CONSTRAINT login_codes_token FOREIGN KEY (workspace_id, token_id) REFERENCES api_tokens (workspace_id, token_id),
    CONSTRAINT login_codes_hash_is_sha256 CHECK (octet_length(code_hash) = 32)
);

-- The first answer to each request id, for 24 hours.
CREATE TABLE request_log (
    workspace_id text NOT NULL,
    request_id   text NOT NULL,
    body_hash    bytea NOT NULL,
    answer       json,
    created_at   timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    CONSTRAINT request_log_pkey PRIMARY KEY (workspace_id, request_id)
);
CREATE INDEX request_log_expiry ON request_log (workspace_id, expires_at);

-- +goose Down
DROP TABLE request_log;
DROP TABLE login_codes;
DROP TABLE api_tokens;
DROP TABLE workspaces;
