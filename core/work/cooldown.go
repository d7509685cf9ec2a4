package work

import (
	"time"

	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
)

// Cooldown is the short phase of a provider and model: one wakeup retries, and
// the others that fail there meanwhile wait for it. It lives as long as its
// owner runs or waits for a retry.
type Cooldown struct {
	WorkspaceID   string
	Provider      string
	Model         string
	OwnerWakeupID string
	OwnerRunID    string // the failed run that the others wait behind; the same as long as one wakeup owns it
	Attempt       int    // which run of the owner failed last, from 1
	Profile       string // the owner's agent kind
	Ordinal       int    // which retry comes next, from 1
	RetryAt       time.Time
	Version       int64
	UpdatedAt     time.Time
}

// SharesShortPhase says that the profile obeys and opens short phases: a
// dynamic one whose provider and model are known.
func (p Profile) SharesShortPhase() bool {
	return p.Policy.Preset == PresetPatient && p.Provider != "" && p.Model != ""
}

// CooldownStep is what a transition does to the short phase.
type CooldownStep string

// The steps.
const (
	CooldownKeep    CooldownStep = ""
	CooldownTake    CooldownStep = "take"    // a first failure: its run owns it from now on
	CooldownMove    CooldownStep = "move"    // the owner failed again and will retry
	CooldownRelease CooldownStep = "release" // it is over: those that wait may go on
	CooldownPass    CooldownStep = "pass"    // the owner is gone without an answer: the next in line owns it
)

// CooldownAfter says what a change of a wakeup does to the short phase.
func CooldownAfter(l Locked, c Change) (CooldownStep, Cooldown) {
	w, r := l.Wakeup, l.Run
	if c.Wakeup != nil {
		w = *c.Wakeup
	}
	if c.Run != nil {
		r = *c.Run
	}
	owns := l.ownsCooldown()
	switch {
	case opensShortPhase(w, c.Report) && l.Cooldown == nil:
		return CooldownTake, cooldownOf(l, w, r, Cooldown{OwnerRunID: r.ID})
	case !owns:
		return CooldownKeep, Cooldown{}
	case opensShortPhase(w, c.Report):
		return CooldownMove, cooldownOf(l, w, r, *l.Cooldown)
	case w.Status == recovery.WakeupRunning && r.State.Live() && !answered(r.Effects),
		w.Status == recovery.WakeupScheduledRetry && c.Report == nil:
		return CooldownKeep, Cooldown{}
	case c.Run != nil && (answered(r.Effects) || r.Outcome == recovery.OutcomeSucceeded || r.Outcome == recovery.OutcomeFailed && c.Report != nil):
		return CooldownRelease, *l.Cooldown
	}
	return CooldownPass, *l.Cooldown
}

func (l Locked) ownsCooldown() bool {
	return l.Cooldown != nil && l.Cooldown.OwnerWakeupID == l.Wakeup.ID
}

// answered says that the provider worked for the run, whatever becomes of it.
func answered(e evidence.Effects) bool {
	return e.AssistantOutput == evidence.EffectSeen || e.ToolActivity == evidence.EffectSeen
}

func opensShortPhase(w Wakeup, r *Report) bool {
	return w.Profile.SharesShortPhase() && w.Status == recovery.WakeupScheduledRetry && w.WaitsForRunID == "" &&
		r != nil && r.Decision != nil && r.Classification != nil && recovery.InShortPhase(*r.Classification, *r.Decision)
}

func cooldownOf(l Locked, w Wakeup, r Run, c Cooldown) Cooldown {
	c.WorkspaceID, c.Provider, c.Model = w.WorkspaceID, w.Profile.Provider, w.Profile.Model
	c.OwnerWakeupID, c.Attempt, c.Profile = w.ID, r.Ordinal, w.Profile.AgentKind
	c.Ordinal, c.RetryAt = max(w.LastDecision.Ordinal, 1), w.DueAt
	c.Version++
	c.UpdatedAt = l.Now
	return c
}

// otherOwner is who owns the short phase, unless this wakeup does.
func (l Locked) otherOwner() recovery.Owner {
	if l.Cooldown == nil || l.ownsCooldown() {
		return recovery.Owner{}
	}
	return recovery.Owner{RunID: l.Cooldown.OwnerRunID, RetryAt: l.Cooldown.RetryAt}
}

// putOff makes a wakeup that waits for another run wait on while that owns the
// short phase. It is never started meanwhile; a person's Retry now takes it out.
func (d *draft) putOff(s recovery.Settings) bool {
	owner := d.locked.otherOwner()
	if d.locked.Wakeup.WaitsForRunID == "" || owner.RunID == "" {
		return false
	}
	d.wakeup().WaitsForRunID = owner.RunID
	d.moveDue(s.AfterOwner(owner.RetryAt, d.locked.Now))
	return true
}

// moveDue gives a waiting wakeup another instant, everywhere that shows it.
// Nothing is due before a stated hint.
func (d *draft) moveDue(at time.Time) {
	w := d.wakeup()
	at = recovery.Published(at)
	if last := w.LastDecision; last != nil {
		if last.Receipt.Kind == recovery.ReceiptStated && last.RetryAt.After(at) {
			at = last.RetryAt
		}
		decision := *last
		decision.RetryAt = at
		w.LastDecision = &decision
	}
	w.DueAt = at
	d.emit(wakeupUpdated(*w))
}

// LetGo ends the waits for a short phase that is over: they become due one
// after the other, in their order, at the release rate.
func LetGo(waiting []Wakeup, now time.Time, perSecond int) []Change {
	out := make([]Change, len(waiting))
	for i, w := range waiting {
		d := draftOf(Locked{Wakeup: w, Now: now})
		d.wakeup().WaitsForRunID = ""
		d.moveDue(now.Add(recovery.ReleaseAfter(perSecond, i)))
		out[i] = d.change
	}
	return out
}

// Inherit gives the short phase to the first in line, which retries when the
// one before would have; the others wait for it now. There must be one.
func Inherit(c Cooldown, waiting []Wakeup, now time.Time) (Cooldown, []Change) {
	out := make([]Change, len(waiting))
	for i, w := range waiting {
		d := draftOf(Locked{Wakeup: w, Now: now})
		if i > 0 {
			d.wakeup().WaitsForRunID = c.OwnerRunID
			out[i] = d.change
			continue
		}
		at := now
		if c.RetryAt.After(now) {
			at = c.RetryAt
		}
		d.wakeup().WaitsForRunID = ""
		d.moveDue(at)
		c.OwnerWakeupID, c.OwnerRunID, c.Attempt, c.Profile = w.ID, w.LastRunID, w.RunCount, w.Profile.AgentKind
		c.Ordinal, c.RetryAt = w.Progress.Transient.Retries+1, d.wakeup().DueAt
		out[i] = d.change
	}
	c.Version++
	c.UpdatedAt = now
	return c, out
}

// phases are the short phases that a batch of claims has had to do with, by
// provider and model; true is one that a claim of the batch has changed.
type phases map[[2]string]bool

// admit reports whether a change may join the batch. One that changes a short
// phase changes the wakeups that wait for it: it goes alone, and what it leaves
// is for the next batch.
func (p phases) admit(l Locked, c Change) bool {
	if l.Cooldown == nil {
		return true
	}
	phase := [2]string{l.Cooldown.Provider, l.Cooldown.Model}
	step, _ := CooldownAfter(l, c)
	changed, met := p[phase]
	if changed || met && step != CooldownKeep {
		return false
	}
	p[phase] = step != CooldownKeep
	return true
}
