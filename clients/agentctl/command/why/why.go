// Package why is the command that says in plain words why a wakeup is stuck.
package why

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/connection"
	"github.com/recourse-dev/recourse/clients/agentctl/journal"
	"github.com/recourse-dev/recourse/clients/agentctl/wire"
	"github.com/recourse-dev/recourse/core/fault"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// newest is what run --continue calls the newest wakeup of this host.
const newest = "last"

// story is what there is to tell about one wakeup.
type story struct {
	wakeup   *v1.Wakeup
	evidence *v1.EvidenceEnvelope // of its last failure, nil if there is none
	phase    journal.Phase        // what this host knows besides, "" if nothing
	by       string
	commands string // what a person may do at the server, "" if that is not known
}

// Command is agentctl why.
func Command(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	output := cli.Table
	c := &cobra.Command{
		Use:   "why [ID|last]",
		Short: "Say why a wakeup is stuck, until when, and what to do",
		Long: `Says in plain words what became of a wakeup: the cause and its evidence, until
when it waits and who said so, and the exact next command. Without an ID, or with
"last", it tells about the newest one of this host, else about the server's newest that needs a person.`,
		Example: `  agentctl why
  agentctl why 01966d2a-7c1e-7d40-9a35-0c2d6f0a1b2c
  agentctl why -o json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			id := ""
			if len(args) > 0 && args[0] != newest {
				id = args[0]
			}
			found, err := find(c.Context(), inv, *server, id)
			if err != nil {
				return err
			}
			if output == cli.JSON {
				return cli.PrintMessage(inv.Out, found.wakeup)
			}
			return found.tell(inv)
		},
	}
	c.Flags().VarP(&output, "output", "o", "table or json")
	return c
}

// find looks in this host's journal, and asks the server that owns the wakeup.
func find(ctx context.Context, inv *cli.Invocation, flags connection.Flags, id string) (story, error) {
	store, err := journal.Open(connection.StateFolder(inv))
	if err != nil {
		return story{}, err
	}
	state, known, err := local(store, id)
	if err != nil {
		return story{}, err
	}
	if known && state.Prompt.Server == "" {
		return fromJournal(state), nil
	}
	if known {
		id = state.Prompt.WakeupID
		if flags.Server == "" {
			flags.Server = state.Prompt.Server
		}
	}
	asked, err := ask(ctx, inv, flags, id)
	if known {
		if err != nil {
			return fromJournal(state), nil // what this host knows is better than nothing
		}
		asked.phase, asked.by = state.Phase, state.By
	}
	return asked, err
}

// local finds a wakeup in the journal; without an id the newest.
func local(store *journal.Store, id string) (state journal.State, known bool, err error) {
	if id != "" {
		state, err = store.Read(id)
		if fault.Is(err, fault.ReasonWakeupNotFound) {
			return journal.State{}, false, nil
		}
		return state, err == nil, err
	}
	states, err := store.List()
	if err != nil || len(states) == 0 {
		return journal.State{}, false, err
	}
	return states[0], true, nil
}

func fromJournal(state journal.State) story {
	return story{wakeup: wire.Wakeup(state), evidence: wire.LastReport(state), phase: state.Phase, by: state.By}
}

// ask gets a wakeup and its last failure from the server.
func ask(ctx context.Context, inv *cli.Invocation, flags connection.Flags, id string) (story, error) {
	api, err := connection.Require(inv, flags)
	if err != nil {
		var exit *cli.ExitError
		if id == "" && errors.As(err, &exit) {
			return story{}, cli.Failf(cli.NotFound, "there is nothing to tell about: this host has run nothing, and no server is configured")
		}
		return story{}, err
	}
	defer api.Close()
	wakeup, err := get(ctx, api, id)
	if err != nil {
		return story{}, err
	}
	found := story{wakeup: wakeup, commands: commands(ctx, api, wakeup)}
	if run := wakeup.GetLastRunId(); run != "" && wakeup.GetLastDecision() != nil {
		answer, err := api.Recovery.GetRun(ctx, &v1.GetRunRequest{WorkspaceId: api.WorkspaceID, RunId: run})
		if err != nil {
			return story{}, err
		}
		found.evidence = answer.GetRun().GetEvidence()
	}
	return found, nil
}

func get(ctx context.Context, api *connection.API, id string) (*v1.Wakeup, error) {
	if id != "" {
		answer, err := api.Recovery.GetWakeup(ctx, &v1.GetWakeupRequest{WorkspaceId: api.WorkspaceID, WakeupId: id})
		return answer.GetWakeup(), err
	}
	answer, err := api.Recovery.ListWakeups(ctx, &v1.ListWakeupsRequest{WorkspaceId: api.WorkspaceID, PageSize: 100})
	if err != nil {
		return nil, err
	}
	list := answer.GetWakeups()
	for _, w := range list {
		if w.GetAttention() == v1.Attention_ATTENTION_PERSON {
			return w, nil
		}
	}
	if len(list) == 0 {
		return nil, cli.Failf(cli.NotFound, "there is nothing to tell about: the server has no wakeup")
	}
	return list[0], nil
}
