package postgres

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
	"github.com/recourse-dev/recourse/storage/postgres/internal/dbsqlc"
)

// releaseBatch bounds how many waiting wakeups one transaction moves. What is
// left over keeps its own instant, and looks for itself when it is claimed.
const releaseBatch = 1000

// lockCooldown locks the short phase that a locked wakeup takes part in. Call
// it after the run's lock.
func (t *tx) lockCooldown(ctx context.Context, l *work.Locked) error {
	if !l.Wakeup.Profile.SharesShortPhase() {
		return nil
	}
	row, err := t.LockCooldown(ctx, dbsqlc.LockCooldownParams{
		WorkspaceID: l.Wakeup.WorkspaceID, Provider: l.Wakeup.Profile.Provider, Model: l.Wakeup.Profile.Model,
	})
	if errors.Is(err, errNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	c := cooldownOf(row)
	l.Cooldown = &c
	return nil
}

// lockCooldowns does the same for many wakeups that are due. All transactions
// that lock several do so in the same order.
func (t *tx) lockCooldowns(ctx context.Context, many []work.Locked) error {
	var waiting []*work.Locked
	for i := range many {
		if w := many[i].Wakeup; w.Status == recovery.WakeupScheduledRetry && w.Profile.SharesShortPhase() {
			waiting = append(waiting, &many[i])
		}
	}
	slices.SortStableFunc(waiting, func(a, b *work.Locked) int { return strings.Compare(phaseOf(a), phaseOf(b)) })
	for i, l := range waiting {
		if i > 0 && phaseOf(l) == phaseOf(waiting[i-1]) {
			l.Cooldown = waiting[i-1].Cooldown
		} else if err := t.lockCooldown(ctx, l); err != nil {
			return err
		}
	}
	return nil
}

func phaseOf(l *work.Locked) string {
	return l.Wakeup.Profile.Provider + "\x00" + l.Wakeup.Profile.Model
}

// followCooldown keeps the short phase in step with a change of a wakeup.
func (t *tx) followCooldown(ctx context.Context, l work.Locked, c work.Change) error {
	step, cooldown := work.CooldownAfter(l, c)
	switch step {
	case work.CooldownTake:
		return t.later.InsertCooldown(ctx, insertOf(cooldown))
	case work.CooldownMove:
		return t.updateCooldown(ctx, cooldown)
	case work.CooldownRelease:
		perSecond := c.ReleasePerSecond
		if perSecond == 0 {
			perSecond = recovery.Defaults().ReleasePerSecond
		}
		return t.endCooldown(ctx, cooldown, func(waiting []work.Wakeup) []work.Change { return work.LetGo(waiting, l.Now, perSecond) })
	case work.CooldownPass:
		return t.passCooldown(ctx, cooldown, l.Now)
	}
	return nil
}

func (t *tx) endCooldown(ctx context.Context, c work.Cooldown, letGo func([]work.Wakeup) []work.Change) error {
	waiting, err := t.lockWaiting(ctx, c)
	if err != nil {
		return err
	}
	if err := t.saveMoved(ctx, waiting, letGo(waiting)); err != nil {
		return err
	}
	return t.later.DeleteCooldown(ctx, dbsqlc.DeleteCooldownParams{WorkspaceID: c.WorkspaceID, Provider: c.Provider, Model: c.Model, OldVersion: c.Version})
}

func (t *tx) passCooldown(ctx context.Context, c work.Cooldown, now time.Time) error {
	waiting, err := t.lockWaiting(ctx, c)
	if err != nil {
		return err
	}
	if len(waiting) == 0 {
		return t.endCooldown(ctx, c, func([]work.Wakeup) []work.Change { return nil })
	}
	next, changes := work.Inherit(c, waiting, now)
	if err := t.saveMoved(ctx, waiting, changes); err != nil {
		return err
	}
	return t.updateCooldown(ctx, next)
}

func (t *tx) lockWaiting(ctx context.Context, c work.Cooldown) ([]work.Wakeup, error) {
	rows, err := t.LockWaiting(ctx, dbsqlc.LockWaitingParams{WorkspaceID: c.WorkspaceID, RunID: uuid.MustParse(c.OwnerRunID), RowLimit: releaseBatch})
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	ids := make([]uuid.UUID, len(rows))
	for i, r := range rows {
		ids[i] = r.Wakeup.WakeupID
	}
	details, err := detailsOf(ctx, t.Queries, c.WorkspaceID, ids)
	if err != nil {
		return nil, err
	}
	out := make([]work.Wakeup, len(rows))
	for i, r := range rows {
		out[i] = wakeupOf(r.Wakeup)
		if err := details[r.Wakeup.WakeupID].into(&out[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (t *tx) saveMoved(ctx context.Context, before []work.Wakeup, changes []work.Change) error {
	var events []work.Event
	for i, c := range changes {
		if err := t.saveWakeup(ctx, before[i], *c.Wakeup); err != nil {
			return err
		}
		events = append(events, c.Events...)
	}
	if len(events) == 0 {
		return nil
	}
	return t.emit(ctx, before[0].WorkspaceID, changes[0].Wakeup.UpdatedAt, events)
}

func (t *tx) updateCooldown(ctx context.Context, c work.Cooldown) error {
	return t.later.UpdateCooldown(ctx, dbsqlc.UpdateCooldownParams{
		WorkspaceID: c.WorkspaceID, Provider: c.Provider, Model: c.Model, OwnerWakeupID: uuid.MustParse(c.OwnerWakeupID),
		OwnerRunID: uuid.MustParse(c.OwnerRunID), Attempt: int32(c.Attempt), Profile: c.Profile, Ordinal: int32(c.Ordinal),
		RetryAt: c.RetryAt, Version: c.Version, UpdatedAt: c.UpdatedAt, OldVersion: c.Version - 1,
	})
}

func insertOf(c work.Cooldown) dbsqlc.InsertCooldownParams {
	return dbsqlc.InsertCooldownParams{
		WorkspaceID: c.WorkspaceID, Provider: c.Provider, Model: c.Model, OwnerWakeupID: uuid.MustParse(c.OwnerWakeupID),
		OwnerRunID: uuid.MustParse(c.OwnerRunID), Attempt: int32(c.Attempt), Profile: c.Profile, Ordinal: int32(c.Ordinal),
		RetryAt: c.RetryAt, Version: c.Version, UpdatedAt: c.UpdatedAt,
	}
}

func cooldownOf(r dbsqlc.Cooldown) work.Cooldown {
	return work.Cooldown{
		WorkspaceID: r.WorkspaceID, Provider: r.Provider, Model: r.Model, OwnerWakeupID: r.OwnerWakeupID.String(),
		OwnerRunID: r.OwnerRunID.String(), Attempt: int(r.Attempt), Profile: r.Profile, Ordinal: int(r.Ordinal),
		RetryAt: r.RetryAt.UTC(), Version: r.Version, UpdatedAt: r.UpdatedAt.UTC(),
	}
}
