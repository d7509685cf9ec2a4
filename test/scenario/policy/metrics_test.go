package policy

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/server/config"
	"github.com/recourse-dev/recourse/server/servertest"
)

// scrape reads /metrics; an empty token sends none.
func (w *world) scrape(token string) (status int, text string) {
	w.Helper()
	request, err := http.NewRequestWithContext(w.Context(), http.MethodGet, w.server.URL+"/metrics", nil)
	require.NoError(w, err)
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := http.DefaultClient.Do(request)
	require.NoError(w, err)
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	require.NoError(w, err)
	return answer.StatusCode, string(body)
}

func TestMetricsTellWhatHappened(t *testing.T) {
	t.Parallel()
	w := start(t)
	claim := w.deliver(w.claim(w.begin(nil)))
	report := &v1.ReportFailureRequest{RunId: claim.GetRun().GetRunId(), LeaseToken: claim.GetLeaseToken(), RequestId: "once", Envelope: envelope(overloaded())}
	report.Envelope.Phase = v1.Phase_PHASE_PRE_OUTPUT
	var rule string
	for range 2 { // the repeat is no second failure
		answer, err := w.c.Recovery.ReportFailure(t.Context(), report)
		require.NoError(t, err)
		rule = answer.GetClassification().GetRuleId()
	}
	done := w.deliver(w.claim(w.begin(nil)))
	_, err := w.c.Recovery.ReportSuccess(t.Context(), &v1.ReportSuccessRequest{RunId: done.GetRun().GetRunId(), LeaseToken: done.GetLeaseToken()})
	require.NoError(t, err)

	status, _ := w.scrape("")
	require.Equal(t, http.StatusUnauthorized, status)
	status, text := w.scrape(w.server.AdminToken)
	require.Equal(t, http.StatusOK, status)
	for _, line := range []string{
		`recourse_decisions_total{agent="claude",code="provider_overloaded",context="interactive",provider="anthropic",result="retry",rule="` + rule + `"} 1`,
		`recourse_runs_total{agent="claude",outcome="failed",provider="anthropic"} 1`,
		`recourse_runs_total{agent="claude",outcome="succeeded",provider="anthropic"} 1`,
		`recourse_claims_total{delivery="caller"} 2`,
		`recourse_claim_lateness_seconds_count 2`,
		`recourse_wakeups_open{status="scheduled_retry"} 1`,
		"go_goroutines ", "process_open_fds ",
	} {
		require.True(t, strings.Contains(text, line), "%s is missing in\n%s", line, ours(text))
	}
}

func TestMetricsOfTheirOwnListenerNeedNoToken(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Configure(func(c *config.Config) { c.MetricsListen = "127.0.0.1:0" }))
	w := &world{T: t, server: s, c: s.Client(t, s.AdminToken)}
	status, _ := w.scrape(s.AdminToken)
	require.Equal(t, http.StatusNotFound, status, "it is not on the main listener then")
}

// ours are the lines that the product itself adds.
func ours(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "recourse_") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}
