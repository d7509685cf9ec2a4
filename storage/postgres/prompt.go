package postgres

import (
	"context"

	"github.com/google/uuid"

	"github.com/recourse-dev/recourse/core/work"
	"github.com/recourse-dev/recourse/storage/postgres/internal/dbsqlc"
)

// keepPrompt stores the prompt of a wakeup that workers deliver.
func (t *tx) keepPrompt(ctx context.Context, w work.Wakeup, prompt string) error {
	if w.Delivery != work.DeliveryWorker {
		return nil
	}
	return t.later.InsertPrompt(ctx, dbsqlc.InsertPromptParams{WorkspaceID: w.WorkspaceID, WakeupID: uuid.MustParse(w.ID), Prompt: prompt})
}

// payload is what a claimed run sends, "" when its caller has the prompt.
func (t *tx) payload(ctx context.Context, w work.Wakeup, r work.Run) (string, error) {
	if w.Delivery != work.DeliveryWorker {
		return "", nil
	}
	if r.Send == work.SendContinue {
		return work.Payload(r.Send, ""), nil
	}
	prompts, err := promptsOf(ctx, t.Queries, w.WorkspaceID, []uuid.UUID{uuid.MustParse(w.ID)})
	return work.Payload(r.Send, prompts[w.ID]), err
}

// promptsOf reads prompts, by wakeup.
func promptsOf(ctx context.Context, q *dbsqlc.Queries, workspaceID string, ids []uuid.UUID) (map[string]string, error) {
	rows, err := q.GetPrompts(ctx, dbsqlc.GetPromptsParams{WorkspaceID: workspaceID, WakeupIds: ids})
	out := make(map[string]string, len(rows))
	for _, r := range rows {
		out[r.WakeupID.String()] = r.Prompt
	}
	return out, err
}
