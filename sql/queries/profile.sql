-- InsertProfile makes no row where one is. It names no constraint: of two calls
-- at once the later may meet either of the unique ones.
-- name: InsertProfile :execrows
INSERT INTO profiles (workspace_id, profile_id, kind, display_name, labels, spec, version, created_at, updated_at)
VALUES (@workspace_id, @profile_id, @kind, @display_name, @labels, @spec, @version, @created_at, @updated_at)
ON CONFLICT DO NOTHING;

-- GetProfile reads a profile with its candidates at one instant.
-- name: GetProfile :one
SELECT sqlc.embed(p), coalesce((
    SELECT json_agg(json_build_object('profile_id', c.candidate_id, 'policies', c.policies) ORDER BY c.position)
    FROM profile_candidates c WHERE c.workspace_id = p.workspace_id AND c.profile_id = p.profile_id), '[]')::json AS candidates
FROM profiles p
WHERE p.workspace_id = @workspace_id AND p.profile_id = @profile_id;

-- name: ListProfiles :many
SELECT sqlc.embed(p), coalesce((
    SELECT json_agg(json_build_object('profile_id', c.candidate_id, 'policies', c.policies) ORDER BY c.position)
    FROM profile_candidates c WHERE c.workspace_id = p.workspace_id AND c.profile_id = p.profile_id), '[]')::json AS candidates
FROM profiles p
WHERE p.workspace_id = @workspace_id AND p.profile_id > @after_id::text AND (@kind::text = '' OR p.kind = @kind)
ORDER BY p.profile_id
LIMIT @row_limit;

-- LockProfile keeps the profile from being changed, or made a candidate, until
-- the transaction ends. What it says is read after it.
-- name: LockProfile :one
SELECT profile_id FROM profiles
WHERE workspace_id = @workspace_id AND profile_id = @profile_id
FOR UPDATE;

-- LockCandidates keeps candidates from being deleted until the transaction ends.
-- name: LockCandidates :many
SELECT profile_id, kind FROM profiles
WHERE workspace_id = @workspace_id AND profile_id = ANY (@profile_ids::text[])
ORDER BY profile_id
FOR KEY SHARE;

-- name: UpdateProfile :exec
UPDATE profiles
SET display_name = @display_name, labels = @labels, spec = @spec, version = @version, updated_at = @updated_at
WHERE workspace_id = @workspace_id AND profile_id = @profile_id AND version = @old_version;

-- name: DeleteCandidates :exec
DELETE FROM profile_candidates WHERE workspace_id = @workspace_id AND profile_id = @profile_id;

-- name: InsertCandidates :exec
INSERT INTO profile_candidates (workspace_id, profile_id, position, candidate_id, policies)
SELECT @workspace_id, @profile_id, unnest(@positions::int[]), unnest(@candidate_ids::text[]), unnest(@policies::json[]);

-- DeleteProfile takes the candidates of a dynamic profile with it.
-- name: DeleteProfile :exec
DELETE FROM profiles WHERE workspace_id = @workspace_id AND profile_id = @profile_id AND version = @old_version;

-- ListDependents returns the dynamic profiles that have a profile as a candidate.
-- name: ListDependents :many
SELECT profile_id, count(*) OVER () AS total_count FROM profile_candidates
WHERE workspace_id = @workspace_id AND candidate_id = @candidate_id
ORDER BY profile_id
LIMIT @row_limit;
