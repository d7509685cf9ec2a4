package dialect

import "strings"

// newAmp reads `amp --stream-json`, which mirrors Claude Code's events and
// names its threads in session_id.
func newAmp() *claude {
	c := newClaudeStream()
	c.provider = "amp"
	return c
}

// ampErrRule reads Amp's standard error: the adapter's execution errors, and
// the login flow, which is no failure of a provider by itself.
func ampErrRule(line string, previous class) class {
	if strings.HasPrefix(line, "[amp] Execution error:") {
		return plain
	}
	return printedRule(line, previous)
}
