package recovery_test

import (
	"strconv"
	"time"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/recovery"
)

func (p *printer) launches() {
	p.title("The worker pool's own budget: nothing sent, nothing done, phase launch, by starts already tried")
	p.head("code", "attended", "0", "1", "2", "3")
	for _, code := range allCodes() {
		for _, attended := range []bool{false, true} {
			cells := []string{string(code), strconv.FormatBool(attended)}
			for tried := range 4 {
				f := unstarted()
				f.Unattended, f.Progress.Runtime = !attended, tried
				cells = append(cells, answer(decide(f, failure(code))))
			}
			p.row(cells...)
		}
	}
}

func (p *printer) consents() {
	p.title("What goes on by itself, held against the Off switch and a person's bounds (noon UTC)")
	bounds := []struct {
		name string
		put  func(*recovery.Facts)
	}{
		{"no bound", func(*recovery.Facts) {}},
		{"switched off", func(f *recovery.Facts) { f.RecoveryOff = true }},
		{"runs from 22:00 to 06:00", func(f *recovery.Facts) {
			f.Consent.RunWindow = recovery.RunWindow{Start: 22 * 60, End: 6 * 60, Zone: "UTC"}
		}},
		{"3 runs a day, 3 had", func(f *recovery.Facts) { f.Consent.MaxAttemptsPerDay, f.Usage.RunsLastDay = 3, 3 }},
		{"1 USD a run, 2 spent", func(f *recovery.Facts) { f.Consent.MaxCostPerRun, f.Usage.CostUSD = 1, 2 }},
		{"1 h of waits in all", func(f *recovery.Facts) { f.Consent.MaxTotalWait = time.Hour }},
	}
	header := []string{"policy", "failure"}
	for _, b := range bounds {
		header = append(header, b.name)
	}
	p.head(header...)
	quota := resetAt(failure(classification.QuotaLimited), noon.Add(4*time.Hour))
	for _, c := range []struct {
		policy, failure string
		facts           recovery.Facts
		result          classification.Result
	}{
		{"interactive", "provider_overloaded", calm(recovery.ContextInteractive), failure(classification.ProviderOverloaded)},
		{"interactive", "auth_required", calm(recovery.ContextInteractive), failure(classification.AuthRequired)},
		{"patient", "quota_limited, reset in 4 h", patient(0), quota},
		{"unattended_default, last candidate", "quota_limited, reset in 4 h", unattended(0), quota},
		{"unattended_default, last candidate", "auth_required", unattended(0), failure(classification.AuthRequired)},
		{"unattended_default, another left", "quota_limited, reset in 4 h", unattended(1), quota},
		{"worker pool", "agent_runtime_error, not sent", unstarted(), failure(classification.AgentRuntimeError)},
	} {
		cells := []string{c.policy, c.failure}
		for _, b := range bounds {
			f := c.facts
			b.put(&f)
			cells = append(cells, answer(decideZoned(f, c.result)))
		}
		p.row(cells...)
	}
}
