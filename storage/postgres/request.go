package postgres

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/work"
	"github.com/recourse-dev/recourse/storage/postgres/internal/dbsqlc"
)

// answerOnce runs a use case unless its request id has an answer already; then that
// answer is given again. A concurrent call with the same id waits for it. An
// error leaves no answer: the next call tries again.
func answerOnce[T any](ctx context.Context, s *Store, r work.Request, do func(context.Context, *tx) (T, error)) (answer T, replayed bool, err error) {
	err = s.write(ctx, func(ctx context.Context, t *tx) error {
		answer, replayed = *new(T), false
		if r.ID == "" {
			answer, err = do(ctx, t)
			return err
		}
		_, err := t.ReserveRequest(ctx, dbsqlc.ReserveRequestParams{WorkspaceID: r.WorkspaceID, RequestID: r.ID, BodyHash: r.BodyHash, Now: s.at()})
		if errors.Is(err, errNoRows) {
			replayed = true
			return t.firstAnswer(ctx, r, &answer)
		}
		if err != nil {
			return err
		}
		if answer, err = do(ctx, t); err != nil {
			return err
		}
		raw, err := json.Marshal(answer)
		if err != nil {
			return err
		}
		return t.later.SaveAnswer(ctx, dbsqlc.SaveAnswerParams{WorkspaceID: r.WorkspaceID, RequestID: r.ID, Answer: raw})
	})
	return answer, replayed, err
}

func (t *tx) firstAnswer(ctx context.Context, r work.Request, answer any) error {
	row, err := t.GetRequest(ctx, dbsqlc.GetRequestParams{WorkspaceID: r.WorkspaceID, RequestID: r.ID})
	if errors.Is(err, errNoRows) {
		return errMoved // it was pruned between the two statements
	}
	if err != nil {
		return err
	}
	if !bytes.Equal(row.BodyHash, r.BodyHash) {
		return fault.New(fault.InvalidArgument, fault.ReasonRequestIDReused, "request id %q was used with another body", r.ID).With("request_id", r.ID)
	}
	return json.Unmarshal(row.Answer, answer)
}
