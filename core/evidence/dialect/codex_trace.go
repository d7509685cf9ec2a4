package dialect

import "strings"

// stdinNotice is printed whenever standard input is no terminal.
const stdinNotice = "Reading additional input from stdin..."

// isTrace reports a line of Codex's own log: an RFC 3339 time, a level, a module.
func isTrace(line string) bool {
	if len(line) < 30 || line[4] != '-' || line[7] != '-' || line[10] != 'T' {
		return false
	}
	_, rest, ok := strings.Cut(line, "Z ")
	if !ok {
		return false
	}
	level, _, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
	switch level {
	case "ERROR", "WARN", "INFO", "DEBUG", "TRACE":
		return true
	}
	return false
}

// traceClass tells the log lines about the turn from those about background
// work (model lists, MCP servers), which fail without harm to the turn.
func traceClass(line string) class {
	switch {
	case strings.Contains(line, "Unhandled error during turn"):
		return plain
	case strings.Contains(line, "Handled error during turn"):
		return inFlight
	}
	return foreign
}

// codexTraceRule reads the standard error of the JSON and ACP modes.
func codexTraceRule(line string, previous class) class {
	trimmed := strings.TrimSpace(line)
	if isTrace(trimmed) {
		return traceClass(trimmed)
	}
	if line == stdinNotice {
		return prose
	}
	return printedRule(line, previous)
}
