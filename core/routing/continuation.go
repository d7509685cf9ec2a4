package routing

import (
	"strings"

	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
)

// Continuation is what a fresh native session is told about the work that it
// goes on with. Lists are in the order of time; the text gives the newest first.
type Continuation struct {
	Task     string // what was asked for
	Step     string // what was being done
	Messages []Note // of the user
	Results  []Note // what tools and the agent brought about, summed up
	Status   string // of the repository, as git prints it
	Diff     string // summed up
	Failure  string // why the last run ended
	Route    string // why another profile goes on
	Verify   []Note // what must be verified before it is repeated
	// NativeSessions are the ids of the agents' own sessions. None may cross to
	// another profile, so they are taken out wherever they appear. Ids shorter
	// than eight bytes are too common a text to take out.
	NativeSessions []string
}

// Note is one entry of a list.
type Note struct {
	Label string // as a time or the name of a tool; may be ""
	Text  string
}

// nativeSessionMark stands where the id of a native session was. It is made
// of what no id is made of, so that no new one can arise around it.
const nativeSessionMark = "[…]"

// leastSessionID is the length from which an id is one of its kind.
const leastSessionID = 8

// Text builds the package, of at most limit bytes (Settings.ContinuationBytes).
// It begins with recovery.FreshInstruction, is redacted, never cuts inside a
// rune, and says what it left out.
func (c Continuation) Text(limit int) string {
	sections := c.sections(max(limit, 0))
	fit(sections, limit-len(recovery.FreshInstruction))
	var b strings.Builder
	b.WriteString(recovery.FreshInstruction)
	var without []string
	for _, s := range sections {
		text := s.render()
		if b.WriteString(text); text == "" {
			without = append(without, s.title)
		}
	}
	if len(without) > 0 {
		b.WriteString("[left out: " + strings.Join(without, "; ") + "]\n")
	}
	// What is joined could read as a secret that no part was.
	text := c.clean(b.String())
	text, _ = evidence.Cut(text, max(limit, 0))
	return text
}

// sections are in the order of the text. Weight is the share of the room that a
// section is sure of.
func (c Continuation) sections(limit int) []*section {
	all := []*section{
		{title: "Task", weight: 6, body: c.clean(c.Task)},
		{title: "Step", weight: 2, body: c.clean(c.Step)},
		c.list("User messages, newest first", 5, c.Messages, limit),
		c.list("Tools and results, newest first", 5, c.Results, limit),
		{title: "Repository status", weight: 3, body: c.clean(c.Status)},
		{title: "Changes", weight: 3, body: c.clean(c.Diff)},
		{title: "Failure", weight: 2, body: c.clean(c.Failure)},
		{title: "Why another profile goes on", weight: 1, body: c.clean(c.Route)},
		c.list("Verify before repeating, newest first", 3, c.Verify, limit),
	}
	var used []*section
	for _, s := range all {
		if s.body != "" || len(s.notes) > 0 {
			used = append(used, s)
		}
	}
	return used
}

// clean makes one text fit to be told: printable, without the ids of native
// sessions, redacted. It is done before anything is cut: half an id hides from both.
func (c Continuation) clean(text string) string {
	// A blank at the front has a meaning: git's status begins with one.
	text = strings.TrimRight(strings.TrimLeft(evidence.Normalise(text), "\n"), " \t\n")
	for _, id := range c.NativeSessions {
		if len(id) >= leastSessionID {
			text = strings.ReplaceAll(text, id, nativeSessionMark)
		}
	}
	return evidence.Redact(text)
}

// list is a section of clean notes, newest first. What is surely too old for
// the room is only counted.
func (c Continuation) list(title string, weight int, notes []Note, limit int) *section {
	s := &section{title: title, weight: weight}
	size := 0
	for i := len(notes) - 1; i >= 0; i-- {
		if size > limit {
			s.older = i + 1
			break
		}
		text := notes[i].Text
		if notes[i].Label != "" {
			text = notes[i].Label + ": " + text
		}
		if text = c.clean(text); text != "" {
			s.notes = append(s.notes, text)
			size += len(text)
		}
	}
	return s
}
