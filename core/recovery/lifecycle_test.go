package recovery_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
)

// life plays one session with its newest wakeup and run, as a store would that
// does only what the tables say. It keeps its own books of what was sent.
type life struct {
	settings      recovery.Settings
	session       recovery.SessionStatus
	wakeup        recovery.WakeupStatus
	run           recovery.RunStatus
	generation    int64
	runGeneration int64
	personActed   bool
	stopRequested bool
	hold          recovery.Hold
	progress      recovery.Progress

	maySend   int  // sends that somebody authorised and that are not yet used
	sentOnce  bool // the present run was sent
	steps     int
	completed bool
}

func newLife() *life {
	l := &life{settings: recovery.Defaults(), generation: 1}
	l.begin()
	return l
}

// begin is a new prompt with a wakeup of its own.
func (l *life) begin() {
	l.wakeup, l.run, l.session = recovery.WakeupQueued, recovery.RunNone, recovery.SessionIdle
	l.personActed, l.stopRequested, l.sentOnce, l.completed = false, false, false, false
	l.progress = recovery.Progress{}
	l.hold = recovery.Hold{DueAt: noon}
	l.maySend = 1
}

func (l *life) become(t *rapid.T, wakeup recovery.WakeupStatus, run recovery.RunStatus) {
	if wakeup != l.wakeup && !l.wakeup.CanBecome(wakeup) {
		t.Fatalf("wakeup %s → %s", l.wakeup, wakeup)
	}
	if run != l.run && !l.run.CanBecome(run) && run != recovery.RunClaimed {
		t.Fatalf("run %s → %s", l.run, run)
	}
	l.wakeup, l.run = wakeup, run
	session := recovery.SessionFor(wakeup, run, l.stopRequested)
	if session != l.session && !l.session.CanBecome(session) {
		t.Fatalf("session %s → %s with wakeup %s, run %s", l.session, session, wakeup, run)
	}
	l.session = session
}

func (l *life) claim(t *rapid.T) {
	if !l.wakeup.Claimable() || l.hold.DueAt.IsZero() {
		return // or it waits for a person
	}
	if l.run.Live() || l.run == recovery.RunLost {
		t.Fatalf("claimable while run is %s", l.run)
	}
	l.sentOnce = false
	l.runGeneration = l.generation
	l.hold.LeaseExpiresAt = noon.Add(l.settings.Lease)
	l.become(t, recovery.WakeupRunning, recovery.RunClaimed)
}

func (l *life) runEvent(t *rapid.T) {
	if l.run == recovery.RunNone {
		return
	}
	event := rapid.SampledFrom(recovery.RunEvents()).Draw(t, "event")
	f := recovery.RunFacts{
		Run: l.run, Wakeup: l.wakeup,
		TokenMatches:      rapid.IntRange(0, 9).Draw(t, "token") > 0,
		GenerationCurrent: l.runGeneration == l.generation,
		PersonActed:       l.personActed, StopRequested: l.stopRequested,
		LeaseRemaining: rapid.SampledFrom([]time.Duration{0, 9 * time.Second, 10 * time.Second, 30 * time.Second}).Draw(t, "lease"),
	}
	step := recovery.Advance(f, event, l.settings)
	if step.Refused == fault.ReasonInternal {
		t.Fatalf("%s × %s", l.run, event)
	}
	if step.Refused != "" || step.LateEvidence {
		return
	}
	l.book(t, event, f, step)
	l.take(t, step)
}

// book checks a granted step against what was really sent.
func (l *life) book(t *rapid.T, event recovery.RunEvent, f recovery.RunFacts, step recovery.Step) {
	reconciler := event == recovery.EventLeaseExpired || event == recovery.EventGraceEnded
	if !reconciler && !f.TokenMatches {
		t.Fatalf("%s without the token", event)
	}
	if step.Run == recovery.RunSending {
		if l.maySend == 0 || l.sentOnce {
			t.Fatalf("a prompt is sent twice")
		}
		if f.LeaseRemaining < l.settings.SendMargin {
			t.Fatalf("sent with %s left", f.LeaseRemaining)
		}
		l.maySend--
		l.sentOnce = true
	}
	if step.Outcome == recovery.OutcomeNotSent && l.sentOnce {
		if event != recovery.EventNotSent {
			t.Fatalf("%s forgets that the prompt was sent", event)
		}
		l.maySend++ // the holder knows that it did not leave
		l.sentOnce = false
	}
	if l.run == recovery.RunLost && step.Wakeup == recovery.WakeupQueued {
		t.Fatalf("a lost run is launched again")
	}
}

