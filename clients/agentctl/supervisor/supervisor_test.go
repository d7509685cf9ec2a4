package supervisor_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/clients/agentctl/journal"
	"github.com/recourse-dev/recourse/clients/agentctl/supervisor"
	"github.com/recourse-dev/recourse/clients/agentctl/supervisor/spool"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/fault"
)

func TestTheDelaysAreThoseOfThePolicy(t *testing.T) {
	t.Parallel()
	b := newBench(t, "echo '"+overloaded+"'; exit 1\n", journal.Policy{})
	result, err := b.Run(t.Context(), time.Time{})
	require.NoError(t, err)
	require.Equal(t, supervisor.EndStopped, result.End)
	require.Equal(t, 1, result.Code)
	require.Equal(t, "6", b.launches(t))
	var total time.Duration
	for _, d := range b.clock.slept {
		total += d
	}
	require.Equal(t, (5+10+20+40+60)*time.Second, total, "%v", b.clock.slept)
	require.Equal(t, "API Error: 529 Overloaded.\n", b.out.String(), "what is retried prints nothing")
}

func TestPatiencePrefersTheStatedReset(t *testing.T) {
	t.Parallel()
	limit := `{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":1796047200,"rateLimitType":"five_hour","isUsingOverage":false},"session_id":"3f0f2a51-6d0c-4d3e-9b5a-2f6f0f6c1d10"}`
	failed := strings.NewReplacer("529", "429", "API Error: 429 Overloaded.", "You have hit your 5-hour limit").Replace(overloaded)
	b := newBench(t, "[ $n -gt 1 ] && { echo '"+answered+"'; exit 0; }\necho '"+limit+"'; echo '"+strings.ReplaceAll(failed, "'", "")+"'; exit 1\n", journal.Policy{Wait: true})
	result, err := b.Run(t.Context(), time.Time{})
	require.NoError(t, err)
	require.Equal(t, supervisor.EndSucceeded, result.End, "%v", b.notices)
	// 14:00 UTC as stated, and the margin for a provider that lags.
	require.Equal(t, time.Date(2026, 11, 30, 14, 0, 30, 0, time.UTC), b.clock.Now())
}

func TestAResetWithoutConsentIsNeverWaitedFor(t *testing.T) {
	t.Parallel()
	limit := `{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":1796047200,"rateLimitType":"five_hour","isUsingOverage":false},"session_id":"3f0f2a51-6d0c-4d3e-9b5a-2f6f0f6c1d10"}`
	b := newBench(t, "echo '"+limit+"'; echo '"+strings.ReplaceAll(overloaded, "529", "429")+"'; exit 1\n", journal.Policy{})
	result, err := b.Run(t.Context(), time.Time{})
	require.NoError(t, err)
	require.Equal(t, supervisor.EndStopped, result.End)
	require.Equal(t, "1", b.launches(t))
	require.Empty(t, b.clock.slept)
}

func TestNothingIsLaunchedThatTheJournalDoesNotKnow(t *testing.T) {
	t.Parallel()
	b := newBench(t, "grep -c '\"kind\":\"sending\"' state/wakeups/w1/log.jsonl > known; echo '"+answered+"'\n", journal.Policy{})
	result, err := b.Run(t.Context(), time.Time{})
	require.NoError(t, err)
	require.Equal(t, supervisor.EndSucceeded, result.End)
	known, err := os.ReadFile(filepath.Join(b.dir, "known"))
	require.NoError(t, err)
	require.Equal(t, "1\n", string(known), "the process started before its record was on the disk")
	var kinds []journal.Kind
	for _, r := range b.Entry.State().History {
		kinds = append(kinds, r.Kind)
	}
	require.Equal(t, []journal.Kind{journal.KindClaimed, journal.KindSending, journal.KindDelivered, journal.KindSession, journal.KindEnded, journal.KindCompleted}, kinds)
}

// ledger is a double that a test scripts.
type ledger struct {
	supervisor.Ledger // answers what the test does not

	mu         sync.Mutex
	failures   []error // of the first calls of Fail
	reports    []supervisor.Report
	beginSend  error
	heartbeats error
	cancelled  int
}

func (l *ledger) BeginSend(ctx context.Context, run supervisor.Run) (time.Duration, error) {
	return 0, l.beginSend
}

func (l *ledger) Heartbeat(context.Context, supervisor.Run) (supervisor.Beat, error) {
	return supervisor.Beat{Next: 10 * time.Millisecond}, l.heartbeats
}

func (l *ledger) Fail(ctx context.Context, run supervisor.Run, r supervisor.Report) (supervisor.Verdict, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reports = append(l.reports, r)
	if len(l.failures) > 0 {
		err := l.failures[0]
		l.failures = l.failures[1:]
		return supervisor.Verdict{}, err
	}
	return l.Ledger.Fail(ctx, run, r)
}

func (l *ledger) CancelWait(ctx context.Context) error {
	l.cancelled++
	return nil
}

