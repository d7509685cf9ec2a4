package model

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

// planted are faults of the kinds that systems like this one have shipped. The
// machine must find each; one that finds none proves nothing.
var planted = map[string]func(step string, l *work.Locked){
	"a retry is claimed five seconds early": func(step string, l *work.Locked) {
		if step == "claim" {
			l.Now = l.Now.Add(5 * time.Second)
		}
	},
	"a second send is granted": func(step string, l *work.Locked) {
		if step == "send" && l.Run.State == recovery.RunSending {
			l.Run.State = recovery.RunClaimed
		}
	},
	"a send is granted on the last second of a lease": func(step string, l *work.Locked) {
		if step == "send" && l.Run.LeaseExpiresAt.After(l.Now) {
			l.Run.LeaseExpiresAt = l.Run.LeaseExpiresAt.Add(9 * time.Second)
		}
	},
	"what a run did is forgotten": func(step string, l *work.Locked) {
		if step == "fail" {
			l.Run.Effects = work.RaiseEffects(l.Run.Effects, l.Run.Effects)
			l.Run.Effects.ToolActivity, l.Run.Send = "none", work.SendPrompt
		}
	},
	"a lost run is launched again": func(step string, l *work.Locked) {
		if step == "expire" && l.Run.State == recovery.RunDelivered && l.Wakeup.Status == recovery.WakeupRunning {
			l.Run.State = recovery.RunClaimed
		}
	},
	"a run that may have been sent is armed again": func(step string, l *work.Locked) {
		if step == "expire" && l.Run.State == recovery.RunSending {
			l.Run.State = recovery.RunClaimed
		}
	},
	"a claim gives the budget back": func(step string, l *work.Locked) {
		if step == "claim" {
			l.Wakeup.Progress = recovery.Progress{}
		}
	},
	"a stop is not heard": func(step string, l *work.Locked) {
		if step == "fail" {
			l.Run.StopRequestedAt = time.Time{}
		}
	},
	"the token is not checked": func(step string, l *work.Locked) {
		if step == "heartbeat" {
			l.TokenHash = work.HashToken("stolen")
		}
	},
	"a late report of an old generation decides": func(step string, l *work.Locked) {
		if step == "succeed" && l.Wakeup.Status == recovery.WakeupCancelled {
			l.Wakeup.Status, l.Run.Generation = recovery.WakeupRunning, l.Session.Generation
		}
	},
	"a click on an old version wins": func(step string, l *work.Locked) {
		if step == "cancel" {
			l.Wakeup.Version++
		}
	},
}

func TestTheMachineFindsPlantedFaults(t *testing.T) {
	t.Parallel()
	for name, fault := range planted {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := &recorder{name: strings.ReplaceAll(name, " ", "_")}
			for try := 0; try < maxTries && !found.Failed(); try++ {
				look(found, fault)
			}
			require.True(t, found.Failed(), "the machine is blind to it")
		})
	}
}

// maxTries bounds the search for a fault that needs a rare state; most are
// found in the first of them.
const maxTries = 40

// look runs one check in a goroutine of its own: a failed one ends its
// goroutine, as one of a test does.
func look(found *recorder, fault func(string, *work.Locked)) {
	var done sync.WaitGroup
	done.Go(func() {
		rapid.Check(found, func(t *rapid.T) {
			walk(t, &tally{taken: map[string]int{}}, func(rows *table) { rows.spoil = fault })
		})
	})
	done.Wait()
}

// recorder stands in for a test that is meant to fail.
type recorder struct {
	rapid.TB
	name   string
	mu     sync.Mutex
	failed bool
}

func (r *recorder) Helper()                      {}
func (r *recorder) Name() string                 { return r.name }
func (r *recorder) Log(...any)                   {}
func (r *recorder) Logf(string, ...any)          {}
func (r *recorder) Error(...any)                 { r.Fail() }
func (r *recorder) Errorf(string, ...any)        { r.Fail() }
func (r *recorder) Fatal(...any)                 { r.FailNow() }
func (r *recorder) Fatalf(f string, args ...any) { _ = fmt.Sprintf(f, args...); r.FailNow() }
func (r *recorder) FailNow()                     { r.Fail(); runtime.Goexit() }

func (r *recorder) Fail() {
	r.mu.Lock()
	r.failed = true
	r.mu.Unlock()
}

func (r *recorder) Failed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed
}
