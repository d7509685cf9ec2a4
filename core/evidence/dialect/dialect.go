// Package dialect turns what one agent process printed or sent into evidence:
// signals, effects and identity. A dialect translates; it never decides what
// a failure means.
//
// # What the signals look like
//
// A machine-readable event becomes a KindResultEvent: Event is its type
// ("result", "turn.failed", "session.error", …), Text its message, Status the
// HTTP status it names, Data the event as JSON without its statistics. Printed
// lines of one channel that follow each other become one KindStdout or
// KindStderr with the lines joined. ACP errors, updates and results keep their
// own kinds, with the update's type, the error's method or the stop reason as Event.
//
// Three flags keep things apart that look alike. InFlight is the agent's own
// retry, or a failure that a later success made void. Prose is what a model, a
// tool or a user said, standard output of a process that ended well, and the
// marker of a success. Foreign belongs to another session or to a background
// request of the agent. Everything else is a failure channel.
package dialect

import (
	"time"

	"github.com/recourse-dev/recourse/core/evidence"
)

// Mode is the shape of an agent's output.
type Mode string

// The modes.
const (
	Text       Mode = "text"        // prose for people
	JSON       Mode = "json"        // one JSON document at the end, or the agent's own --json events
	StreamJSON Mode = "stream-json" // one JSON event a line
	ACP        Mode = "acp"         // JSON-RPC frames of the Agent Client Protocol
)

// Direction says who sent an ACP frame.
type Direction int

// The directions.
const (
	Received Direction = iota // from the agent
	Sent                      // to the agent
)

// Parser turns what one agent process printed or sent into signals, effects
// and identity. It is not safe for concurrent use. Its memory is bounded
// whatever the process prints.
type Parser interface {
	// Stdout takes one line of standard output without its newline.
	Stdout(line []byte)
	// Stderr takes one line of the managed standard error without its newline.
	Stderr(line []byte)
	// ACP takes one JSON-RPC frame.
	ACP(direction Direction, frame []byte)
	// Exit takes how the process ended.
	Exit(exit evidence.Exit)
	// State returns what is known so far. The result is the caller's own.
	State() State
}

// State is what a Parser knows.
type State struct {
	Signals []evidence.Signal
	// Dropped is the count of signals that were not kept.
	Dropped int
	Effects evidence.Effects
	Phase   evidence.Phase
	// NativeSessionID is the agent's own name of the conversation, for a resume.
	NativeSessionID string
	Model           string
	Provider        string
	AgentVersion    string
	// Succeeded means that the last terminal event was a success: a result
	// without error, a completed turn, an ACP end_turn after visible output. In
	// text mode there is no such event: there exit code 0 by the process's own
	// doing counts, but for agents whose exit code is known to lie.
	Succeeded bool
	// Failed means that the last terminal event was a failure.
	Failed bool
	// Retrying means that the agent's own retry is in flight since the last progress.
	Retrying bool
	// RetryAfter is the wait that the agent announced for its own retry, 0 if unknown.
	RetryAfter time.Duration
	// RetryCause is what the agent said it retries for.
	RetryCause string
	// FinalText is what text mode would have printed on standard output, at
	// most 1 MiB of it.
	FinalText string
	// CostUSD is the cost that the CLI reports in US dollars, 0 if unknown.
	CostUSD float64
}
