-- +goose Up
-- How agents are run. A profile keeps its kind for good, so that a reference
-- to one can hold it.
CREATE TABLE profiles (
    workspace_id text NOT NULL,
    profile_id   text NOT NULL,
    kind         text NOT NULL,
    display_name text NOT NULL,
    labels       json NOT NULL,
    -- Of a dynamic profile without its candidates.
    spec         json NOT NULL,
    version      bigint NOT NULL,
    created_at   timestamptz NOT NULL,
    updated_at   timestamptz NOT NULL,
    CONSTRAINT profiles_pkey PRIMARY KEY (workspace_id, profile_id),
    CONSTRAINT profiles_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (workspace_id),
    CONSTRAINT profiles_of_kind UNIQUE (workspace_id, profile_id, kind),
    CONSTRAINT profiles_id_is_name CHECK (profile_id ~ '^[a-z][a-z0-9-]{0,62}$'),
    CONSTRAINT profiles_kind CHECK (kind IN ('concrete', 'dynamic')),
    CONSTRAINT profiles_version CHECK (version >= 1)
);

-- The candidates of a dynamic profile, from the first choice on.
CREATE TABLE profile_candidates (
    workspace_id   text NOT NULL,
    profile_id     text NOT NULL,
    position       int NOT NULL,
    candidate_id   text NOT NULL,
    policies       json NOT NULL,
    profile_kind   text NOT NULL DEFAULT 'dynamic',
    candidate_kind text NOT NULL DEFAULT 'concrete',
    CONSTRAINT profile_candidates_pkey PRIMARY KEY (workspace_id, profile_id, position),
    CONSTRAINT profile_candidates_once UNIQUE (workspace_id, profile_id, candidate_id),
    -- Only a dynamic profile has candidates, and only concrete ones: so none is its own.
    CONSTRAINT profile_candidates_kinds CHECK (profile_kind = 'dynamic' AND candidate_kind = 'concrete'),
    CONSTRAINT profile_candidates_profile FOREIGN KEY (workspace_id, profile_id, profile_kind)
        REFERENCES profiles (workspace_id, profile_id, kind) ON DELETE CASCADE,
    CONSTRAINT profile_candidates_candidate FOREIGN KEY (workspace_id, candidate_id, candidate_kind)
        REFERENCES profiles (workspace_id, profile_id, kind),
    CONSTRAINT profile_candidates_position CHECK (position BETWEEN 1 AND 16)
);
-- Who depends on a profile.
CREATE INDEX profile_candidates_of ON profile_candidates (workspace_id, candidate_id, profile_id);

-- +goose Down
DROP TABLE profile_candidates;
DROP TABLE profiles;
