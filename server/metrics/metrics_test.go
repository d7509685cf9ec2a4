package metrics

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/classification"
	core "github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
	"github.com/recourse-dev/recourse/server/service/recovery"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// fake answers what the test gives it.
type fake struct {
	recovery.API
	settled work.Settled
	claims  work.Claims
	err     error
}

func (f fake) ReportFailure(context.Context, work.ReportFailure) (work.Settled, error) {
	return f.settled, f.err
}

func (f fake) ReportSuccess(context.Context, work.ReportSuccess) (work.Settled, error) {
	return f.settled, f.err
}

func (f fake) ClaimWakeups(context.Context, work.ClaimWakeups) (work.Claims, error) {
	return f.claims, f.err
}

func failed(agent, provider string) work.Settled {
	return work.Settled{Run: work.Run{
		Outcome: core.OutcomeFailed, Profile: work.Profile{AgentKind: agent, Provider: provider, Policy: work.PolicyChoice{Preset: work.PresetPatient}},
		Classification: &classification.Result{Code: classification.ModelCapacity, RuleID: "r1", Provider: "openai"},
		Decision:       &core.Decision{Action: core.ActionRetry},
	}}
}

func TestAFailureIsCountedByWhatFollowed(t *testing.T) {
	t.Parallel()
	m := New(prometheus.NewRegistry())
	api := m.Observe(fake{settled: failed("codex", "")})
	_, err := api.ReportFailure(t.Context(), work.ReportFailure{})
	require.NoError(t, err)
	require.Equal(t, map[string]float64{
		"recourse_decisions_total agent=codex code=model_capacity context=dynamic provider=openai result=retry rule=r1": 1,
		"recourse_runs_total agent=codex outcome=failed provider=unknown":                                               1,
	}, series(t, m.decisions, m.runs))
}

func TestWhatDidNotHappenIsNotCounted(t *testing.T) {
	t.Parallel()
	m := New(prometheus.NewRegistry())
	repeated := failed("codex", "openai")
	repeated.Replayed = true
	for _, f := range []fake{{settled: repeated}, {settled: failed("codex", "openai"), err: errors.New("no")}} {
		api := m.Observe(f)
		_, _ = api.ReportFailure(t.Context(), work.ReportFailure{})
		_, _ = api.ReportSuccess(t.Context(), work.ReportSuccess{})
	}
	_, _ = m.Observe(fake{claims: work.Claims{Claims: []work.Claim{{}}}, err: errors.New("no")}).ClaimWakeups(t.Context(), work.ClaimWakeups{})
	require.Empty(t, series(t, m.decisions, m.runs, m.claims))
}

// A caller that names a new agent in each call must not make a series of each.
func TestCallersCannotMakeSeries(t *testing.T) {
	t.Parallel()
	m := New(prometheus.NewRegistry())
	for i := range 1000 {
		_, err := m.Observe(fake{settled: failed(fmt.Sprintf("agent-%d", i), fmt.Sprintf("provider-%d\n{}", i))}).ReportFailure(t.Context(), work.ReportFailure{})
		require.NoError(t, err)
	}
	require.Len(t, series(t, m.decisions, m.runs), 2)
	require.Equal(t, other, agentLabel("x"))
	require.Equal(t, unknown, agentLabel(""))
	require.Equal(t, "claude", agentLabel("Claude"))
}

func TestAClaimTellsHowLateItIs(t *testing.T) {
	t.Parallel()
	m := New(prometheus.NewRegistry())
	claim := func(late time.Duration) work.Claim {
		return work.Claim{DueAt: noon, Wakeup: work.Wakeup{Delivery: work.DeliveryWorker}, Run: work.Run{ClaimedAt: noon.Add(late)}}
	}
	api := m.Observe(fake{claims: work.Claims{Claims: []work.Claim{claim(20 * time.Millisecond), claim(2 * time.Second)}}})
	_, err := api.ClaimWakeups(t.Context(), work.ClaimWakeups{})
	require.NoError(t, err)
	found := series(t, m.claims, m.lateness)
	require.InDelta(t, 2, found["recourse_claims_total delivery=worker"], 0)
	require.InDelta(t, 0, found["recourse_claim_lateness_seconds le=0.01"], 0)
	require.InDelta(t, 1, found["recourse_claim_lateness_seconds le=0.025"], 0)
	require.InDelta(t, 2, found["recourse_claim_lateness_seconds le=2.5"], 0)
}

type counting struct {
	calls int
	depth work.QueueDepth
	err   error
}

func (c *counting) QueueDepth(context.Context) (work.QueueDepth, error) {
	c.calls++
	return c.depth, c.err
}

func TestTheQueueIsCountedAtMostOnceInTenSeconds(t *testing.T) {
	t.Parallel()
	now := noon
	store := &counting{depth: work.QueueDepth{Open: map[core.WakeupStatus]int64{core.WakeupParked: 3}, Overdue: 7 * time.Second}}
	q := NewQueue(store, slog.New(slog.DiscardHandler), func() time.Time { return now })
	want := map[string]float64{
		"recourse_wakeups_open status=parked": 3, "recourse_wakeups_open status=queued": 0, "recourse_wakeups_open status=running": 0,
		"recourse_wakeups_open status=scheduled_retry": 0, "recourse_wakeups_overdue_seconds": 7,
	}
	for range 5 {
		require.Equal(t, want, series(t, q))
	}
	require.Equal(t, 1, store.calls)
	now = now.Add(keepDepth)
	store.err = errors.New("no database")
	require.Empty(t, series(t, q), "no answer is not the old answer")
	store.err = nil
	require.Equal(t, want, series(t, q))
	require.Equal(t, 3, store.calls)
}

// series gives every value of the collectors by its name and labels.
func series(t *testing.T, collectors ...prometheus.Collector) map[string]float64 {
	t.Helper()
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(collectors...)
	families, err := registry.Gather()
	require.NoError(t, err)
	out := map[string]float64{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			name := []string{f.GetName()}
			for _, l := range m.GetLabel() {
				name = append(name, l.GetName()+"="+l.GetValue())
			}
			key := strings.Join(name, " ")
			switch {
			case m.GetCounter() != nil:
				out[key] = m.GetCounter().GetValue()
			case m.GetGauge() != nil:
				out[key] = m.GetGauge().GetValue()
			}
			for _, b := range m.GetHistogram().GetBucket() {
				out[fmt.Sprintf("%s le=%v", key, b.GetUpperBound())] = float64(b.GetCumulativeCount())
			}
		}
	}
	return out
}
