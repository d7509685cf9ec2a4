package work_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

// What was not granted a send can have done nothing. Whatever its owner says,
// the end of such a run arms the bare prompt again: so the owner is not believed.
func TestProgressBeforeTheSend(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	of := func(change func(*evidence.Effects)) evidence.Effects {
		e := evidence.NoEffects()
		change(&e)
		return e
	}
	for name, c := range map[string]struct {
		state   recovery.RunStatus
		token   string
		effects evidence.Effects
		want    fault.Reason
	}{
		"output":                   {recovery.RunClaimed, "mine", of(func(e *evidence.Effects) { e.AssistantOutput = evidence.EffectSeen }), fault.ReasonRunNotSent},
		"tools":                    {recovery.RunClaimed, "mine", of(func(e *evidence.Effects) { e.ToolActivity = evidence.EffectSeen }), fault.ReasonRunNotSent},
		"a partial result":         {recovery.RunClaimed, "mine", of(func(e *evidence.Effects) { e.PartialResult = evidence.EffectSeen }), fault.ReasonRunNotSent},
		"an ambiguous delivery":    {recovery.RunClaimed, "mine", of(func(e *evidence.Effects) { e.Delivery = evidence.DeliveryAmbiguous }), fault.ReasonRunNotSent},
		"by a thief":               {recovery.RunClaimed, "other", of(func(e *evidence.Effects) { e.ToolActivity = evidence.EffectSeen }), fault.ReasonStaleLease},
		"nothing":                  {recovery.RunClaimed, "mine", evidence.NoEffects(), ""},
		"nothing that is known":    {recovery.RunClaimed, "mine", evidence.Effects{}, ""},
		"tools after the send":     {recovery.RunSending, "mine", of(func(e *evidence.Effects) { e.ToolActivity = evidence.EffectSeen }), ""},
		"tools after the delivery": {recovery.RunDelivered, "mine", of(func(e *evidence.Effects) { e.ToolActivity = evidence.EffectSeen }), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := work.Locked{
				Session:   work.Session{State: recovery.SessionStarting, Generation: 1},
				Wakeup:    work.Wakeup{Status: recovery.WakeupRunning, Generation: 1, LastRunID: "run"},
				Run:       work.Run{ID: "run", State: c.state, Generation: 1, LeaseExpiresAt: now.Add(time.Minute), Effects: evidence.NoEffects()},
				TokenHash: work.HashToken("mine"), Mode: recovery.ModePolicy, Now: now,
			}
			_, err := work.Progress(l, work.RecordProgress{Lease: work.Lease{Token: c.token}, Effects: c.effects}, recovery.Defaults())
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.Equal(t, c.want, fault.From(err).Reason)
		})
	}
}
