package doctor

import (
	"context"
	"fmt"
	"os/exec"
	"strings"

	"github.com/recourse-dev/recourse/clients/agentctl/adapter"
	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/connection"
	"github.com/recourse-dev/recourse/clients/agentctl/journal"
	"github.com/recourse-dev/recourse/clients/agentctl/rulebook"
	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
)

func classifier(inv *cli.Invocation) Check {
	source := new(rulebook.Source)
	c, err := source.Catalogue(inv)
	if err != nil {
		return Check{"catalogue", Fail, err.Error(), "mend the rules, or run with " + rulebook.Variable + "=" + rulebook.None}
	}
	detail := fmt.Sprintf("%s, %d rules", c.Classifier.Version(), len(c.Classifier.Rules()))
	if folders := source.Folders(inv); len(folders) > 0 {
		detail += ", with yours of " + strings.Join(folders, ", ")
	}
	return Check{ID: "catalogue", Verdict: OK, Detail: detail}
}

func journalFolder(inv *cli.Invocation) Check {
	folder := connection.StateFolder(inv)
	store, err := journal.Open(folder)
	if err == nil {
		_, err = store.HostID(inv.NewID)
	}
	if err != nil {
		return Check{"journal", Fail, err.Error(), "make " + folder + " writable for you, or point XDG_STATE_HOME elsewhere"}
	}
	states, err := store.List()
	if err != nil {
		return Check{"journal", Fail, err.Error(), "make " + folder + " readable for you"}
	}
	waiting := 0
	for _, s := range states {
		if s.Phase == journal.PhaseWaiting {
			waiting++
		}
	}
	return Check{ID: "journal", Verdict: OK, Detail: fmt.Sprintf("%s, %d wakeups, %d of them waiting", folder, len(states), waiting)}
}

func zone(inv *cli.Invocation) Check {
	if inv.HostZone == "" {
		return Check{"time zone", Warn, "this host's time zone has no known name", "set TZ, as TZ=Europe/Berlin: without it a reset like \"resets 5pm\" gives no time to wait for"}
	}
	return Check{ID: "time zone", Verdict: OK, Detail: inv.HostZone}
}

// known are the agents that are looked for.
var known = []string{"claude", "codex", "gemini", "opencode", "copilot", "amp", "auggie", "cursor-agent", "qwen", "goose", "aider", "kiro-cli"}

// agents looks for the agents on PATH; what their own resume needs is checked
// against the versions on which it was tried.
func agents(ctx context.Context, inv *cli.Invocation) []Check {
	var checks []Check
	for _, name := range known {
		path, err := lookPath(inv, name)
		if err != nil {
			continue
		}
		version := adapter.Version(ctx, path)
		check := Check{ID: name, Verdict: OK, Detail: strings.TrimSpace(version + " " + path)}
		if proven := provenFrom(name); proven != "" && !resumes(name, version) {
			check.Verdict = Warn
			check.Detail += fmt.Sprintf(" (its own resume was tried with %s)", proven)
			check.Remedy = "update " + name + ": after it has done something, it is resumed only where that is proven"
		}
		checks = append(checks, check)
	}
	if len(checks) == 0 {
		checks = append(checks, Check{"agents", Warn, "no known agent is on PATH", "install one, or name it by its path: agentctl run -- /path/to/agent"})
	}
	return checks
}

// resumes asks the gate itself: it opens for an agent that has worked and then
// failed only by a proven resume.
func resumes(kind, version string) bool {
	seen := evidence.Effects{AssistantOutput: evidence.EffectSeen, ToolActivity: evidence.EffectSeen, PartialResult: evidence.EffectSeen}
	boundary, _ := recovery.Gate(
		recovery.Facts{
			Correlated: true, Mode: recovery.ModePolicy, Context: recovery.ContextInteractive, Phase: evidence.PhasePostOutput,
			Effects: seen, Agent: recovery.Agent{Kind: kind, Version: version, SessionKnown: true},
		},
		classification.Result{Code: classification.ProviderOverloaded, Class: classification.ClassTransient, Confidence: classification.High},
	)
	return boundary == recovery.BoundaryNativeResume
}

func provenFrom(kind string) string {
	for _, row := range recovery.ResumeTable() {
		if row.AgentKind == kind {
			return row.ProvenFrom
		}
	}
	return ""
}

// lookPath searches the invocation's PATH, which tests set.
func lookPath(inv *cli.Invocation, name string) (string, error) {
	for _, folder := range strings.Split(inv.Getenv("PATH"), ":") {
		if folder == "" {
			continue
		}
		if path, err := exec.LookPath(folder + "/" + name); err == nil {
			return path, nil
		}
	}
	return "", exec.ErrNotFound
}
