package recovery

import (
	"context"

	"github.com/recourse-dev/recourse/core/access"
	"github.com/recourse-dev/recourse/core/work"
)

// switchBatch is how many wakeups are looked for at a time when the Off switch moves.
const switchBatch = 100

// UpdateWorkspace implements API. When the Off switch moves, what waits follows
// it before the call returns; what is decided meanwhile sees the switch itself.
func (s *Service) UpdateWorkspace(ctx context.Context, in work.UpdateWorkspace) (access.Workspace, error) {
	r, err := requestOf(in.WorkspaceID, in.RequestID, "UpdateWorkspace", in)
	if err != nil {
		return access.Workspace{}, err
	}
	w, err := s.store.UpdateWorkspace(ctx, r, in)
	if err != nil {
		return access.Workspace{}, err
	}
	s.log.InfoContext(ctx, "a person changed a workspace", "workspace_id", w.ID, "actor", in.By,
		"recovery_mode", string(w.RecoveryMode), "recovery_off", w.RecoveryOff)
	s.stream.Kick(w.ID)
	if in.Off == nil {
		return w, nil
	}
	return w, s.followSwitch(ctx, w)
}

// followSwitch brings every waiting wakeup in step with the switch. A call that
// is cut off is finished by the next one.
func (s *Service) followSwitch(ctx context.Context, w access.Workspace) error {
	for moved := true; moved; {
		moved = false
		ids, err := s.store.FindSwitched(ctx, w.ID, w.RecoveryOff, switchBatch)
		if err != nil {
			return err
		}
		for _, id := range ids {
			changed, err := s.store.SwitchWakeup(ctx, w.ID, id, s.settings)
			if err != nil {
				return err
			}
			if changed {
				moved = true
				s.wake(w.ID, id)
			}
		}
	}
	return nil
}
