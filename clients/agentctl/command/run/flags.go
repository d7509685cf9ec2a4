// Package run is the command that supervises one agent command.
package run

import (
	"fmt"
	"time"

	"github.com/spf13/pflag"
)

// flags of agentctl run.
type flags struct {
	replaySafe bool
	wait       waitFlag
	agent      string
	continueID string
	fresh      bool
	onEvent    string
	noAdapt    bool
	noWait     bool
	offline    bool
	quiet      bool
}

func (f *flags) register(set *pflag.FlagSet) {
	set.BoolVar(&f.replaySafe, "replay-safe", false, "the command may be run again whatever it did: you say so, and it is recorded")
	set.Var(&f.wait, "wait", "wait for a stated reset, at most 5h30m; --wait=`MAX` says another bound, always with the equals sign")
	set.Lookup("wait").NoOptDefVal = "default"
	set.StringVar(&f.agent, "agent", "", "the `KIND` of agent, when its program's name does not say it")
	set.StringVar(&f.continueID, "continue", "", "go on with the wakeup of this `ID`, that was begun on this host; last is the newest")
	set.BoolVar(&f.fresh, "fresh", false, "with --continue: begin a new session of the agent, that looks at what is there before it does the prompt")
	set.StringVar(&f.onEvent, "on-event", "", "run `CMD` in a shell at each stop, park, wait, resume, success and cancel, with the event as JSON on its standard input; after 10 s it is ended with all that it started")
	set.BoolVar(&f.noAdapt, "no-adapt", false, "leave the command line as it is, so that effects stay unknown")
	set.BoolVar(&f.noWait, "no-wait", false, "instead of waiting for the next attempt, exit with 75; go on later with --continue")
	set.BoolVar(&f.offline, "offline", false, "ask no server: decide on this host, and remember it here only")
	set.BoolVarP(&f.quiet, "quiet", "q", false, "print nothing of our own but what stops it")
	set.SetInterspersed(false) // what follows the first word belongs to the agent
}

// The bounds of --wait.
const (
	minWait = time.Second
	maxWait = 7 * 24 * time.Hour
)

// waitFlag is --wait[=MAX].
type waitFlag struct {
	set bool
	max time.Duration // 0 is the default of the patient policy
}

// Set implements a flag.
func (w *waitFlag) Set(text string) error {
	if text == "default" {
		*w = waitFlag{set: true}
		return nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < minWait || d > maxWait {
		return fmt.Errorf("must be a time between %s and %s, as 90m or 8h", minWait, "7 days (168h)")
	}
	*w = waitFlag{set: true, max: d}
	return nil
}

// String implements a flag.
func (w *waitFlag) String() string {
	switch {
	case !w.set:
		return ""
	case w.max == 0:
		return "default"
	}
	return w.max.String()
}

// Type implements a flag.
func (w *waitFlag) Type() string { return "duration" }
