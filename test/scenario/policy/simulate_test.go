package policy

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/recourse-dev/recourse/core/fault"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

func preset(p v1.PolicyPreset) *v1.SimulatePolicyRequest {
	return &v1.SimulatePolicyRequest{Policy: &v1.SimulatePolicyRequest_Preset{Preset: &v1.PolicyChoice{Preset: p}}}
}

func (w *world) simulate(request *v1.SimulatePolicyRequest) *v1.SimulatePolicyResponse {
	w.Helper()
	answer, err := w.c.Recovery.SimulatePolicy(w.Context(), request)
	require.NoError(w, err)
	var byREST v1.SimulatePolicyResponse
	w.rest(http.MethodPost, "/policies:simulate", request, &byREST)
	if len(request.GetCases()) == 0 { // a case is decided now, with its own jitter
		require.Equal(w, answer.String(), byREST.String(), "REST says the same")
	}
	return answer
}

// happenings are failures of many kinds under the interactive policy.
func (w *world) happenings() []string {
	w.Helper()
	var runs []string
	acted := overloaded()
	acted.effect = seen
	unclassified := failure{effect: none, signals: []*v1.Signal{{Channel: &v1.Signal_Stderr{Stderr: &v1.TextSignal{Text: "something odd"}}}}}
	login := failure{effect: none, signals: response(401, `{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}`, nil)}
	for _, f := range []failure{overloaded(), limited("20"), limited("1200"), acted, unclassified, login} {
		claim := w.deliver(w.claim(w.begin(nil)))
		w.fail(claim, f)
		runs = append(runs, claim.GetRun().GetRunId())
	}
	return runs
}

func TestThePolicyInForceSimulatesToWhatWasDecided(t *testing.T) {
	t.Parallel()
	w := start(t)
	runs := w.happenings()
	answer := w.simulate(preset(v1.PolicyPreset_POLICY_PRESET_INTERACTIVE))
	require.Len(t, answer.GetDecisions(), len(runs))
	for i, d := range answer.GetDecisions() {
		require.Equal(t, runs[len(runs)-1-i], d.GetRunId(), "newest first")
		require.Equal(t, d.GetDecided().String(), d.GetSimulated().String())
		stored, err := w.c.Recovery.GetRun(t.Context(), &v1.GetRunRequest{RunId: d.GetRunId()})
		require.NoError(t, err)
		require.Equal(t, stored.GetRun().GetDecision().String(), d.GetDecided().String())
	}
	totals := answer.GetTotals()
	require.EqualValues(t, len(runs), totals.GetFailures())
	require.Zero(t, totals.GetChanged())
	require.Equal(t, totals.GetFailures(), totals.GetRetried()+totals.GetStopped()+totals.GetWaited()+totals.GetSwitched()+totals.GetParked())
}

func TestAnotherPolicyChangesOnlyWhatItMay(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.happenings()
	before, err := w.c.Recovery.ListRuns(t.Context(), &v1.ListRunsRequest{PageSize: 1000})
	require.NoError(t, err)
	strict := &v1.ClassPolicy{OnExhausted: v1.OnExhausted_ON_EXHAUSTED_STOP}
	answer := w.simulate(&v1.SimulatePolicyRequest{Policy: &v1.SimulatePolicyRequest_Classes{Classes: &v1.ClassPolicies{Transient: strict, Hard: strict}}})
	require.Equal(t, answer.GetTotals().GetFailures(), answer.GetTotals().GetStopped())
	var retried int32
	for _, d := range answer.GetDecisions() {
		if d.GetDecided().GetAction() == v1.Action_ACTION_RETRY {
			retried++
		}
	}
	require.Positive(t, retried)
	require.Equal(t, retried, answer.GetTotals().GetChanged())

	skip := &v1.ClassPolicy{OnExhausted: v1.OnExhausted_ON_EXHAUSTED_SKIP}
	switched := w.simulate(&v1.SimulatePolicyRequest{
		Policy:         &v1.SimulatePolicyRequest_Classes{Classes: &v1.ClassPolicies{Transient: skip, Hard: skip}},
		CandidatesLeft: 1,
	})
	require.Positive(t, switched.GetTotals().GetSwitched())
	require.Zero(t, switched.GetTotals().GetParked())
	after, err := w.c.Recovery.ListRuns(t.Context(), &v1.ListRunsRequest{PageSize: 1000})
	require.NoError(t, err)
	require.Equal(t, before.String(), after.String(), "nothing was written")
}

