package wording

import (
	"fmt"
	"strings"
	"time"

	"github.com/recourse-dev/recourse/core/recovery"
)

// Subject is what a next step is about.
type Subject struct {
	WakeupID  string
	AgentKind string
	// Resumable says that the agent's own session is known and can be resumed.
	Resumable bool
	// Server says that a server owns the wakeup.
	Server bool
	// Left is the time to the stated reset, 0 if none is stated.
	Left time.Duration
	// Said is the excerpt of what failed: it may name an API key.
	Said string
}

// longestWait is what --wait takes at most.
const longestWait = 7 * 24 * time.Hour

// wait is the next step towards a reset: the flag alone does for the five-hour
// limit, a later reset needs to be said, and one beyond the flag's bound a person.
func (s Subject) wait() string {
	switch hours := int(s.Left/time.Hour) + 1; {
	case s.Left <= recovery.Defaults().PatientMaxWait:
		return s.again("--wait") + "   (waits for the reset, then goes on)"
	case time.Duration(hours)*time.Hour <= longestWait:
		return s.again(fmt.Sprintf("--wait=%dh", hours)) + "   (waits for the reset, then goes on)"
	}
	return "after the reset: " + s.again()
}

// Continue is the command that goes on with it.
func (s Subject) Continue() string { return s.again() }

func (s Subject) again(flags ...string) string {
	words := append([]string{"agentctl run"}, flags...)
	return strings.Join(append(words, "--continue", s.WakeupID), " ")
}

// logins are the agents' own commands for a new login.
var logins = map[string]string{
	"claude":   "claude /login",
	"codex":    "codex login",
	"gemini":   "gemini",
	"opencode": "opencode auth login",
	"copilot":  "copilot login",
	"amp":      "amp login",
	"auggie":   "auggie login",
	"qwen":     "qwen",
	"cursor":   "cursor-agent login",
	"kiro":     "kiro-cli login",
}

// keys are the variables that hold the agents' API keys.
var keys = map[string]string{
	"claude": "ANTHROPIC_API_KEY",
	"codex":  "OPENAI_API_KEY",
	"gemini": "GEMINI_API_KEY",
}

// login says how the agent gets a credential that works: a refused key stays
// refused after a login, unless the agent itself asks for one.
func (s Subject) login() string {
	said := strings.ToLower(s.Said)
	if key, known := keys[s.AgentKind]; known && strings.Contains(said, "api key") && !strings.Contains(said, "login") {
		return "mend or unset " + key
	}
	if command, known := logins[s.AgentKind]; known {
		return command
	}
	return "log in to the agent's provider"
}

// Next is one line: the exact command, and what to do before it.
func Next(step recovery.NextStep, s Subject) string {
	switch step {
	case recovery.NextNothing:
		// Whether somebody still waits for it is not known here.
		return "nothing while its agentctl waits for it; if that has ended: " + s.again()
	case recovery.NextContinue:
		return s.again()
	case recovery.NextContinueWithWait:
		return s.wait()
	case recovery.NextDeclareReplaySafe:
		return s.again("--replay-safe") + "   (only if running it twice does no harm)"
	case recovery.NextInspect:
		if s.Resumable {
			return "look at what it did, as with git status, then: " + s.again()
		}
		return "look at what it did, as with git status; if sending the prompt again does no harm: " + s.again("--replay-safe")
	case recovery.NextSeeCurrent:
		return "agentctl wakeups list"
	case recovery.NextPay:
		return "renew the plan or buy credit, then: " + s.again()
	case recovery.NextLogIn:
		return s.login() + "   then: " + s.again()
	case recovery.NextConfigureCredentials:
		return s.login() + "   (or set its API key) then: " + s.again()
	case recovery.NextReport:
		return "agentctl why " + s.WakeupID + "   (shows the evidence; report it if it should be known)"
	case recovery.NextCheckAgent:
		return "agentctl doctor   then: " + s.again()
	}
	return change(step) + ", then run it again"
}

// change is what a person changes in the command or around it: the old command
// line would fail in the same way.
func change(step recovery.NextStep) string {
	switch step {
	case recovery.NextRaiseTimeLimit:
		return "raise the longest duration"
	case recovery.NextChooseModel:
		return "choose a model that this account has, as by --model"
	case recovery.NextConfigureProvider:
		return "configure the provider, its endpoint and region"
	case recovery.NextChangePermissions:
		return "allow what was refused, or ask for something else"
	case recovery.NextChangePrompt:
		return "change the prompt"
	case recovery.NextFixRepository:
		return "mend the repository or the worktree, as git status shows"
	}
	return "see what has to change"
}
