package dialect

import (
	"strings"

	"github.com/recourse-dev/recourse/core/evidence"
)

// codexText reads what `codex exec` prints for people: the answer on standard
// output, and everything else on standard error: a banner, then sections (the
// prompt, the model's words, commands with their output) and error lines.
type codexText struct {
	printed
	section string // "", "banner", "user", "codex", "exec", "thinking", "error"
	// rulers counts the lines of dashes around the banner.
	rulers int
	// lastError is the text of the last error line; Codex prints the terminal one twice.
	lastError string
	// quoted says that an error line stood in a section that repeats other
	// people's words, so that only Codex's own exit can confirm it.
	quoted bool
}

func newCodexText() *codexText {
	c := &codexText{}
	c.provider = "openai"
	c.exitTells = true
	c.errRule = c.sectionRule
	return c
}

// codexSections are the words that begin a section when they stand alone.
var codexSections = map[string]bool{
	"user": true, "codex": true, "exec": true, "thinking": true, "tool": true, "apply_patch": true, "plan": true,
	"tokens used": true, "file update": true, "web search": true,
}

// sectionRule classifies a line by the section that it stands in. Error lines
// count only while no section follows them: a tool's output may hold anything.
func (c *codexText) sectionRule(line string, previous class) class {
	trimmed := strings.TrimSpace(line)
	if isTrace(trimmed) {
		return traceClass(trimmed)
	}
	if c.banner(trimmed) || line == stdinNotice {
		return prose
	}
	if codexSections[strings.ToLower(trimmed)] && c.rulers > 0 {
		c.enter(strings.ToLower(trimmed))
		return prose
	}
	if message, ok := strings.CutPrefix(line, "ERROR: "); ok {
		return c.errorLine(message)
	}
	if _, retries := ownRetry(line); retries && (c.section == "error" || c.rulers == 0) {
		return inFlight
	}
	switch c.section {
	case "", "error":
		if c.section == "error" && previous == inFlight && !continues(line) {
			return plain
		}
		if c.section == "error" {
			return previous
		}
		return plain
	}
	return prose
}

// errorLine takes a line that Codex, or something that it quotes, marks as an
// error. The last different one is the cause; those before it were overcome.
func (c *codexText) errorLine(message string) class {
	c.accepted()
	c.quoted = c.quoted || c.section != "error" && c.section != ""
	c.section = "error"
	message, _ = evidence.Cut(message, evidence.MaxTextBytes)
	if message != c.lastError {
		c.overcome()
		c.lastError = message
	}
	if after, retries := ownRetry(message); retries {
		c.retry(message, after)
		return inFlight
	}
	return plain
}

// banner takes the lines between the two rulers that name the session.
func (c *codexText) banner(line string) bool {
	if line == "--------" && c.rulers < 2 {
		c.rulers++
		return true
	}
	if c.rulers != 1 {
		if version, ok := strings.CutPrefix(line, "OpenAI Codex v"); ok && c.rulers == 0 {
			version, _, _ = strings.Cut(version, " ")
			label(&c.version, version)
			return true
		}
		return false
	}
	name, value, _ := strings.Cut(line, ": ")
	switch name {
	case "model":
		label(&c.model, value)
	case "session id":
		label(&c.session, value)
	}
	return true
}

// enter begins a section. Error lines before it were overcome.
func (c *codexText) enter(section string) {
	c.section = section
	switch section {
	case "user":
		c.accepted()
	case "tokens used":
		c.section = "summary"
		return
	case "codex", "thinking":
		c.sawOutput()
	default:
		c.sawTool()
	}
	c.overcome()
}

// overcome demotes the lines that a later section or a later error follows:
// whatever they said, the turn went on.
func (c *codexText) overcome() {
	c.flush()
	for i := range c.signals {
		if s := &c.signals[i]; s.Kind == evidence.KindStderr && !s.Foreign && !s.InFlight {
			s.Prose = true
		}
	}
}

// Exit implements Parser. A process that was killed printed no terminal error,
// so an error line among quoted text is a quotation.
func (c *codexText) Exit(exit evidence.Exit) {
	if c.quoted && exit.Signal != "" {
		c.overcome()
	}
	c.printed.Exit(exit)
}
