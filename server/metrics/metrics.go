// Package metrics counts what the recovery service does, for /metrics. Every
// label has a bounded set of values: what a caller may write freely becomes
// "other".
package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/recourse-dev/recourse/core/work"
)

// Recovery are the metrics of the recovery path. It is safe for concurrent use.
type Recovery struct {
	decisions *prometheus.CounterVec
	runs      *prometheus.CounterVec
	claims    *prometheus.CounterVec
	lateness  prometheus.Histogram
}

// New registers the metrics; it panics when they are registered already.
func New(r prometheus.Registerer) *Recovery {
	m := &Recovery{
		decisions: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "recourse_decisions_total", Help: "Failures, by what they were classified as and what followed.",
		}, []string{"code", "context", "result", "agent", "provider", "rule"}),
		runs: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "recourse_runs_total", Help: "Runs that were reported, by their outcome.",
		}, []string{"outcome", "agent", "provider"}),
		claims: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "recourse_claims_total", Help: "Wakeups that were claimed, by who delivers them.",
		}, []string{"delivery"}),
		lateness: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "recourse_claim_lateness_seconds", Help: "From the instant at which a wakeup was due to its claim.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300},
		}),
	}
	r.MustRegister(m.decisions, m.runs, m.claims, m.lateness)
	return m
}

func (m *Recovery) claimed(c work.Claim) {
	m.claims.WithLabelValues(orUnknown(string(c.Wakeup.Delivery))).Inc()
	if !c.DueAt.IsZero() {
		m.lateness.Observe(max(c.Run.ClaimedAt.Sub(c.DueAt).Seconds(), 0))
	}
}

func (m *Recovery) settled(s work.Settled) {
	if s.Replayed {
		return
	}
	r := s.Run
	agent, provider := agentLabel(r.Profile.AgentKind), providerLabel(r.Profile.Provider)
	m.runs.WithLabelValues(orUnknown(string(r.Outcome)), agent, provider).Inc()
	if r.Classification == nil || r.Decision == nil {
		return
	}
	if provider == unknown {
		provider = providerLabel(r.Classification.Provider)
	}
	m.decisions.WithLabelValues(
		string(r.Classification.Code), contextLabel(r.Profile.Policy), string(r.Decision.Action), agent, provider, orUnknown(r.Classification.RuleID),
	).Inc()
}
