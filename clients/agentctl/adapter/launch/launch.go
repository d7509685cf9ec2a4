// Package launch holds what the recipes of all agents share: how one attempt
// is asked for, and the command line that answers.
package launch

// Request asks for the command line that delivers the prompt.
type Request struct {
	// Retry is 0 for the first attempt.
	Retry int
	// Session is the agent's own session, "" until the agent has named it.
	Session string
	// NewID makes a fresh UUID for agents that take a proposed session id.
	NewID func() string
}

// Command is one command line.
type Command struct {
	Argv []string
	// Stdin says that the caller's standard input is given to it; else it
	// reads an empty one.
	Stdin bool
	// Before is written to that input before the caller's own.
	Before string
}
