package recovery_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
)

var update = flag.Bool("update", false, "rewrite testdata/policy.md")

const goldenFile = "testdata/policy.md"

// The printed tables are the policy as a person reviews it: a change of any
// cell is a change of this file.
func TestPrintedPolicy(t *testing.T) {
	t.Parallel()
	var p printer
	p.line("# Recovery policy")
	p.line("")
	p.line("Printed from the tables of core/recovery by its test; `go test ./core/recovery -run TestPrintedPolicy -update` rewrites it.")
	p.rules()
	p.stops()
	p.schedules()
	p.effects()
	p.hints()
	p.launches()
	p.consents()
	p.states()
	p.dispatch()
	p.interrupts()
	got := p.String()
	if *update {
		require.NoError(t, os.WriteFile(goldenFile, []byte(got), 0o600))
	}
	want, err := os.ReadFile(goldenFile)
	require.NoError(t, err)
	assert.Equal(t, string(want), got)
}

type printer struct{ strings.Builder }

func (p *printer) line(text string) { p.WriteString(text + "\n") }

func (p *printer) title(text string) { p.line("\n## " + text + "\n") }

func (p *printer) row(cells ...string) { p.line("| " + strings.Join(cells, " | ") + " |") }

func (p *printer) head(cells ...string) {
	p.row(cells...)
	p.line(strings.Repeat("|---", len(cells)) + "|")
}

func (p *printer) rules() {
	p.title("Rules by code")
	p.head("code", "class", "interactive", "dynamic", "parks as", "remedy", "a person's next step")
	interactive, dynamic := recovery.InteractiveTable(), recovery.DynamicTable()
	for i, info := range classification.Codes() {
		cause := recovery.CauseOf(info.Code)
		p.row(string(info.Code), string(info.Class), string(interactive[i].Rule), string(dynamic[i].Rule), orDash(string(dynamic[i].Park)), string(cause.Remedy), string(cause.Next))
	}
}

func (p *printer) stops() {
	p.title("Stop reasons of the gate, in order of precedence")
	for i, reason := range recovery.StopReasons() {
		p.line(fmt.Sprintf("%d. %s", i+1, reason))
	}
	p.line("\nBoundaries, in order of trial:\n")
	for i, boundary := range recovery.Boundaries() {
		p.line(fmt.Sprintf("%d. %s", i+1, boundary))
	}
	p.line("")
	p.head("agent", "resume", "proven from", "needs an earlier reply")
	for _, r := range recovery.ResumeTable() {
		p.row(r.AgentKind, "`"+r.Syntax+"`", orDash(r.ProvenFrom), fmt.Sprint(r.NeedsReply))
	}
}

func (p *printer) schedules() {
	p.title("Schedules without a hint: waits at jitter 0, then what follows")
	p.head("context", "code", "waits", "then")
	for _, c := range []struct {
		name  string
		facts recovery.Facts
		code  classification.Code
	}{
		{"interactive", calm(recovery.ContextInteractive), classification.ProviderOverloaded},
		{"unattended_default", unattended(1), classification.ProviderOverloaded},
		{"unattended_default, last candidate", unattended(0), classification.ProviderOverloaded},
		{"unattended_default, launch", launch(unattended(1)), classification.AgentTransportLost},
		{"patient", patient(0), classification.ProviderOverloaded},
		{"patient", patient(0), classification.QuotaLimited},
	} {
		waits, last := follow(c.facts, failure(c.code), 0)
		texts := make([]string, 0, len(waits))
		for _, w := range waits {
			texts = append(texts, w.String())
		}
		p.row(c.name, string(c.code), orDash(strings.Join(texts, ", ")), answer(last))
	}
}

func launch(f recovery.Facts) recovery.Facts {
	f.Phase = evidence.PhaseLaunch
	return f
}

