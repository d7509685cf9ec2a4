package run

import (
	"errors"
	"slices"

	"github.com/recourse-dev/recourse/clients/agentctl/adapter"
	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/supervisor"
	"github.com/recourse-dev/recourse/core/recovery"
)

// freshable says why a command line cannot start fresh. input says that its
// standard input was recorded.
func freshable(plan adapter.Plan, input bool) error {
	command, err := plan.Fresh(recovery.FreshInstruction, func() string { return "" })
	if err == nil && command.Before != "" && !input {
		err = errors.New("its prompt was neither in the command line nor on standard input")
	}
	if err != nil {
		return cli.Failf(cli.Stopped, "it cannot start fresh: %w", err)
	}
	return nil
}

// gone are the rules that name an agent's answer that it lost the session.
var gone = []string{"runtime.session_gone", "runtime.acp_not_found"}

// sessionGone: the session to resume is lost, so that a fresh start is what is left.
func (s *status) sessionGone(n supervisor.Notice) bool {
	return slices.Contains(gone, n.Verdict.Classification.GetRuleId()) && freshable(s.plan, true) == nil
}
