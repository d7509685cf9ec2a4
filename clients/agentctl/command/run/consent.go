package run

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/recourse-dev/recourse/clients/agentctl/supervisor"
	"github.com/recourse-dev/recourse/clients/agentctl/wire"
	"github.com/recourse-dev/recourse/core/recovery"
)

// asksForConsent says that waiting is all that is missing, and that there is
// somebody who can say so.
func (s *starter) asksForConsent(r supervisor.Result) bool {
	d := wire.DecisionBack(r.Verdict.Decision)
	return r.End == supervisor.EndStopped && d.Reason == recovery.ReasonWaitNeedsConsent && !d.HintShown.IsZero() &&
		s.inv.InTTY && s.inv.ErrTTY && !s.flags.quiet && !s.flags.noWait
}

// consents asks a person whether to wait. Anything but a clear yes is a no.
func (s *starter) consents() bool {
	fmt.Fprint(s.inv.Err, "agentctl: [w]ait for the reset, or [q]uit? ")
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(s.inv.In).ReadString('\n') // an end of input is a no
		answer <- strings.ToLower(strings.TrimSpace(line))
	}()
	select {
	case text := <-answer:
		return text == "w" || text == "wait"
	case <-s.interrupts:
		fmt.Fprintln(s.inv.Err)
		return false
	}
}
