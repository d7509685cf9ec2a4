package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
	"github.com/recourse-dev/recourse/storage/postgres/internal/dbsqlc"
)

// NextDue says when the first is due of what workers deliver, after a low-water
// mark and for workers on these hosts: zero if nothing waits.
func (s *Store) NextDue(ctx context.Context, workspaceID string, after time.Time, hostIDs []string) (work.NextDue, error) {
	var next work.NextDue
	err := s.read(ctx, func(ctx context.Context, q *dbsqlc.Queries) error {
		row, err := q.NextDue(ctx, dbsqlc.NextDueParams{WorkspaceID: workspaceID, After: after, HostIds: notNil(hostIDs), Now: s.at()})
		if errors.Is(err, errNoRows) {
			next = work.NextDue{}
			return nil
		}
		next = work.NextDue{DueAt: instantOf(row.DueAt), Now: row.Now.UTC()}
		return err
	})
	return next, err
}

// ClaimDue makes runs of what is due, the oldest first, one for each slot at
// most. It waits for no lock: what somebody else holds is his.
func (s *Store) ClaimDue(ctx context.Context, in work.ClaimDue) (work.DueClaims, error) {
	var out work.DueClaims
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		out = work.DueClaims{}
		found, err := t.findDue(ctx, in, &out)
		if err != nil || len(found) == 0 {
			return err
		}
		due, prompts, err := t.lockDue(ctx, in.WorkspaceID, found, &out)
		if err != nil {
			return err
		}
		return t.claimEach(ctx, due, in.Slots, prompts, &out)
	})
	return out, err
}

func (t *tx) claimEach(ctx context.Context, due []work.Locked, slots []work.ClaimRequest, prompts map[string]string, out *work.DueClaims) error {
	var events []work.Event
	for _, c := range work.ClaimEach(due, slots) {
		events = append(events, c.Events...)
		c.Events = nil // all of them travel in one statement
		after, err := t.apply(ctx, c.Locked, c.Change)
		if err != nil {
			return err
		}
		if c.NewRun {
			claim := work.Claim{Wakeup: after.Wakeup, Run: after.Run, Payload: work.Payload(after.Run.Send, prompts[after.Wakeup.ID])}
			out.Claims = append(out.Claims, work.SlotClaim{Claim: claim, Slot: c.Slot})
		}
	}
	if len(events) == 0 {
		return nil
	}
	return t.emit(ctx, due[0].Session.WorkspaceID, out.Now, events)
}

// findDue locks the wakeups that are due, and finds out when the next one is.
func (t *tx) findDue(ctx context.Context, in work.ClaimDue, out *work.DueClaims) (found []dbsqlc.Wakeup, err error) {
	hosts := in.HostIDs()
	err = t.together(ctx,
		func(q *dbsqlc.Queries) error {
			rows, err := q.LockDue(ctx, dbsqlc.LockDueParams{
				WorkspaceID: in.WorkspaceID, After: in.After, HostIds: hosts, RowLimit: int32(len(in.Slots)), Now: t.store.at(),
			})
			for _, r := range rows {
				found = append(found, r.Wakeup)
			}
			return err
		},
		func(q *dbsqlc.Queries) error {
			row, err := q.NextLater(ctx, dbsqlc.NextLaterParams{WorkspaceID: in.WorkspaceID, HostIds: hosts, Now: t.store.at()})
			if errors.Is(err, errNoRows) {
				return nil
			}
			out.Next = work.NextDue{DueAt: instantOf(row.DueAt), Now: row.Now.UTC()}
			return err
		})
	if n := len(found); n > 0 {
		out.Found, out.LastDueAt = n, instantOf(found[n-1].DueAt)
	}
	return found, err
}

// lockDue locks the sessions of what was found, reads what belongs to them, and
// the clock after that. What others hold is left out.
func (t *tx) lockDue(ctx context.Context, workspaceID string, found []dbsqlc.Wakeup, out *work.DueClaims) (due []work.Locked, prompts map[string]string, err error) {
	ids, sessionIDs, prompting := make([]uuid.UUID, len(found)), make([]uuid.UUID, len(found)), []uuid.UUID{}
	for i, w := range found {
		ids[i], sessionIDs[i] = w.WakeupID, w.SessionID
		if w.NextSend != string(work.SendContinue) {
			prompting = append(prompting, w.WakeupID)
		}
	}
	var sessions map[uuid.UUID]work.Locked
	var details map[uuid.UUID]detail
	err = t.together(ctx,
		func(q *dbsqlc.Queries) (err error) {
			sessions, err = lockSessions(ctx, q, workspaceID, sessionIDs)
			return err
		},
		func(q *dbsqlc.Queries) (err error) { details, err = detailsOf(ctx, q, workspaceID, ids); return err },
		func(q *dbsqlc.Queries) (err error) {
			prompts, err = promptsOf(ctx, q, workspaceID, prompting)
			return err
		},
		func(q *dbsqlc.Queries) error {
			now, err := q.ReadClock(ctx, t.store.at())
			out.Now = now.UTC()
			return err
		})
	if err != nil {
		return nil, nil, err
	}
	for _, w := range found {
		l, ok := sessions[w.SessionID]
		if !ok {
			continue
		}
		l.Wakeup, l.Now = wakeupOf(w), out.Now
		l.Wakeup.SessionState = l.Session.State
		if err := details[w.WakeupID].into(&l.Wakeup); err != nil {
			return nil, nil, err
		}
		due = append(due, l)
	}
	return due, prompts, t.lockCooldowns(ctx, due)
}

func lockSessions(ctx context.Context, q *dbsqlc.Queries, workspaceID string, ids []uuid.UUID) (map[uuid.UUID]work.Locked, error) {
	rows, err := q.LockSessions(ctx, dbsqlc.LockSessionsParams{WorkspaceID: workspaceID, SessionIds: ids})
	out := make(map[uuid.UUID]work.Locked, len(rows))
	for _, r := range rows {
		out[r.Session.SessionID] = work.Locked{Session: sessionOf(r.Session), Mode: recovery.Mode(r.RecoveryMode), RecoveryOff: r.RecoveryOff}
	}
	return out, err
}

// detail is a row of wakeup_details.
type detail dbsqlc.WakeupDetail

func (d detail) into(w *work.Wakeup) error {
	return details(w, d.Profile, d.LastClassification, d.LastDecision, d.ErrorMessage)
}

func detailsOf(ctx context.Context, q *dbsqlc.Queries, workspaceID string, ids []uuid.UUID) (map[uuid.UUID]detail, error) {
	rows, err := q.GetDetails(ctx, dbsqlc.GetDetailsParams{WorkspaceID: workspaceID, WakeupIds: ids})
	out := make(map[uuid.UUID]detail, len(rows))
	for _, r := range rows {
		out[r.WakeupID] = detail(r)
	}
	return out, err
}

// ReleaseRun gives back a run of which nothing was sent: its wakeup is due again.
func (s *Store) ReleaseRun(ctx context.Context, in work.Lease, settings recovery.Settings) (work.Run, error) {
	return s.onRun(ctx, in, func(l work.Locked) (work.Change, error) { return work.Release(l, in.Token, settings) })
}
