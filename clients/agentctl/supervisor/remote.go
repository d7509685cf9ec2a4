package supervisor

import (
	"context"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/recourse-dev/recourse/clients/agentctl/wire"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/fault"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/gen/go/recourse/v1/recoursev1connect"
)

// Remote is a wakeup that a server owns.
type Remote struct {
	API        recoursev1connect.RecoveryServiceClient // errors are *fault.Error
	Workspace  string
	WakeupID   string
	Supervisor *v1.Supervisor
	// TakeOver claims the wakeup from a supervisor of this host that is gone.
	TakeOver bool
	// Resume is the agent's own session that the first run resumes instead of
	// sending the prompt, because a person goes on with an older wakeup; "" does not.
	Resume string
	// NotBefore is a stated reset that the first claim waits for, zero does not.
	NotBefore time.Time
	Clock     Clock
	// Ahead is the server's clock minus this host's.
	Ahead time.Duration

	claimed bool
}

// The longest that one call may take, and that a claim may wait in the server.
const (
	callTimeout = 20 * time.Second
	claimWait   = 25 * time.Second
)

func (r *Remote) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, callTimeout)
}

// Claim asks the server until the wakeup is due there.
func (r *Remote) Claim(ctx context.Context, _ time.Time) (Run, error) {
	if !r.claimed && !r.NotBefore.IsZero() {
		if err := sleepUntil(ctx, r.Clock, r.NotBefore); err != nil {
			return Run{}, err
		}
	}
	for {
		began := time.Now()
		answer, err := r.claim(ctx)
		if err != nil {
			return Run{}, err
		}
		if claims := answer.GetClaims(); len(claims) > 0 {
			return r.run(claims[0]), nil
		}
		// A server that cannot wait must not be asked in a tight loop.
		if pause := time.Second - time.Since(began); pause > 0 {
			if err := (System{}).Sleep(ctx, pause); err != nil {
				return Run{}, err
			}
		}
	}
}