func unavailable() error {
	return fault.New(fault.Unavailable, fault.ReasonDatabaseUnavailable, "down")
}

func TestAReportIsRepeatedUnderTheSameRequestID(t *testing.T) {
	t.Parallel()
	b := newBench(t, "echo 'Error: no such option'; exit 2\n", journal.Policy{})
	double := &ledger{Ledger: b.Ledger, failures: []error{unavailable(), unavailable()}}
	b.Ledger = double
	result, err := b.Run(t.Context(), time.Time{})
	require.NoError(t, err)
	require.Equal(t, supervisor.EndStopped, result.End)
	require.Len(t, double.reports, 3)
	for _, r := range double.reports {
		require.Equal(t, double.reports[0], r)
		require.NotEmpty(t, r.RequestID)
	}
	require.Equal(t, []supervisor.NoticeKind{supervisor.NoticeUnreachable, supervisor.NoticeReachable, supervisor.NoticeStopped}, b.kinds(), "it says so once")
}

func TestALostLeaseEndsTheChildAndReportsNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t, "while :; do sleep 0.05; done\n", journal.Policy{})
	double := &ledger{Ledger: b.Ledger, heartbeats: fault.New(fault.Aborted, fault.ReasonStaleLease, "gone")}
	b.Ledger = double
	result, err := b.Run(t.Context(), time.Time{})
	require.NoError(t, err)
	require.Equal(t, supervisor.EndLost, result.End)
	require.Empty(t, double.reports)
	require.Equal(t, []supervisor.NoticeKind{supervisor.NoticeLeaseLost}, b.kinds())
}

func TestWithoutPermissionNothingIsLaunched(t *testing.T) {
	t.Parallel()
	b := newBench(t, "exit 0\n", journal.Policy{})
	b.Ledger = &ledger{Ledger: b.Ledger, beginSend: fault.New(fault.Aborted, fault.ReasonStaleLease, "gone")}
	result, err := b.Run(t.Context(), time.Time{})
	require.NoError(t, err)
	require.Equal(t, supervisor.EndLost, result.End)
	require.Equal(t, "0", b.launches(t))
	require.Equal(t, journal.PhaseQueued, b.Entry.State().Phase)
}

func TestAnUnreportedOutcomeIsReportedByWhoeverContinues(t *testing.T) {
	t.Parallel()
	b := newBench(t, "[ $n -gt 1 ] && { echo '"+answered+"'; exit 0; }\necho '"+overloaded+"'; exit 1\n", journal.Policy{})
	double := &ledger{Ledger: b.Ledger, failures: []error{fault.New(fault.Internal, fault.ReasonInternal, "the first process dies here")}}
	b.Ledger = double
	_, err := b.Run(t.Context(), time.Time{})
	require.Error(t, err)
	require.Equal(t, journal.PhaseEnded, b.Entry.State().Phase)

	result, err := b.Resume(t.Context())
	require.NoError(t, err)
	require.Equal(t, supervisor.EndSucceeded, result.End)
	require.Equal(t, "2", b.launches(t))
	require.Len(t, double.reports, 2)
	require.Equal(t, double.reports[0].RequestID, double.reports[1].RequestID)
	require.Equal(t, double.reports[0].Envelope.Signals, double.reports[1].Envelope.Signals)
}

func TestInputThatCannotBeRepeatedStopsTheWait(t *testing.T) {
	t.Parallel()
	b := newBench(t, "cat > /dev/null; echo '"+overloaded+"'; exit 1\n", journal.Policy{})
	double := &ledger{Ledger: b.Ledger}
	b.Ledger = double
	b.Stdin = spool.Replay([]byte("only a part"), false)
	result, err := b.Run(t.Context(), time.Time{})
	require.NoError(t, err)
	require.Equal(t, supervisor.EndStopped, result.End)
	require.Equal(t, 1, double.cancelled, "the scheduled retry has no owner")
	require.True(t, b.notices[len(b.notices)-1].NotReplayable)
	require.Equal(t, "1", b.launches(t))
}

func TestTheEvidenceIsRedactedBeforeAnybodySeesIt(t *testing.T) {
	t.Parallel()
	key := "sk-ant-" + "api03-" + strings.Repeat("Zx9", 20)
	b := newBench(t, "echo 'API Error: 401 bad key "+key+"'; exit 1\n", journal.Policy{})
	double := &ledger{Ledger: b.Ledger}
	b.Ledger = double
	_, err := b.Run(t.Context(), time.Time{})
	require.NoError(t, err)
	require.Len(t, double.reports, 1)
	for _, s := range double.reports[0].Envelope.Signals {
		require.NotContains(t, s.Text+s.Data, key)
	}
	require.NotContains(t, string(b.Entry.State().Last.Report), key)
	require.Equal(t, evidence.DeliveryAcknowledged, double.reports[0].Envelope.Effects.Delivery)
}
