package postgres

import (
	"context"
	"errors"

	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
	"github.com/recourse-dev/recourse/storage/postgres/internal/dbsqlc"
)

// RenewLease extends a lease, and says when it ends now and whether somebody
// asked to end the run.
func (s *Store) RenewLease(ctx context.Context, in work.Lease, settings recovery.Settings) (work.Renewed, error) {
	renewed, err := s.renew(ctx, in, settings)
	if err == nil {
		return renewed, nil
	}
	if !errors.Is(err, errNoRows) {
		return work.Renewed{}, asFault(err)
	}
	// It was not renewed; the state machine says why. If it would renew it
	// now, the state changed in between.
	run, err := s.onRun(ctx, in, func(l work.Locked) (work.Change, error) { return work.Heartbeat(l, in.Token, settings) })
	return work.Renewed{LeaseExpiresAt: run.LeaseExpiresAt, Lease: settings.Lease, StopRequested: !run.StopRequestedAt.IsZero()}, err
}

// renew is one statement, so that heartbeats stay cheap.
func (s *Store) renew(ctx context.Context, in work.Lease, settings recovery.Settings) (work.Renewed, error) {
	id, err := idOf(in.RunID)
	if err != nil {
		return work.Renewed{}, err
	}
	var row dbsqlc.RenewLeaseRow
	try := func() error {
		row, err = s.queries().RenewLease(ctx, dbsqlc.RenewLeaseParams{
			WorkspaceID: in.WorkspaceID, RunID: id, TokenHash: work.HashToken(in.Token),
			LeaseSeconds: settings.Lease.Seconds(), Now: s.at(),
		})
		return err
	}
	// Renewing twice is the same as once, so a lost connection may be retried.
	again := func(err error) bool { return !errors.Is(err, errNoRows) && (repeatable(err) || lostConnection(err)) }
	if err := s.repeatRaw(ctx, again, try); err != nil {
		return work.Renewed{}, err
	}
	return work.Renewed{
		LeaseExpiresAt: instantOf(row.LeaseExpiresAt), Lease: settings.Lease, StopRequested: row.StopRequestedAt != nil,
	}, nil
}