func (p *printer) effects() {
	for _, c := range []struct {
		name  string
		facts recovery.Facts
	}{{"interactive", calm(recovery.ContextInteractive)}, {"unattended_default, another candidate left", unattended(1)}, {"patient", patient(0)}} {
		p.title("First failure, short throttle, no hint: " + c.name)
		p.head("code", "phase", "effects none", "unknown", "seen", "seen, resumable", "seen, declared repeatable", "delivery ambiguous")
		for _, code := range allCodes() {
			for _, phase := range phases() {
				p.row(append([]string{string(code), orDash(string(phase))}, effectCells(c.facts, code, phase)...)...)
			}
		}
	}
}

func effectCells(f recovery.Facts, code classification.Code, phase evidence.Phase) []string {
	f.Phase = phase
	unknown, seen, ambiguous := f, f, f
	unknown.Effects, seen.Effects = unknownEffects(), toolSeen()
	ambiguous.Effects.Delivery = evidence.DeliveryAmbiguous
	declared := seen
	declared.ReplaySafeBy = "a person"
	var cells []string
	for _, facts := range []recovery.Facts{f, unknown, seen, withResume(seen), declared, ambiguous} {
		cells = append(cells, answer(decide(facts, throttled(failure(code), classification.ThrottleShort))))
	}
	return cells
}

func (p *printer) hints() {
	hints := []struct {
		name string
		put  func(classification.Result) classification.Result
	}{
		{"none", func(r classification.Result) classification.Result { return r }},
		{"3 s", after(3 * time.Second)},
		{"60 s", after(time.Minute)},
		{"61 s", after(61 * time.Second)},
		{"reset in 4 h", func(r classification.Result) classification.Result { return resetAt(r, noon.Add(4*time.Hour)) }},
		{"in 6 h", after(6 * time.Hour)},
		{"in 9 days", after(9 * 24 * time.Hour)},
		{"passed", func(r classification.Result) classification.Result { return resetAt(r, noon.Add(-time.Hour)) }},
	}
	for _, c := range []struct {
		name  string
		facts recovery.Facts
	}{{"interactive", calm(recovery.ContextInteractive)}, {"unattended_default, another candidate left", unattended(1)}, {"unattended_default, last candidate", unattended(0)}, {"patient", patient(0)}} {
		p.title("First failure in launch, nothing done, by stated wait: " + c.name)
		header := []string{"code", "throttle"}
		for _, h := range hints {
			header = append(header, h.name)
		}
		p.head(header...)
		for _, r := range hintRows() {
			cells := []string{string(r.Code), string(r.Throttle)}
			for _, h := range hints {
				cells = append(cells, answer(decide(launch(c.facts), h.put(r))))
			}
			p.row(cells...)
		}
	}
}

func after(d time.Duration) func(classification.Result) classification.Result {
	return func(r classification.Result) classification.Result { return retryAfter(r, d) }
}

// hintRows are the codes that the gate lets through, and every throttle where it matters.
func hintRows() []classification.Result {
	var rows []classification.Result
	for _, info := range classification.Codes() {
		r := failure(info.Code)
		switch {
		case info.Code == classification.RateLimited:
			rows = append(rows, throttled(r, classification.ThrottleShort), throttled(r, classification.ThrottleLong), r)
		case info.Class == classification.ClassTransient, info.Class == classification.ClassHard:
			rows = append(rows, r)
		}
	}
	return rows
}

// answer is one cell: the action, when, and the reason.
func answer(d recovery.Decision) string {
	text := string(d.Action)
	if d.SendContinue {
		text += " with continue"
	}
	if !d.RetryAt.IsZero() {
		text += " in " + d.RetryAt.Sub(noon).String()
	}
	if d.Action == recovery.ActionStop || d.Action == recovery.ActionPark || d.Action == recovery.ActionNextCandidate {
		text += ": " + string(d.Reason)
	}
	return text
}

func orDash(text string) string {
	if text == "" {
		return "–"
	}
	return text
}
