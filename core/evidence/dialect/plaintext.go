package dialect

// newPlain reads an agent of which nothing is known but that it prints.
func newPlain() *printed { return newPrinted("", nil, nil) }

// newPrinted reads an agent's text mode with a rule for each channel; nil is
// the rule that knows only retries.
func newPrinted(provider string, out, err rule) *printed {
	p := &printed{outRule: out, errRule: err}
	p.provider = provider
	p.exitTells = true
	return p
}

// newPlainEvents reads an agent in a machine-readable mode of which no event
// is known: events with an error are kept, and no effect is ever proved absent.
func newPlainEvents() *events {
	e := &events{}
	e.event = func(o object) {
		e.doubtful = true
		if o.str("type") == "" && !o.has("error") {
			e.stdoutLine([]byte(o.data()))
			return
		}
		e.unknown(o)
	}
	e.wire()
	return e
}
