// Package corpus reads labelled failures, one JSON object a line, and turns
// each into the evidence that a live run would have given: its signals go
// through the same dialects.
package corpus

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/evidence/dialect"
)

// maxLine is the longest case that is read, in bytes.
const maxLine = 32 << 20

// Case is one labelled failure.
type Case struct {
	ID           string
	Agent        string // as written in the case
	AgentVersion string
	Mode         dialect.Mode
	Provider     string
	Model        string
	Phase        evidence.Phase
	Now          time.Time // when it was observed, UTC; zero if the case does not say
	LocalTZ      string    // IANA zone of the agent's host, "" if unknown
	Tags         []string
	Note         string
	Confidence   string // high, medium or low: how sure the label is

	// ExpectedCode is empty where the case is no label but a question.
	ExpectedCode  string
	ExpectedClass string
	// AcceptedCodes are other codes that are right too (accepted_codes and also).
	AcceptedCodes []string
	// ExpectedRetryAfter is the hint that must come out; nil is not asserted.
	ExpectedRetryAfter *time.Duration
	// ExpectedResetAt is the instant that must come out, UTC; nil is not asserted.
	ExpectedResetAt *time.Time
	ResetTolerance  time.Duration

	OwnRetryPending bool
	Swallowed       bool
	ReportedAsText  bool
	EffectWritten   bool

	state    dialect.State
	envelope evidence.Envelope
}

// Envelope returns the evidence of the case, bounded. Its times come from the
// case alone. The caller may change it.
func (c Case) Envelope() evidence.Envelope {
	e := c.envelope
	e.Signals = append([]evidence.Signal(nil), e.Signals...)
	return e
}

// State returns what the dialect made of the case's signals.
func (c Case) State() dialect.State { return c.state }

// Has reports that the case carries tag.
func (c Case) Has(tag string) bool {
	for _, t := range c.Tags {
		if t == tag {
			return true
		}
	}
	return false
}

// Read calls fn with each case of r, in order, until fn or reading fails.
// Empty lines are skipped. An error names the line.
func Read(r io.Reader, fn func(Case) error) error {
	scanner := bufio.NewScanner(r)
	scanner.Buffer(make([]byte, 0, 64<<10), maxLine)
	for n := 1; scanner.Scan(); n++ {
		line := bytes.TrimSpace(bytes.TrimPrefix(scanner.Bytes(), []byte("\xef\xbb\xbf")))
		if len(line) == 0 {
			continue
		}
		c, err := parse(line)
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if err := fn(c); err != nil {
			return fmt.Errorf("line %d (%s): %w", n, c.ID, err)
		}
	}
	return scanner.Err()
}

// parse reads one case.
func parse(line []byte) (Case, error) {
	var w wireCase
	if err := json.Unmarshal(line, &w); err != nil {
		return Case{}, fmt.Errorf("a case is one JSON object: %w", err)
	}
	if w.ID == "" {
		return Case{}, fmt.Errorf("a case needs an id")
	}
	c, err := w.labels()
	if err != nil {
		return Case{}, fmt.Errorf("case %s: %w", w.ID, err)
	}
	c.state = replay(w, c.Mode)
	c.envelope = envelopeOf(w, c)
	return c, nil
}
