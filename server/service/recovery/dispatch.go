package recovery

import (
	"context"

	"github.com/recourse-dev/recourse/core/work"
)

// BeginSend implements API. The lease is renewed with the grant, so that the
// caller has all of it but the margin.
func (s *Service) BeginSend(ctx context.Context, in work.Lease) (work.Sending, error) {
	run, err := s.store.BeginSend(ctx, in, s.settings)
	if err != nil {
		return work.Sending{}, err
	}
	s.signs.seen()
	return work.Sending{Run: run, SendWithin: s.settings.Lease - s.settings.SendMargin}, nil
}

// MarkDelivered implements API.
func (s *Service) MarkDelivered(ctx context.Context, in work.MarkDelivered) (work.Run, error) {
	run, err := s.store.MarkDelivered(ctx, in, s.settings)
	if err != nil {
		return work.Run{}, err
	}
	s.signs.seen()
	s.stream.Kick(in.WorkspaceID)
	return run, nil
}

// RecordProgress implements API.
func (s *Service) RecordProgress(ctx context.Context, in work.RecordProgress) (work.Run, error) {
	run, err := s.store.RecordProgress(ctx, in, s.settings)
	if err != nil {
		return work.Run{}, err
	}
	s.signs.seen()
	return run, nil
}
