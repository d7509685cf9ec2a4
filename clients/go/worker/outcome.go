package worker

import (
	"context"

	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// Outcome is how a job ended.
type Outcome struct {
	// Failure is the evidence of a failure; nil is a success.
	Failure *recoursev1.EvidenceEnvelope
	// Effects are what a success is known to have done; a failure's are in its evidence.
	Effects         *recoursev1.Effects
	NativeSessionID string
	CostUSD         float64
}

// Succeeded is the outcome of a job that did what was asked.
func Succeeded(effects *recoursev1.Effects) Outcome { return Outcome{Effects: effects} }

// Failed is the outcome of a job that failed with this evidence.
func Failed(evidence *recoursev1.EvidenceEnvelope) Outcome { return Outcome{Failure: evidence} }

// NotSent is the outcome of a job of which no byte was sent, as when its
// process could not be started. The cause is evidence: it must hold no secret.
func NotSent(cause error) Outcome {
	return Failed(&recoursev1.EvidenceEnvelope{
		Phase: recoursev1.Phase_PHASE_LAUNCH,
		Effects: &recoursev1.Effects{
			AssistantOutput: recoursev1.Effect_EFFECT_NONE, ToolActivity: recoursev1.Effect_EFFECT_NONE, PartialResult: recoursev1.Effect_EFFECT_NONE,
		},
		Signals: []*recoursev1.Signal{
			{Channel: &recoursev1.Signal_ProcessExit{ProcessExit: &recoursev1.ProcessExitSignal{SpawnError: cause.Error()}}},
		},
	})
}

// report settles the run; its request id makes the first answer count however
// often it is repeated. A run that was lost meanwhile may still be settled:
// the server decides.
func (j *Job) report(ctx context.Context, o Outcome) error {
	id := "settle-" + j.Run.GetRunId()
	return j.persist(ctx, func(ctx context.Context) error {
		recovery, workspace := j.pool.cfg.Client.Recovery, j.pool.cfg.Workspace
		var err error
		if o.Failure != nil {
			_, err = recovery.ReportFailure(ctx, &recoursev1.ReportFailureRequest{
				WorkspaceId: workspace, RunId: j.Run.GetRunId(), LeaseToken: j.token, RequestId: id,
				Envelope: o.Failure, NativeSessionId: o.NativeSessionID, CostUsd: o.CostUSD,
			})
			return err
		}
		_, err = recovery.ReportSuccess(ctx, &recoursev1.ReportSuccessRequest{
			WorkspaceId: workspace, RunId: j.Run.GetRunId(), LeaseToken: j.token, RequestId: id,
			Effects: o.Effects, NativeSessionId: o.NativeSessionID, CostUsd: o.CostUSD,
		})
		return err
	})
}
