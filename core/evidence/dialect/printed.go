package dialect

import (
	"github.com/recourse-dev/recourse/core/evidence"
)

// rule says what one printed line is. previous is what the line before was, so
// that continuation lines follow their first one.
type rule func(line string, previous class) class

// printed is the part of a parser that reads lines made for people.
type printed struct {
	tracker
	outRule, errRule rule
	outLast, errLast class
}

// Stdout implements Parser.
func (p *printed) Stdout(line []byte) {
	p.final.add(p.stdoutLine(line) + "\n")
}

// stdoutLine keeps one line of standard output and returns it normalised.
func (p *printed) stdoutLine(line []byte) string {
	text := evidence.Normalise(string(line))
	p.outLast = p.classify(p.outRule, text, p.outLast)
	p.line(evidence.KindStdout, p.outLast, text)
	return text
}

// Stderr implements Parser.
func (p *printed) Stderr(line []byte) {
	text := evidence.Normalise(string(line))
	p.errLast = p.classify(p.errRule, text, p.errLast)
	p.line(evidence.KindStderr, p.errLast, text)
}

// ACP implements Parser: a process that prints sends no frames.
func (p *printed) ACP(Direction, []byte) {}

func (p *printed) classify(decide rule, text string, previous class) class {
	if decide == nil {
		decide = printedRule
	}
	c := decide(text, previous)
	if c == inFlight {
		if after, ok := ownRetry(text); ok {
			p.retry(text, after)
		}
	}
	return c
}

// printedRule knows only how agents announce their own retries. Indented lines
// belong to the line before them.
func printedRule(line string, previous class) class {
	if _, ok := ownRetry(line); ok {
		return inFlight
	}
	if continues(line) {
		return previous
	}
	return plain
}

// continues reports a line of a stack trace, a wrapped object or a blank between.
func continues(line string) bool {
	if line == "" {
		return true
	}
	switch line[0] {
	case ' ', '\t', '}', ']':
		return true
	}
	return false
}
