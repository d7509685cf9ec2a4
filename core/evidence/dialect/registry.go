package dialect

// For returns the parser of an agent's output in a mode. The kind may have any
// spelling that Kind knows. An unknown agent, or a mode that an agent does not
// have, gets a plain parser that proves no effect absent.
func For(agentKind string, mode Mode) Parser {
	kind := Kind(agentKind)
	switch mode {
	case ACP:
		return newACPFor(kind)
	case JSON:
		p := eventsFor(kind)
		if c, ok := p.(*claude); ok {
			c.resultOnly = true
		}
		return p
	case StreamJSON:
		return eventsFor(kind)
	case Text:
	}
	return printedFor(kind)
}

func eventsFor(kind string) Parser {
	switch kind {
	case "claude", "grok":
		return newClaudeStream()
	case "codex":
		return newCodexJSON()
	case "gemini":
		return newGemini()
	case "qwen":
		return newQwen()
	case "opencode":
		return newOpencodeJSON()
	case "copilot":
		return newCopilotJSON()
	case "amp":
		return newAmp()
	case "auggie":
		return newAuggie()
	case "cursor":
		return newCursor()
	case "cline":
		return newClineJSON()
	case "goose":
		return newGooseEvents()
	}
	return newPlainEvents()
}

func printedFor(kind string) Parser {
	switch kind {
	case "claude":
		return newPrinted("anthropic", nil, nil)
	case "codex":
		return newCodexText()
	case "gemini":
		return newGeminiText("google")
	case "qwen":
		return newGeminiText("")
	case "opencode":
		return newPrinted("", nil, opencodeLogRule)
	case "copilot":
		return newCopilotText()
	case "amp":
		return newPrinted("amp", nil, ampErrRule)
	case "auggie":
		return newPrinted("augment", nil, nil)
	case "cursor":
		return newPrinted("cursor", nil, nil)
	case "kiro":
		return newPrinted("aws", nil, nil)
	case "aider":
		return newPrinted("", aiderRule, aiderRule)
	}
	return newPlain()
}

// Reads reports that an agent's events in a mode are known, so that For gives
// more than a plain parser.
func Reads(agentKind string, mode Mode) bool {
	kind := Kind(agentKind)
	switch mode {
	case ACP:
		return true
	case JSON, StreamJSON:
		_, unknown := eventsFor(kind).(*events)
		return !unknown
	case Text:
	}
	return false
}
