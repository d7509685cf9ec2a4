package dialect

import "strings"

// aiderRule reads Aider, which prints everything on standard output: the name
// of an exception first, its own advice, then "Retrying in 0.1 seconds...".
func aiderRule(line string, previous class) class {
	if strings.HasPrefix(line, "litellm.") || strings.HasPrefix(line, "Retry in ") {
		return plain
	}
	return printedRule(line, previous)
}
