package dialect

import "strings"

// copilotErrRule sets aside the summary that Copilot CLI prints at the end.
func copilotErrRule(line string, previous class) class {
	for _, label := range [...]string{"Package extraction took", "Changes    ", "Duration   ", "Tokens     ", "Resume     ", "AI Credits", "Requests   "} {
		if strings.HasPrefix(line, label) {
			return foreign
		}
	}
	return printedRule(line, previous)
}

// newCopilotText reads Copilot CLI's text mode and takes the session from its
// closing hint on how to resume.
func newCopilotText() *copilotText {
	p := &copilotText{}
	p.provider = "github"
	p.exitTells = true
	p.errRule = copilotErrRule
	return p
}

type copilotText struct{ printed }

// Stderr implements Parser.
func (p *copilotText) Stderr(line []byte) {
	if _, id, ok := strings.Cut(string(line), "copilot --resume="); ok {
		label(&p.session, strings.TrimSpace(id))
	}
	p.printed.Stderr(line)
}
