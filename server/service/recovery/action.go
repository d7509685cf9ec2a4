package recovery

import (
	"context"

	"github.com/recourse-dev/recourse/core/work"
)

// RetryNow implements API.
func (s *Service) RetryNow(ctx context.Context, in work.RetryNow) (work.Wakeup, error) {
	r, err := requestOf(in.WorkspaceID, in.RequestID, "RetryNow", in)
	if err != nil {
		return work.Wakeup{}, err
	}
	w, err := s.store.RetryNow(ctx, r, in)
	if err != nil {
		return work.Wakeup{}, err
	}
	s.audit(ctx, work.UserRetryNow, in.By, w)
	s.wake(in.WorkspaceID, in.WakeupID)
	return w, nil
}

// StopRun implements API.
func (s *Service) StopRun(ctx context.Context, in work.StopRun) (work.Stopped, error) {
	r, err := requestOf(in.WorkspaceID, in.RequestID, "StopRun", in)
	if err != nil {
		return work.Stopped{}, err
	}
	stopped, err := s.store.StopRun(ctx, r, in)
	if err != nil {
		return work.Stopped{}, err
	}
	s.audit(ctx, work.UserStopRun, in.By, stopped.Wakeup)
	s.waiters.changed(in.RunID)
	s.wake(in.WorkspaceID, stopped.Wakeup.ID)
	return stopped, nil
}

// GoOn implements API.
func (s *Service) GoOn(ctx context.Context, in work.GoOn) (work.Begun, error) {
	action := work.UserResumeSession
	if in.Fresh {
		action = work.UserStartFresh
	}
	r, err := requestOf(in.WorkspaceID, in.RequestID, string(action), in)
	if err != nil {
		return work.Begun{}, err
	}
	id, err := newID()
	if err != nil {
		return work.Begun{}, err
	}
	begun, err := s.store.GoOn(ctx, r, in, id)
	if err != nil {
		return work.Begun{}, err
	}
	s.audit(ctx, action, in.By, begun.Wakeup)
	s.stream.Kick(in.WorkspaceID)
	return begun, nil
}

// audit tells the log what the event tells everybody else.
func (s *Service) audit(ctx context.Context, action work.UserAction, by string, w work.Wakeup) {
	s.log.InfoContext(ctx, "a person acted", "action", string(action), "actor", by,
		"workspace_id", w.WorkspaceID, "session_id", w.SessionID, "wakeup_id", w.ID)
}