func (r *Remote) claim(ctx context.Context) (*v1.ClaimWakeupsResponse, error) {
	bounded, cancel := context.WithTimeout(ctx, claimWait+callTimeout)
	defer cancel()
	answer, err := r.API.ClaimWakeups(bounded, &v1.ClaimWakeupsRequest{
		WorkspaceId: r.Workspace, WakeupIds: []string{r.WakeupID}, Supervisor: r.Supervisor,
		TakeOver: r.TakeOver, Wait: durationpb.New(claimWait),
	})
	if err == nil {
		return answer, nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if fault.Is(err, fault.ReasonNotClaimable) {
		return nil, r.whyNot(ctx, err)
	}
	return nil, err
}

// whyNot tells a wakeup that has ended from one that somebody else has.
func (r *Remote) whyNot(ctx context.Context, refused error) error {
	wakeup, err := r.wakeup(ctx)
	if err != nil {
		return err
	}
	switch wakeup.GetStatus() {
	case v1.WakeupStatus_WAKEUP_STATUS_COMPLETED, v1.WakeupStatus_WAKEUP_STATUS_FAILED,
		v1.WakeupStatus_WAKEUP_STATUS_TIMED_OUT, v1.WakeupStatus_WAKEUP_STATUS_CANCELLED:
		return &EndedError{Status: wakeup.GetStatus(), By: wakeup.GetStatusReason(), Verdict: verdictOfWakeup(wakeup)}
	case v1.WakeupStatus_WAKEUP_STATUS_PARKED:
		// Parked for a person, as by the workspace's Off switch: there is nothing to wait for here.
		return &EndedError{Status: wakeup.GetStatus(), By: wakeup.GetLastDecision().GetReason(), Verdict: verdictOfWakeup(wakeup)}
	}
	return refused
}

func (r *Remote) wakeup(ctx context.Context) (*v1.Wakeup, error) {
	ctx, cancel := r.bounded(ctx)
	defer cancel()
	answer, err := r.API.GetWakeup(ctx, &v1.GetWakeupRequest{WorkspaceId: r.Workspace, WakeupId: r.WakeupID})
	if err != nil {
		return nil, err
	}
	return answer.GetWakeup(), nil
}

func (r *Remote) run(c *v1.Claim) Run {
	run := Run{ID: c.GetRun().GetRunId(), Token: c.GetLeaseToken()}
	if c.GetRun().GetSend() == v1.SendKind_SEND_KIND_CONTINUE {
		run.Continue, run.Session = true, c.GetWakeup().GetNativeSessionId()
	}
	run.Fresh = c.GetRun().GetSend() == v1.SendKind_SEND_KIND_FRESH
	if !r.claimed && r.Resume != "" {
		run.Continue, run.Session = true, r.Resume
	}
	r.claimed = true
	return run
}

// BeginSend asks to send.
func (r *Remote) BeginSend(ctx context.Context, run Run) (time.Duration, error) {
	ctx, cancel := r.bounded(ctx)
	defer cancel()
	answer, err := r.API.BeginSend(ctx, &v1.BeginSendRequest{WorkspaceId: r.Workspace, RunId: run.ID, LeaseToken: run.Token})
	if err != nil {
		return 0, err
	}
	return answer.GetSendWithin().AsDuration(), nil
}

// Delivered says that the agent has the prompt.
func (r *Remote) Delivered(ctx context.Context, run Run, session string) error {
	ctx, cancel := r.bounded(ctx)
	defer cancel()
	_, err := r.API.MarkDelivered(ctx, &v1.MarkDeliveredRequest{
		WorkspaceId: r.Workspace, RunId: run.ID, LeaseToken: run.Token, NativeSessionId: session,
	})
	return err
}

// Progress reports effects as they are seen.
func (r *Remote) Progress(ctx context.Context, run Run, effects evidence.Effects, session string) error {
	ctx, cancel := r.bounded(ctx)
	defer cancel()
	_, err := r.API.RecordProgress(ctx, &v1.RecordProgressRequest{
		WorkspaceId: r.Workspace, RunId: run.ID, LeaseToken: run.Token, Effects: wire.Effects(effects), NativeSessionId: session,
	})
	return err
}

// Fail reports a failure; the server decides.
func (r *Remote) Fail(ctx context.Context, run Run, report Report) (Verdict, error) {
	bounded, cancel := r.bounded(ctx)
	defer cancel()
	answer, err := r.API.ReportFailure(bounded, &v1.ReportFailureRequest{
		WorkspaceId: r.Workspace, RunId: run.ID, LeaseToken: run.Token, RequestId: report.RequestID,
		Envelope: wire.Envelope(report.Envelope), NativeSessionId: report.Session, CostUsd: report.CostUSD,
	})
	if err != nil {
		return r.settledBefore(ctx, err)
	}
	return Verdict{
		Classification: answer.GetClassification(), Decision: answer.GetDecision(), Status: answer.GetWakeup().GetStatus(),
	}, nil
}

// settledBefore: an outcome that was stored under another request is as good.
func (r *Remote) settledBefore(ctx context.Context, err error) (Verdict, error) {
	if !fault.Is(err, fault.ReasonRunAlreadySettled) {
		return Verdict{}, err
	}
	wakeup, getErr := r.wakeup(ctx)
	if getErr != nil {
		return Verdict{}, getErr
	}
	return verdictOfWakeup(wakeup), nil
}

func verdictOfWakeup(w *v1.Wakeup) Verdict {
	return Verdict{Classification: w.GetLastClassification(), Decision: w.GetLastDecision(), Status: w.GetStatus()}
}

// Succeed reports a success.
func (r *Remote) Succeed(ctx context.Context, run Run, report Report) error {
	ctx, cancel := r.bounded(ctx)
	defer cancel()
	_, err := r.API.ReportSuccess(ctx, &v1.ReportSuccessRequest{
		WorkspaceId: r.Workspace, RunId: run.ID, LeaseToken: run.Token, RequestId: report.RequestID,
		Effects: wire.Effects(report.Envelope.Effects), NativeSessionId: report.Session, CostUsd: report.CostUSD,
	})
	return err
}

// CancelWait ends the wait.
func (r *Remote) CancelWait(ctx context.Context) error {
	ctx, cancel := r.bounded(ctx)
	defer cancel()
	_, err := r.API.CancelWait(ctx, &v1.CancelWaitRequest{WorkspaceId: r.Workspace, WakeupId: r.WakeupID})
	return err
}

// Offset is the server's clock minus this host's.
func (r *Remote) Offset() time.Duration { return r.Ahead }
