package recovery

import (
	"context"

	"github.com/recourse-dev/recourse/core/work"
)

// BeginPrompt implements API.
func (s *Service) BeginPrompt(ctx context.Context, in work.BeginPrompt) (work.Begun, error) {
	if err := s.checkPolicy(in.Profile.Policy); err != nil {
		return work.Begun{}, err
	}
	if err := in.CheckPrompt(); err != nil {
		return work.Begun{}, err
	}
	r, err := requestOf(in.WorkspaceID, in.RequestID, "BeginPrompt", in)
	if err != nil {
		return work.Begun{}, err
	}
	ids, err := beginIDs()
	if err != nil {
		return work.Begun{}, err
	}
	begun, err := s.store.BeginPrompt(ctx, r, in, ids)
	if err != nil {
		return work.Begun{}, err
	}
	s.wake(in.WorkspaceID, begun.Wakeup.ID)
	return begun, nil
}

func beginIDs() (ids work.BeginIDs, err error) {
	if ids.SessionID, err = newID(); err != nil {
		return ids, err
	}
	ids.WakeupID, err = newID()
	return ids, err
}

// CancelWait implements API.
func (s *Service) CancelWait(ctx context.Context, in work.CancelWait) (work.Wakeup, error) {
	r, err := requestOf(in.WorkspaceID, in.RequestID, "CancelWait", in)
	if err != nil {
		return work.Wakeup{}, err
	}
	w, err := s.store.CancelWait(ctx, r, in)
	if err != nil {
		return work.Wakeup{}, err
	}
	s.audit(ctx, work.UserCancelWait, in.By, w)
	s.wake(in.WorkspaceID, in.WakeupID)
	return w, nil
}

// wake tells everybody in this process that a wakeup has changed.
func (s *Service) wake(workspaceID, wakeupID string) {
	s.waiters.changed(wakeupID)
	s.due.changed(workspaceID)
	s.stream.Kick(workspaceID)
}
