-- +goose Up
-- The Off switch: no attempt follows a failure by itself.
ALTER TABLE workspaces ADD COLUMN recovery_off boolean NOT NULL DEFAULT false;
-- Decisions that can be replayed, newest first.
CREATE INDEX run_evidence_replayable ON run_evidence (workspace_id, decided_at, run_id) WHERE jitter IS NOT NULL;

-- +goose Down
DROP INDEX run_evidence_replayable;
ALTER TABLE workspaces DROP COLUMN recovery_off;
