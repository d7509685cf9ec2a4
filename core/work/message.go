package work

import (
	"fmt"
	"strings"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
)

// ErrorMessage gives a failure as the agent printed it: the texts of the
// signals that may be failure evidence, in their order, at most limit bytes.
// Give it a redacted envelope. Where nothing was printed, it says how the
// process ended.
func ErrorMessage(e evidence.Envelope, r classification.Result, limit int) string {
	var texts []string
	for _, s := range e.Signals {
		if s.Foreign || s.Prose || s.InFlight {
			continue
		}
		if text := strings.TrimSpace(printed(s)); text != "" {
			texts = append(texts, text)
		}
	}
	if len(texts) == 0 {
		texts = []string{ending(e, r)}
	}
	message, _ := evidence.Cut(strings.Join(texts, "\n"), limit)
	return message
}

func printed(s evidence.Signal) string {
	if s.Text != "" {
		return s.Text
	}
	return s.Data
}

func ending(e evidence.Envelope, r classification.Result) string {
	for i := len(e.Signals) - 1; i >= 0; i-- {
		s := e.Signals[i]
		switch {
		case s.Kind != evidence.KindProcessExit || s.Foreign:
		case s.ExitSignal != "":
			return "the process was ended by " + s.ExitSignal
		case s.ExitCode != nil:
			return fmt.Sprintf("the process ended with exit code %d", *s.ExitCode)
		}
	}
	return r.SafeExcerpt
}