func (l *life) take(t *rapid.T, step recovery.Step) {
	run, wakeup := l.run, l.wakeup
	if step.Run != "" {
		run = step.Run
	}
	if step.Wakeup != "" {
		wakeup = step.Wakeup
	}
	if step.StopReason != "" {
		l.hold.Reason, l.hold.Remedy = recovery.Reason(step.StopReason), recovery.RemedyAskMaintainer
	}
	if wakeup == recovery.WakeupQueued {
		l.hold.DueAt = noon
	}
	if step.StartGrace {
		l.hold.GraceEndsAt = noon.Add(l.settings.LostGrace)
	}
	if step.ByDecision {
		wakeup = l.decide(t)
	}
	l.completed = l.completed || step.Outcome == recovery.OutcomeSucceeded
	l.become(t, wakeup, run)
}

// decide lets a failure follow that may come back.
func (l *life) decide(t *rapid.T) recovery.WakeupStatus {
	f := calm(rapid.SampledFrom(contexts()).Draw(t, "context"))
	f.Policy = rapid.SampledFrom(policies()).Draw(t, "policy")
	f.Progress = l.progress
	f.Route.CandidatesLeft = rapid.IntRange(0, 1).Draw(t, "left")
	f.EvidenceGeneration, f.CurrentGeneration = l.runGeneration, l.generation
	code := rapid.SampledFrom([]classification.Code{classification.ProviderOverloaded, classification.QuotaLimited, classification.AuthRequired, classification.TaskError}).Draw(t, "code")
	d := recovery.Decide(f, rapid.SampledFrom(allHints(code)).Draw(t, "hint"), l.settings, noon, 0)
	l.progress = d.Progress
	l.hold.DueAt, l.hold.ParkReason, l.hold.Reason, l.hold.Remedy = d.RetryAt, d.ParkReason, d.Reason, d.Remedy
	if d.Action == recovery.ActionNextCandidate {
		l.hold.DueAt = noon
	}
	if (d.Automatic() || d.Action == recovery.ActionPark) && l.maySend == 0 {
		l.maySend = 1 // the decision authorises exactly one attempt
	}
	return recovery.WakeupAfter(d)
}

func (l *life) interrupt(t *rapid.T) {
	i := rapid.SampledFrom(recovery.Interrupts()).Draw(t, "interrupt")
	situation := recovery.SituationOf(l.wakeup, l.run)
	effect := recovery.Interrupted(situation, i)
	if effect.Refused != "" {
		return
	}
	if effect.RequestStop {
		l.stopRequested = true
		return
	}
	if effect.To != "" {
		l.stopRequested = l.stopRequested || i == recovery.InterruptStop
		l.personActed = l.personActed || situation == recovery.SituationLost
		if effect.To == recovery.WakeupQueued {
			l.hold.DueAt = noon
		}
		l.become(t, effect.To, l.run)
	}
	if effect.NextGeneration {
		l.generation++
		l.begin()
	}
}

func (l *life) check(t *rapid.T) {
	l.steps++
	if !recovery.Legal(l.session, l.wakeup, l.run) {
		t.Fatalf("session %s, wakeup %s, run %s", l.session, l.wakeup, l.run)
	}
	h := l.hold
	h.Wakeup, h.Run = l.wakeup, l.run
	if !h.Owned() {
		t.Fatalf("nobody owns %+v", h)
	}
	if l.completed != (l.wakeup == recovery.WakeupCompleted) && l.wakeup != recovery.WakeupCancelled && l.wakeup != recovery.WakeupTimedOut {
		t.Fatalf("success %v, wakeup %s", l.completed, l.wakeup)
	}
	if l.session.Live() != (l.wakeup == recovery.WakeupRunning) {
		t.Fatalf("session %s with wakeup %s", l.session, l.wakeup)
	}
}

// Any interleaving of holders, reconcilers, people and timers keeps every
// invariant: legal states, one send per authorisation, an owner for all that waits.
func TestAnyInterleavingKeepsTheInvariants(t *testing.T) {
	t.Parallel()
	steps := 0
	for steps < 200_000 {
		rapid.Check(t, func(t *rapid.T) {
			l := newLife()
			t.Repeat(map[string]func(*rapid.T){
				"claim":     l.claim,
				"run event": l.runEvent,
				"again":     l.runEvent, // twice as likely as an interrupt
				"interrupt": l.interrupt,
				"":          l.check,
			})
			steps += l.steps
		})
		if t.Failed() {
			return
		}
	}
}
