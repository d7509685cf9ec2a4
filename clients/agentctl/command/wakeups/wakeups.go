// Package wakeups is the command that lists, shows and acts on wakeups.
package wakeups

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/connection"
	"github.com/recourse-dev/recourse/clients/agentctl/journal"
	"github.com/recourse-dev/recourse/clients/agentctl/wire"
	"github.com/recourse-dev/recourse/clients/agentctl/wording"
	"github.com/recourse-dev/recourse/core/fault"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// Command is agentctl wakeups.
func Command(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	return cli.Group(&cobra.Command{
		Use:     "wakeups",
		Short:   "List, show and act on wakeups, the requests to deliver one prompt each",
		Example: "  agentctl wakeups list",
	}, list(inv, server), get(inv, server), retry(inv, server), cancel(inv, server))
}

func list(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	output := cli.Table
	var statuses []string
	var limit int
	var local bool
	c := &cobra.Command{
		Use:   "list",
		Short: "List wakeups, newest first",
		Long:  "Lists the server's wakeups, newest first; without a server, or with --local, those of this host's journal.",
		Example: `  agentctl wakeups list
  agentctl wakeups list --status failed --limit 10 -o json
  agentctl wakeups list --local`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			wanted, err := parseStatuses(statuses)
			if err != nil {
				return err
			}
			if limit < 1 || limit > maxLimit {
				return cli.Failf(cli.Usage, "--limit must be between 1 and %d", maxLimit)
			}
			var found []*v1.Wakeup
			if config, err := connection.Resolve(inv, *server); err != nil {
				return err
			} else if local || config.Server.Origin == "" {
				found, err = fromJournal(inv, wanted, limit)
				if err != nil {
					return err
				}
			} else if found, err = fromServer(c, inv, *server, wanted, limit); err != nil {
				return err
			}
			return print(inv, output, found)
		},
	}
	c.Flags().VarP(&output, "output", "o", "table or json, one object a line")
	c.Flags().StringSliceVar(&statuses, "status", nil, "only these `STATUSES`, as scheduled_retry,failed")
	c.Flags().IntVar(&limit, "limit", 50, "at most this `MANY`")
	c.Flags().BoolVar(&local, "local", false, "only this host's journal")
	return c
}

const maxLimit = 1000

func parseStatuses(words []string) ([]v1.WakeupStatus, error) {
	var out []v1.WakeupStatus
	for _, word := range words {
		number, known := v1.WakeupStatus_value["WAKEUP_STATUS_"+strings.ToUpper(word)]
		if !known || number == 0 {
			return nil, cli.Failf(cli.Usage, "there is no status %q: use queued, running, scheduled_retry, parked, completed, failed, timed_out or cancelled", word)
		}
		out = append(out, v1.WakeupStatus(number))
	}
	return out, nil
}

func fromServer(c *cobra.Command, inv *cli.Invocation, flags connection.Flags, statuses []v1.WakeupStatus, limit int) ([]*v1.Wakeup, error) {
	api, err := connection.Require(inv, flags)
	if err != nil {
		return nil, err
	}
	defer api.Close()
	answer, err := api.Recovery.ListWakeups(c.Context(), &v1.ListWakeupsRequest{
		WorkspaceId: api.WorkspaceID, Statuses: statuses, PageSize: int32(limit),
	})
	return answer.GetWakeups(), err
}

func fromJournal(inv *cli.Invocation, statuses []v1.WakeupStatus, limit int) ([]*v1.Wakeup, error) {
	store, err := journal.Open(connection.StateFolder(inv))
	if err != nil {
		return nil, err
	}
	states, err := store.List()
	if err != nil {
		return nil, err
	}
	var out []*v1.Wakeup
	for _, state := range states {
		if w := wire.Wakeup(state); len(out) < limit && wanted(w.GetStatus(), statuses) {
			out = append(out, w)
		}
	}
	return out, nil
}

func wanted(status v1.WakeupStatus, statuses []v1.WakeupStatus) bool {
	for _, s := range statuses {
		if s == status {
			return true
		}
	}
	return len(statuses) == 0
}

func print(inv *cli.Invocation, output cli.Format, found []*v1.Wakeup) error {
	if output == cli.JSON {
		for _, w := range found {
			if err := cli.PrintMessage(inv.Out, w); err != nil {
				return err
			}
		}
		return nil
	}
	now := inv.Clock.Now()
	var rows [][]string
	for _, w := range found {
		due := ""
		if at := w.GetDueAt(); at != nil {
			due = wording.Instant(at.AsTime(), now)
		}
		rows = append(rows, []string{
			w.GetWakeupId(), wire.StatusWord(w.GetStatus()), w.GetProfile().GetAgentKind(),
			string(wire.CodeWord(w.GetLastClassification().GetCode())), strconv.Itoa(int(w.GetRunCount())), due,
			wording.Ago(w.GetUpdatedAt().AsTime(), now),
		})
	}
	return cli.PrintTable(inv.Out, []string{"WAKEUP", "STATUS", "AGENT", "CODE", "RUNS", "DUE", "CHANGED"}, rows)
}

func get(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	c := &cobra.Command{
		Use:   "get ID",
		Short: "Show one wakeup as JSON",
		Long:  "Shows one wakeup as proto JSON, from the server or, without one, from this host's journal. agentctl why ID says it in plain words.",
		Example: `  agentctl wakeups get 01966d2a-7c1e-7d40-9a35-0c2d6f0a1b2c
  agentctl wakeups get 01966d2a-7c1e-7d40-9a35-0c2d6f0a1b2c -o json`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			config, err := connection.Resolve(inv, *server)
			if err != nil {
				return err
			}
			if local, found := journaled(inv, args[0]); found && (local.Prompt.Server == "" || config.Server.Origin == "") {
				return cli.PrintMessage(inv.Out, wire.Wakeup(local))
			}
			if config.Server.Origin == "" {
				return fault.New(fault.NotFound, fault.ReasonWakeupNotFound, "this host has no journal of wakeup %s, and no server is configured", args[0])
			}
			api, err := connection.Require(inv, *server)
			if err != nil {
				return err
			}
			defer api.Close()
			answer, err := api.Recovery.GetWakeup(c.Context(), &v1.GetWakeupRequest{WorkspaceId: api.WorkspaceID, WakeupId: args[0]})
			if err != nil {
				return err
			}
			return cli.PrintMessage(inv.Out, answer.GetWakeup())
		},
	}
	cli.JSONOnly(c)
	return c
}

func journaled(inv *cli.Invocation, id string) (journal.State, bool) {
	store, err := journal.Open(connection.StateFolder(inv))
	if err != nil {
		return journal.State{}, false
	}
	state, err := store.Read(id)
	return state, err == nil
}
