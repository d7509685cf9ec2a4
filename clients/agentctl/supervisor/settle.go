package supervisor

import (
	"context"
	"fmt"

	"github.com/recourse-dev/recourse/clients/agentctl/journal"
	"github.com/recourse-dev/recourse/clients/agentctl/wire"
	"github.com/recourse-dev/recourse/core/recovery"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// EndedError says that a wakeup ended while this process waited for it.
type EndedError struct {
	Status v1.WakeupStatus
	By     string // why, in stable words
	// Verdict is the last one that the ledger has.
	Verdict Verdict
}

// Error implements error.
func (e *EndedError) Error() string {
	return fmt.Sprintf("the wakeup has ended: %s %s", e.Status, e.By)
}

func (s *Supervisor) record(r journal.Record) error {
	r.At = s.Clock.Now().UTC()
	return s.Entry.Append(r)
}

func (s *Supervisor) recordEnd(report Report, out outcome) error {
	text, err := wire.JSON(wire.Envelope(report.Envelope))
	if err != nil {
		return err
	}
	return s.record(journal.Record{
		Kind: journal.KindEnded, RequestID: report.RequestID, Succeeded: out.succeeded, ExitCode: out.code,
		Report: text, Session: report.Session, CostUSD: report.CostUSD,
	})
}

func (s *Supervisor) recordVerdict(v Verdict) error {
	classification, err := wire.JSON(v.Classification)
	if err != nil {
		return err
	}
	decision, err := wire.JSON(v.Decision)
	if err != nil {
		return err
	}
	return s.record(journal.Record{
		Kind: journal.KindDecided, Classification: classification, Decision: decision, Progress: v.Progress, Parks: v.Parks,
	})
}

// cancel ends the wait at the ledger and in the journal.
func (s *Supervisor) cancel(ctx context.Context, by string) error {
	err := s.Ledger.CancelWait(context.WithoutCancel(ctx))
	if err != nil && !notOurs(err) && !transient(err) {
		return err
	}
	s.tell(Notice{Kind: NoticeCancelled, By: by, Err: err})
	return s.record(journal.Record{Kind: journal.KindCancelled, By: by})
}

// endedElsewhere records that a person, the ledger or another process ended the
// wakeup.
func (s *Supervisor) endedElsewhere(e *EndedError) (Verdict, End, error) {
	switch e.Status {
	case v1.WakeupStatus_WAKEUP_STATUS_COMPLETED:
		s.tell(Notice{Kind: NoticeSucceeded})
		return e.Verdict, EndSucceeded, s.record(journal.Record{Kind: journal.KindCompleted})
	case v1.WakeupStatus_WAKEUP_STATUS_CANCELLED:
		s.tell(Notice{Kind: NoticeCancelled, By: e.By, Err: e})
		return e.Verdict, EndCancelled, s.record(journal.Record{Kind: journal.KindCancelled, By: e.By})
	}
	verdict := e.Verdict
	if verdict.Decision.GetReason() != e.By {
		// No failure was decided upon: the ledger gave it up, as after a crash.
		verdict.Classification = &v1.Classification{}
		verdict.Decision = &v1.Decision{Action: v1.Action_ACTION_STOP, Reason: e.By}
	}
	s.tell(Notice{Kind: NoticeStopped, Verdict: verdict, Run: s.Entry.State().Runs})
	return verdict, EndStopped, s.recordVerdict(verdict)
}

// tellEnd tells why nothing follows by itself.
func (s *Supervisor) tellEnd(v Verdict, out outcome) End {
	notice := Notice{Kind: NoticeStopped, Verdict: v, Envelope: wire.Envelope(out.envelope), Run: s.Entry.State().Runs}
	switch v.Status {
	case v1.WakeupStatus_WAKEUP_STATUS_COMPLETED:
		notice.Kind = NoticeSucceeded
		s.tell(notice)
		return EndSucceeded
	case v1.WakeupStatus_WAKEUP_STATUS_CANCELLED:
		notice.Kind, notice.By = NoticeCancelled, "another person or a newer prompt"
		if s.stopped {
			notice.By = ByStopRequest
		}
		s.tell(notice)
		return EndCancelled
	}
	s.tell(notice)
	return EndStopped
}

// decisionOf is the decision in a "decided" record.
func decisionOf(r journal.Record) recovery.Decision {
	var d v1.Decision
	if len(r.Decision) == 0 || wire.Parse(r.Decision, &d) != nil {
		return recovery.Decision{}
	}
	return wire.DecisionBack(&d)
}
