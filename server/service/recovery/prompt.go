package recovery

import (
	"context"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/work"
)

// BeginPrompt implements API.
func (s *Service) BeginPrompt(ctx context.Context, in work.BeginPrompt) (work.Begun, error) {
	if err := s.checkPolicy(in.Profile.Policy); err != nil {
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
	s.stream.Kick(in.WorkspaceID)
	return begun, nil
}

func beginIDs() (ids work.BeginIDs, err error) {
	if ids.SessionID, err = newID(); err != nil {
		return ids, err
	}
	ids.WakeupID, err = newID()
	return ids, err
}

func (s *Service) checkPolicy(p work.PolicyChoice) error {
	switch p.Preset {
	case "", work.PresetInteractive:
		return nil
	case work.PresetPatient:
		bounds := s.settings.Policy
		if p.MaxWait != 0 && (p.MaxWait < bounds.MinWait || p.MaxWait > bounds.MaxWait) {
			return fault.Invalid("profile.policy.max_wait", "must be between %s and %s", bounds.MinWait, bounds.MaxWait)
		}
		return nil
	}
	return fault.Invalid("profile.policy.preset", "must be %s or %s", work.PresetInteractive, work.PresetPatient)
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
	s.wake(in.WorkspaceID, in.WakeupID)
	return w, nil
}

// wake tells everybody in this process that a wakeup has changed.
func (s *Service) wake(workspaceID, wakeupID string) {
	s.waiters.changed(wakeupID)
	s.stream.Kick(workspaceID)
}
