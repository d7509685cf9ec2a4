package recovery

import (
	"strings"

	"github.com/recourse-dev/recourse/core/evidence"
)

// ContinueInstruction is the only text that is sent to a resumed native
// session. The original prompt is never sent again: it is in the history.
const ContinueInstruction = "Your last turn was cut off by a failure of the model provider; neither you nor the user stopped it. " +
	"Before anything else, check the present state of your work: files, repository, and commands that may already have run. " +
	"Do not repeat what is done. Then go on from there and finish the task."

// FreshInstruction stands before the prompt when it is sent into a new session
// of the agent after a failure: what was done before is not in its history.
const FreshInstruction = "An earlier attempt at the task below was cut off. You do not see what it did. " +
	"Before anything else, check the present state: files, repository, and commands that may already have run. " +
	"Do not repeat what is done. Then finish the task:\n\n"

// Resume is what is proven about one agent's own resume.
type Resume struct {
	AgentKind string
	// Syntax is how the session is named on the command line.
	Syntax string
	// ProvenFrom is the version on which it was tried; "" means not proven.
	// Later versions with the same major number count as proven too: a resume
	// that no longer works costs one attempt and repeats nothing.
	ProvenFrom string
	// NeedsReply: a first turn that failed before any reply is not saved.
	NeedsReply bool
}

// ResumeTable lists the agents whose native resume is known.
func ResumeTable() []Resume { return append([]Resume(nil), resumeTable...) }

var resumeTable = []Resume{
	{AgentKind: "claude", Syntax: "--resume <session_id>", ProvenFrom: "2.1.328"},
	{AgentKind: "codex", Syntax: "codex exec resume <thread_id>", ProvenFrom: "0.169.0"},
	{AgentKind: "gemini", Syntax: "--resume <uuid>", ProvenFrom: "0.61.0", NeedsReply: true},
	{AgentKind: "opencode", Syntax: "-s <id>"},
}

// Resumable says whether the agent's own resume of its session is proven, by the
// rule that the gate goes by; e is what the last run of that session did.
func Resumable(a Agent, e evidence.Effects) bool { return resumable(a, e) }

func resumable(a Agent, e evidence.Effects) bool {
	if !a.SessionKnown || a.SessionMissing {
		return false
	}
	for _, row := range resumeTable {
		if row.AgentKind == a.Kind {
			return provenOn(row.ProvenFrom, a.Version) && (!row.NeedsReply || a.EarlierReply || replied(e))
		}
	}
	return false
}

func replied(e evidence.Effects) bool {
	return e.AssistantOutput == evidence.EffectSeen || e.ToolActivity == evidence.EffectSeen
}

func provenOn(proven, actual string) bool {
	p, ok := parseVersion(proven)
	if !ok {
		return false
	}
	a, ok := parseVersion(actual)
	if !ok || a.number[0] != p.number[0] {
		return false
	}
	for i := range p.number {
		if a.number[i] != p.number[i] {
			return a.number[i] > p.number[i]
		}
	}
	return !a.preRelease
}

type version struct {
	number     [3]int
	preRelease bool
}

// parseVersion finds the first N.N.N in what a CLI prints about itself, as
// "2.1.328 (Claude Code)" or "codex-cli 0.169.0".
func parseVersion(text string) (version, bool) {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '(' || r == ')' || r == '/' }) {
		if v, ok := parseTriple(strings.TrimPrefix(word, "v")); ok {
			return v, true
		}
	}
	return version{}, false
}

func parseTriple(word string) (version, bool) {
	var v version
	rest := word
	for i := range v.number {
		n, after, ok := leadingNumber(rest)
		if !ok {
			return version{}, false
		}
		v.number[i] = n
		if i < len(v.number)-1 {
			if !strings.HasPrefix(after, ".") {
				return version{}, false
			}
			after = after[1:]
		}
		rest = after
	}
	switch {
	case rest == "" || rest[0] == '+':
		return v, true
	case rest[0] == '-':
		v.preRelease = true
		return v, true
	}
	return version{}, false
}

// leadingNumber refuses more than nine digits: no version has them, and they
// would overflow on a small int.
func leadingNumber(s string) (n int, rest string, ok bool) {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		n = n*10 + int(s[i]-'0')
		i++
		if i > 9 {
			return 0, "", false
		}
	}
	return n, s[i:], i > 0
}
