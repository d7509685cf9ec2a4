package work_test

import (
	"fmt"
	"sort"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

// crowd is many prompts under one provider and model, each in its own session,
// driven as storage drives them.
type crowd struct {
	set      recovery.Settings
	now      time.Time
	sessions map[string]work.Session
	wakeups  map[string]work.Wakeup
	runs     map[string]work.Run
	cooldown *work.Cooldown
	ids      int
	begun    []string
	hinted   map[string]time.Time // what a failure stated: nothing starts before it
}

func newCrowd() *crowd {
	return &crowd{
		set: recovery.Defaults(), now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		sessions: map[string]work.Session{}, wakeups: map[string]work.Wakeup{}, runs: map[string]work.Run{}, hinted: map[string]time.Time{},
	}
}

func (c *crowd) begin(t require.TestingT) {
	c.ids++
	id := fmt.Sprintf("w%02d", c.ids)
	made, err := work.Begin(work.BeginState{Now: c.now}, work.BeginPrompt{WorkspaceID: "w", Profile: work.Profile{
		AgentKind: "claude", AgentVersion: "2.1.328", Provider: "anthropic", Model: "m", Policy: work.PolicyChoice{Preset: work.PresetPatient},
	}}, work.BeginIDs{SessionID: "s" + id, WakeupID: id})
	require.NoError(t, err)
	c.sessions[id], c.wakeups[id] = made.Session, made.Wakeup
	c.begun = append(c.begun, id)
}

func (c *crowd) locked(id string) work.Locked {
	w := c.wakeups[id]
	l := work.Locked{Session: c.sessions[id], Wakeup: w, Mode: recovery.ModePolicy, Now: c.now, Cooldown: c.cooldown}
	if w.LastRunID != "" {
		l.Run, l.TokenHash = c.runs[w.LastRunID], work.HashToken("token")
	}
	return l
}

// store applies a change and follows its short phase, as a transaction does.
func (c *crowd) store(t require.TestingT, l work.Locked, change work.Change) {
	step, cooldown := work.CooldownAfter(l, change)
	c.put(change)
	if change.Session != nil {
		c.sessions[l.Wakeup.ID] = *change.Session
	}
	if change.Run != nil {
		c.runs[change.Run.ID] = *change.Run
	}
	switch step {
	case work.CooldownTake:
		require.Nil(t, c.cooldown)
		c.cooldown = &cooldown
	case work.CooldownMove:
		c.cooldown = &cooldown
	case work.CooldownRelease:
		for _, moved := range work.LetGo(c.waiting(cooldown.OwnerRunID), c.now, c.set.ReleasePerSecond) {
			c.put(moved)
		}
		c.cooldown = nil
	case work.CooldownPass:
		waiting := c.waiting(cooldown.OwnerRunID)
		if len(waiting) == 0 {
			c.cooldown = nil
			return
		}
		next, changes := work.Inherit(cooldown, waiting, c.now)
		for _, moved := range changes {
			c.put(moved)
		}
		c.cooldown = &next
	}
}

func (c *crowd) put(change work.Change) {
	if change.Wakeup != nil {
		c.wakeups[change.Wakeup.ID] = *change.Wakeup
	}
}

func (c *crowd) waiting(run string) []work.Wakeup {
	var out []work.Wakeup
	for _, w := range c.wakeups {
		if w.WaitsForRunID == run {
			out = append(out, w)
		}
	}
	sort.Slice(out, func(i, j int) bool {
		return out[i].DueAt.Before(out[j].DueAt) || out[i].DueAt.Equal(out[j].DueAt) && out[i].ID < out[j].ID
	})
	return out
}

func (c *crowd) claim(t require.TestingT, id string) bool {
	l := c.locked(id)
	run := fmt.Sprintf("r%03d", len(c.runs)+1)
	change, err := work.ClaimWakeup(l, work.ClaimRequest{RunID: run, TokenHash: work.HashToken("token"), Settings: c.set})
	if err != nil {
		return false
	}
	if change.NewRun && l.Wakeup.WaitsForRunID != "" {
		require.True(t, c.cooldown == nil || c.cooldown.OwnerWakeupID == id, "one that waits never starts while another owns it")
	}
	if change.NewRun {
		require.False(t, c.now.Before(c.hinted[id]), "never before a stated hint")
	}
	c.store(t, l, change)
	return change.NewRun
}

func (c *crowd) step(t require.TestingT, id string, do func(work.Locked) (work.Change, error)) bool {
	l := c.locked(id)
	change, err := do(l)
	if err != nil {
		return false
	}
	c.store(t, l, change)
	return true
}

func (c *crowd) send(t require.TestingT, id string) bool {
	return c.step(t, id, func(l work.Locked) (work.Change, error) { return work.BeginSend(l, "token", c.set) })
}

func (c *crowd) fail(t require.TestingT, id string, r classification.Result) bool {
	return c.step(t, id, func(l work.Locked) (work.Change, error) {
		return work.Fail(l, work.Failure{
			Token: "token", Result: r, Settings: c.set,
			Envelope: evidence.Envelope{Phase: evidence.PhasePreOutput, Effects: evidence.NoEffects(), Signals: []evidence.Signal{{Kind: evidence.KindHTTP, Status: 529}}},
		})
	})
}

func (c *crowd) succeed(t require.TestingT, id string) bool {
	return c.step(t, id, func(l work.Locked) (work.Change, error) {
		return work.Succeed(l, work.Success{Token: "token", Effects: evidence.NoEffects(), Settings: c.set})
	})
}

var busy = classification.Result{Code: classification.ProviderOverloaded, Class: classification.ClassTransient, Confidence: classification.High}

func (c *crowd) check(t require.TestingT) {
	if c.cooldown != nil {
		owner := c.wakeups[c.cooldown.OwnerWakeupID]
		require.Empty(t, owner.WaitsForRunID, "an owner waits for nobody")
		live := owner.Status == recovery.WakeupScheduledRetry ||
			owner.Status == recovery.WakeupRunning && c.runs[owner.LastRunID].State.Live()
		require.True(t, live, "a short phase has a live owner: %s", owner.Status)
	}
	for _, w := range c.wakeups {
		if w.WaitsForRunID == "" {
			continue
		}
		require.Equal(t, recovery.WakeupScheduledRetry, w.Status)
		require.False(t, w.DueAt.IsZero(), "nobody waits for ever")
		require.NotNil(t, c.cooldown, "nobody waits for a short phase that is over")
		require.Equal(t, c.cooldown.OwnerRunID, w.WaitsForRunID)
		require.Equal(t, w.DueAt, w.LastDecision.RetryAt, "every surface shows the same instant")
	}
}
