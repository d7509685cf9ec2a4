-- Prompts are kept apart from the wakeups: they are large, and read once a claim.
-- name: InsertPrompt :exec
INSERT INTO wakeup_prompts (workspace_id, wakeup_id, prompt)
VALUES (@workspace_id, @wakeup_id, @prompt);

-- CopyPrompt gives a later wakeup of the session the prompt of an earlier one.
-- name: CopyPrompt :exec
INSERT INTO wakeup_prompts (workspace_id, wakeup_id, prompt)
SELECT @workspace_id, @to_wakeup_id::uuid, p.prompt FROM wakeup_prompts p
WHERE p.workspace_id = @workspace_id AND p.wakeup_id = @wakeup_id;

-- name: GetPrompts :many
SELECT wakeup_id, prompt FROM wakeup_prompts
WHERE workspace_id = @workspace_id AND wakeup_id = ANY (@wakeup_ids::uuid[]);
