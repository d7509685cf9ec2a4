package work

import (
	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
)

// Failure is a report of a failure with all that was worked out before the
// transaction.
type Failure struct {
	Token           string
	Envelope        evidence.Envelope // redacted
	Result          classification.Result
	NativeSessionID string
	CostUSD         float64
	ErrorMessage    string  // redacted, bounded
	Jitter          float64 // in [0,1)
	Settings        recovery.Settings
}

// Fail settles a run as failed and lets the decision say what follows.
func Fail(l Locked, in Failure) (Change, error) {
	step := recovery.Advance(l.fence(in.Token, in.Settings), recovery.EventReportFailure, in.Settings)
	if step.Refused != "" {
		return Change{}, l.refusal(step.Refused)
	}
	if step.LateEvidence {
		return keepLateEvidence(l, &in.Envelope, &in.Result)
	}
	d := draftOf(l)
	d.change.ReleasePerSecond = in.Settings.ReleasePerSecond
	d.settleFacts(in.Envelope.Effects, in.NativeSessionID, in.CostUSD)
	if didNotStart(in.Envelope) && l.Run.State == recovery.RunSending {
		step.Outcome = recovery.OutcomeNotSent
	}
	report := d.decide(in)
	if !step.ByDecision {
		d.nobodyOwns(report.Decision)
		// No policy made this decision, so none can be tried on it.
		report.Facts = nil
	}
	d.change.Report = report
	r := d.run()
	r.Evidence, r.Classification, r.Decision = report.Evidence, report.Classification, report.Decision
	r.Outcome = step.Outcome
	d.setRun(step.Run)
	switch {
	case step.ByDecision:
		d.followDecision(report, in.ErrorMessage)
	case step.Wakeup != "":
		d.keepFailure(report, in.ErrorMessage)
		d.setWakeup(step.Wakeup, d.endReason(step.Wakeup))
	}
	d.emit(recoveryUpdated(l.Wakeup.ID, l.Run.ID, *report))
	return d.done()
}

// Success is a report of a success.
type Success struct {
	Token           string
	Effects         evidence.Effects
	NativeSessionID string
	CostUSD         float64
	Settings        recovery.Settings
}

// Succeed settles a run as succeeded and completes its wakeup.
func Succeed(l Locked, in Success) (Change, error) {
	step := recovery.Advance(l.fence(in.Token, in.Settings), recovery.EventReportSuccess, in.Settings)
	if step.Refused != "" {
		return Change{}, l.refusal(step.Refused)
	}
	if step.LateEvidence {
		return keepLateEvidence(l, nil, nil)
	}
	d := draftOf(l)
	d.change.ReleasePerSecond = in.Settings.ReleasePerSecond
	d.settleFacts(in.Effects, in.NativeSessionID, in.CostUSD)
	d.take(step, in.Settings)
	return d.done()
}

// keepLateEvidence keeps the first report of a lost run that a person, or a
// newer prompt, was faster than.
func keepLateEvidence(l Locked, e *evidence.Envelope, r *classification.Result) (Change, error) {
	if l.Run.Late {
		return Change{}, l.alreadySettled()
	}
	d := draftOf(l)
	run := d.run()
	run.Late, run.Evidence, run.Classification = true, e, r
	d.change.Report = &Report{Evidence: e, Classification: r, Decision: l.Run.Decision}
	return d.done()
}

// settleFacts keeps what every report says. A report is the last word on what
// the channel could show: an effect that it does not know rises to unknown.
func (d *draft) settleFacts(effects evidence.Effects, nativeID string, cost float64) {
	r := d.run()
	r.Effects = JoinEffects(d.locked.Run.Effects, effects)
	r.CostUSD = cost
	d.learnNativeSession(nativeID)
	s := d.locked.Session
	if d.change.Session != nil {
		s = *d.change.Session
	}
	known := s.NativeSessionID != "" && s.NativeSessionID == r.NativeSessionID
	if known && !s.Replied && r.Effects.AssistantOutput == evidence.EffectSeen {
		d.session().Replied = true
	}
}

// didNotStart is true when the evidence shows that no process was made: an
// exit without code and without signal.
func didNotStart(e evidence.Envelope) bool {
	for _, s := range e.Signals {
		if s.Kind == evidence.KindProcessExit && s.ExitCode == nil && s.ExitSignal == "" && !s.Foreign {
			return true
		}
	}
	return false
}

// decide runs the gate and the policy on what is locked.
func (d *draft) decide(in Failure) *Report {
	facts := d.facts(in)
	decision := recovery.Decide(facts, in.Result, in.Settings, d.locked.Now, in.Jitter)
	envelope, result := in.Envelope, in.Result
	envelope.SessionID, envelope.Generation = d.locked.Run.SessionID, d.locked.Run.Generation
	return &Report{Evidence: &envelope, Classification: &result, Decision: &decision, Facts: &facts, Jitter: in.Jitter}
}

func (d *draft) facts(in Failure) recovery.Facts {
	l := d.locked
	e := in.Envelope
	// The lease token proves which run the evidence belongs to.
	e.SessionID, e.Generation = l.Run.SessionID, l.Run.Generation
	f := recovery.FactsOf(e, recovery.SessionRef{ID: l.Session.ID, Generation: l.Session.Generation})
	f.Effects = d.run().Effects
	f.Continued = l.Run.Send != SendPrompt
	f.Unattended = l.Wakeup.Delivery == DeliveryWorker
	f.NotSent = l.Run.State == recovery.RunClaimed || l.Run.State == recovery.RunSending && didNotStart(in.Envelope)
	f.Mode, f.Progress, f.RecoveryOff = l.Mode, l.Wakeup.Progress, l.RecoveryOff
	f.Owner = l.otherOwner()
	f.Usage = recovery.Usage{RunsLastDay: l.RunsLastDay, CostUSD: d.run().CostUSD}
	if f.Agent.Kind == "" {
		f.Agent.Kind = l.Wakeup.Profile.AgentKind
	}
	if f.Agent.Version == "" {
		f.Agent.Version = l.Wakeup.Profile.AgentVersion
	}
	native := d.run().NativeSessionID
	f.Agent.SessionKnown = native != ""
	f.Agent.EarlierReply = native != "" && l.Session.Replied && l.Session.NativeSessionID == native
	return l.Wakeup.Profile.Policy.Facts(f, in.Settings)
}

// followDecision puts the wakeup where the decision says.
func (d *draft) followDecision(report *Report, errorMessage string) {
	decision := *report.Decision
	w := d.wakeup()
	w.LastClassification, w.LastDecision = report.Classification, report.Decision
	w.ErrorMessage, w.Progress = errorMessage, decision.Progress
	d.prepareNext(decision)
	to := recovery.WakeupAfter(decision)
	d.setWakeup(to, string(decision.Reason))
	switch to {
	case recovery.WakeupScheduledRetry:
		w.DueAt, w.Attention = decision.RetryAt, AttentionDeadline
		if decision.WaitsForOwner {
			w.WaitsForRunID = d.locked.otherOwner().RunID
		}
	case recovery.WakeupQueued:
		w.DueAt = d.locked.Now
	case recovery.WakeupParked:
		w.DueAt, w.Attention = decision.RetryAt, AttentionDeadline
		if decision.RetryAt.IsZero() {
			w.Attention = AttentionPerson
		}
	}
}