func TestAttemptsAreChosenByTimeAndCode(t *testing.T) {
	t.Parallel()
	w := start(t)
	runs := w.happenings()
	request := preset(v1.PolicyPreset_POLICY_PRESET_PATIENT)
	request.MaxAttempts = 2
	answer := w.simulate(request)
	require.Len(t, answer.GetDecisions(), 2)
	require.True(t, answer.GetMore())
	require.Equal(t, runs[len(runs)-1], answer.GetDecisions()[0].GetRunId())
	request.MaxAttempts, request.Code = 0, v1.Code_CODE_PROVIDER_OVERLOADED
	answer = w.simulate(request)
	require.Len(t, answer.GetDecisions(), 2)
	require.False(t, answer.GetMore())
	request.Code = v1.Code_CODE_UNSPECIFIED
	request.DecidedAfter = timestamppb.New(time.Now().Add(time.Hour))
	require.Empty(t, w.simulate(request).GetDecisions())
	request.DecidedAfter, request.DecidedBefore = nil, timestamppb.New(time.Now().Add(-time.Hour))
	require.Empty(t, w.simulate(request).GetDecisions())
}

func TestPostedCasesAreFirstFailures(t *testing.T) {
	t.Parallel()
	w := start(t)
	request := preset(v1.PolicyPreset_POLICY_PRESET_PATIENT)
	for _, f := range []failure{overloaded(), limited("1200")} {
		f.phase = v1.Phase_PHASE_PRE_OUTPUT
		request.Cases = append(request.Cases, envelope(f))
	}
	answer := w.simulate(request)
	require.Len(t, answer.GetDecisions(), 2)
	require.Equal(t, v1.Action_ACTION_RETRY, answer.GetDecisions()[0].GetSimulated().GetAction())
	require.EqualValues(t, 1, answer.GetDecisions()[0].GetSimulated().GetOrdinal())
	require.Nil(t, answer.GetDecisions()[0].GetDecided())
	require.Empty(t, answer.GetDecisions()[0].GetRunId())
	require.Zero(t, answer.GetTotals().GetChanged())
}

func TestAPolicyThatCannotBeIsRefusedByItsField(t *testing.T) {
	t.Parallel()
	w := start(t)
	good := &v1.ClassPolicy{OnExhausted: v1.OnExhausted_ON_EXHAUSTED_STOP}
	bad := &v1.ClassPolicy{Retry: &v1.RetryPolicy{Enabled: true, MaxRetries: 11, InitialInterval: durationpb.New(time.Second)}, OnExhausted: v1.OnExhausted_ON_EXHAUSTED_STOP}
	_, err := w.c.Recovery.SimulatePolicy(t.Context(), &v1.SimulatePolicyRequest{
		Policy: &v1.SimulatePolicyRequest_Classes{Classes: &v1.ClassPolicies{Transient: bad, Hard: good}},
	})
	require.Equal(t, "classes.transient.retry.max_retries", fault.From(err).Violations[0].Field)
	_, err = w.server.Client(t, w.server.Token(t, v1.Role_ROLE_WORKER)).Recovery.SimulatePolicy(t.Context(), preset(v1.PolicyPreset_POLICY_PRESET_PATIENT))
	require.Equal(t, fault.PermissionDenied, fault.From(err).Kind)
}
