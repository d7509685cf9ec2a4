package work_test

import (
	"errors"
	"fmt"
	"sort"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

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

func TestTheShortPhaseHoldsItsPromises(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := newCrowd()
		some := func(t *rapid.T) string { return rapid.SampledFrom(c.begun).Draw(t, "wakeup") }
		for range 3 {
			c.begin(t)
		}
		launch := func(t *rapid.T) {
			if id := some(t); c.claim(t, id) {
				c.send(t, id)
			}
		}
		hint := func(t *rapid.T) {
			r, id := busy, some(t)
			r.RetryAfter, r.RetryAfterSet, r.HintSource, r.OccurredAt = 40*time.Second, true, "retry-after", c.now
			if c.fail(t, id, r) {
				c.hinted[id] = c.now.Add(40 * time.Second)
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"begin":       func(t *rapid.T) { c.begin(t) },
			"launch":      launch,
			"launch more": launch,
			"fail":        func(t *rapid.T) { c.fail(t, some(t), busy) },
			"fail again":  func(t *rapid.T) { c.fail(t, some(t), busy) },
			"fail hinted": hint,
			"fail hard": func(t *rapid.T) {
				c.fail(t, some(t), classification.Result{Code: classification.AuthRequired, Class: classification.ClassHard, Confidence: classification.High})
			},
			"succeed": func(t *rapid.T) { c.succeed(t, some(t)) },
			"answer": func(t *rapid.T) {
				c.step(t, some(t), func(l work.Locked) (work.Change, error) {
					return work.Progress(l, work.RecordProgress{Lease: work.Lease{Token: "token"}, Effects: evidence.Effects{AssistantOutput: evidence.EffectSeen}}, c.set)
				})
			},
			"cancel": func(t *rapid.T) {
				c.step(t, some(t), func(l work.Locked) (work.Change, error) { return work.Cancel(l, work.CancelWait{}) })
			},
			"retry now": func(t *rapid.T) {
				id := some(t)
				if c.step(t, id, func(l work.Locked) (work.Change, error) { return work.Retry(l, work.RetryNow{By: "me"}) }) {
					delete(c.hinted, id) // a person may
				}
			},
			"stop": func(t *rapid.T) {
				c.step(t, some(t), func(l work.Locked) (work.Change, error) { return work.Stop(l, work.StopRun{}) })
			},
			"release": func(t *rapid.T) {
				c.step(t, some(t), func(l work.Locked) (work.Change, error) { return work.Release(l, "token", c.set) })
			},
			"expire": func(t *rapid.T) {
				c.step(t, some(t), func(l work.Locked) (work.Change, error) { return work.Expire(l, c.set) })
			},
			"pass": func(t *rapid.T) {
				c.now = c.now.Add(time.Duration(rapid.SampledFrom([]int{1, 7, 31, 600}).Draw(t, "seconds")) * time.Second)
			},
			"": func(t *rapid.T) { c.check(t) },
		})
	})
}

// Of many that fail together one retries; the others spend nothing, and start
// one after the other once it has succeeded.
func TestOneRunFindsOutForAll(t *testing.T) {
	t.Parallel()
	const n = 8
	c := newCrowd()
	for range n {
		c.begin(t)
	}
	for _, id := range c.begun {
		require.True(t, c.claim(t, id))
		require.True(t, c.send(t, id))
	}
	for _, id := range c.begun {
		require.True(t, c.fail(t, id, busy))
	}
	owner := c.begun[0]
	require.Equal(t, owner, c.cooldown.OwnerWakeupID)
	for range 2 { // the owner fails again, once
		c.now = c.wakeups[owner].DueAt
		require.True(t, c.claim(t, owner))
		for _, id := range c.begun[1:] {
			require.False(t, c.claim(t, id), "not while the owner runs")
		}
		require.True(t, c.send(t, owner))
		if c.wakeups[owner].RetryCount() == 1 {
			require.True(t, c.fail(t, owner, busy))
		}
	}
	require.True(t, c.succeed(t, owner))
	require.Nil(t, c.cooldown)
	spent, starts := 0, map[time.Duration]int{}
	for _, id := range c.begun {
		spent += c.wakeups[id].RetryCount()
		if id != owner {
			require.Empty(t, c.wakeups[id].WaitsForRunID)
			starts[c.wakeups[id].DueAt.Sub(c.now)]++
		}
	}
	require.Equal(t, 2, spent, "the owner's")
	require.Len(t, starts, n-1, "no two at once: %v", starts)
}

func TestEarlyClaimsOfThoseThatWaitAreToldWhen(t *testing.T) {
	t.Parallel()
	c := newCrowd()
	c.begin(t)
	c.begin(t)
	for _, id := range c.begun {
		c.claim(t, id)
		c.send(t, id)
		c.fail(t, id, busy)
	}
	var early *work.NotDue
	_, err := work.ClaimWakeup(c.locked(c.begun[1]), work.ClaimRequest{RunID: "r", TokenHash: work.HashToken("t"), Settings: c.set})
	require.True(t, errors.As(err, &early))
	require.True(t, early.DueAt.After(c.wakeups[c.begun[0]].DueAt))
}

// What a provider stated to the one that waits holds, however soon the owner succeeds.
func TestTheEndOfAShortPhaseShortensNoStatedWait(t *testing.T) {
	t.Parallel()
	c := newCrowd()
	for range 2 {
		c.begin(t)
		c.claim(t, c.begun[len(c.begun)-1])
		c.send(t, c.begun[len(c.begun)-1])
	}
	owner, waits := c.begun[0], c.begun[1]
	c.fail(t, owner, busy)
	stated := busy
	stated.RetryAfter, stated.RetryAfterSet, stated.HintSource, stated.OccurredAt = 50*time.Second, true, "retry-after", c.now
	until := c.now.Add(50 * time.Second)
	c.fail(t, waits, stated)
	require.NotEmpty(t, c.wakeups[waits].WaitsForRunID)
	c.now = c.wakeups[owner].DueAt
	c.claim(t, owner)
	c.send(t, owner)
	c.succeed(t, owner)
	require.Empty(t, c.wakeups[waits].WaitsForRunID)
	require.Equal(t, until, c.wakeups[waits].DueAt)
}
