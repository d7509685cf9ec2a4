package crash

import (
	"context"
	"fmt"
	"slices"

	"github.com/stretchr/testify/require"

	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// requireKept checks one wakeup against the ledger, which no crash touches:
// what was acknowledged is there, nothing was delivered twice, nothing is lost.
// It says how the wakeup ended.
func (r *rig) requireKept(id string) string {
	r.t.Helper()
	ledger, err := readLedger(r.ledger, id)
	require.NoError(r.t, err)
	w, runs := r.wakeup(id), map[string]*recoursev1.Run{}
	for _, run := range r.runs(id) {
		runs[run.GetRunId()] = run
	}
	require.Len(r.t, runs, int(w.GetRunCount()))
	for _, e := range ledger {
		require.Contains(r.t, runs, e.Run, "an acknowledged claim is gone")
		r.requireFact(e, runs[e.Run], w)
	}
	r.requireOnce(deliveries(ledger), runs)
	times := len(deliveries(ledger))
	if w.GetStatus() == recoursev1.WakeupStatus_WAKEUP_STATUS_COMPLETED {
		return fmt.Sprintf("completed; delivered %d×", times)
	}
	require.Equal(r.t, recoursev1.WakeupStatus_WAKEUP_STATUS_FAILED, w.GetStatus())
	r.requirePersonAsked(w)
	return fmt.Sprintf("a person is asked; delivered %d×", times)
}

// requireFact: what a worker was told is so.
func (r *rig) requireFact(e entry, run *recoursev1.Run, w *recoursev1.Wakeup) {
	r.t.Helper()
	switch e.Kind {
	case "delivered":
		require.NotNil(r.t, run.GetSendingAt(), "delivered without a grant")
	case "MarkDelivered":
		require.NotNil(r.t, run.GetDeliveredAt())
	case "ReportFailure":
		require.Equal(r.t, recoursev1.RunOutcome_RUN_OUTCOME_FAILED, run.GetOutcome())
	case "ReportSuccess":
		require.Equal(r.t, recoursev1.RunOutcome_RUN_OUTCOME_SUCCEEDED, run.GetOutcome())
		require.Equal(r.t, recoursev1.WakeupStatus_WAKEUP_STATUS_COMPLETED, w.GetStatus())
	}
}

// requireOnce: a run is delivered once, and a prompt again only after the
// policy decided it on a failure that is known to have had no effect.
func (r *rig) requireOnce(delivered []entry, runs map[string]*recoursev1.Run) {
	r.t.Helper()
	var seen []string
	for _, e := range delivered {
		require.NotContains(r.t, seen, e.Run, "one run was delivered twice")
		for _, before := range seen {
			d := runs[before].GetDecision()
			require.Equal(r.t, recoursev1.RunOutcome_RUN_OUTCOME_FAILED, runs[before].GetOutcome(), "delivered again after a delivery that nobody answered for")
			require.Equal(r.t, recoursev1.Action_ACTION_RETRY, d.GetAction())
		}
		seen = append(seen, e.Run)
	}
}

// requirePersonAsked: what nobody can know is in the list of those who must.
func (r *rig) requirePersonAsked(w *recoursev1.Wakeup) {
	r.t.Helper()
	require.Equal(r.t, recoursev1.Attention_ATTENTION_PERSON, w.GetAttention())
	require.Equal(r.t, recoursev1.StopReason_STOP_REASON_AMBIGUOUS_DELIVERY, w.GetLastDecision().GetStopReason())
	require.Nil(r.t, w.GetDueAt(), "no countdown that nobody owns")
	var listed []string
	token := ""
	for {
		page, _, err := call(r.t.Context(), func(ctx context.Context) (*recoursev1.ListRecoveriesResponse, error) {
			return r.admin.Recovery.ListRecoveries(ctx, &recoursev1.ListRecoveriesRequest{Attention: recoursev1.Attention_ATTENTION_PERSON, PageSize: 1000, PageToken: token})
		})
		require.NoError(r.t, err)
		for _, s := range page.GetRecoveries() {
			listed = append(listed, s.GetWakeupId())
		}
		if token = page.GetNextPageToken(); token == "" {
			break
		}
	}
	require.True(r.t, slices.Contains(listed, w.GetWakeupId()), "the person is never told")
}
