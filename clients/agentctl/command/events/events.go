// Package events is the command that watches what happens in a workspace.
package events

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/connection"
	"github.com/recourse-dev/recourse/clients/agentctl/wire"
	"github.com/recourse-dev/recourse/core/fault"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// Command is agentctl events.
func Command(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	return cli.Group(&cobra.Command{
		Use:     "events",
		Short:   "Watch what happens in a workspace",
		Example: "  agentctl events watch",
	}, watch(inv, server))
}

func watch(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	w := watcher{inv: inv, output: cli.Table}
	c := &cobra.Command{
		Use:   "watch",
		Short: "Print each event once, in order, as it happens",
		Long: `Prints each event once, in order, without gaps, from now on or after a cursor.
When the server goes away it goes on after the last event once the server is back.`,
		Example: `  agentctl events watch
  agentctl events watch --type recovery.updated -o json
  agentctl events watch --after CURSOR --count 10`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			api, err := connection.Require(inv, *server)
			if err != nil {
				return err
			}
			defer api.Close()
			w.api = api
			return w.run(c.Context())
		},
	}
	c.Flags().VarP(&w.output, "output", "o", "table or json, one object a line")
	c.Flags().StringVar(&w.cursor, "after", "", "begin after the event of this `CURSOR`")
	c.Flags().StringSliceVar(&w.types, "type", nil, "only these `TYPES`")
	c.Flags().IntVar(&w.left, "count", 0, "end after this `MANY` events; 0 never ends")
	return c
}

type watcher struct {
	inv    *cli.Invocation
	api    *connection.API
	output cli.Format
	cursor string
	types  []string
	left   int // events still to print, 0 for all
}

// The pauses before a lost stream is opened again.
const (
	firstPause = 500 * time.Millisecond
	lastPause  = 10 * time.Second
)

func (w *watcher) run(ctx context.Context) error {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		before := w.cursor
		done, err := w.stream(ctx)
		if done || ctx.Err() != nil {
			return nil
		}
		if err != nil && !again(err) {
			return err
		}
		if w.cursor != before {
			pause = firstPause
		}
		if before == "" && w.cursor == "" && err != nil {
			return err // it was never there
		}
		if err := w.inv.Clock.Sleep(ctx, pause); err != nil {
			return nil
		}
	}
}

// again says that the stream can be opened again after the last cursor.
func again(err error) bool {
	f := fault.From(err)
	return f.Kind == fault.Unavailable || f.Reason == fault.ReasonStreamTooSlow || f.Reason == fault.ReasonShuttingDown
}

func (w *watcher) stream(ctx context.Context) (done bool, err error) {
	stream, err := w.api.Recovery.WatchEvents(ctx, &v1.WatchEventsRequest{WorkspaceId: w.api.WorkspaceID, Cursor: w.cursor, Types: w.types})
	if err != nil {
		return false, err
	}
	defer func() { _ = stream.Close() }() // what it still had to say was said by Receive
	for {
		message, err := stream.Receive()
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if beat := message.GetHeartbeat(); beat != nil {
			w.cursor = beat.GetCursor()
			continue
		}
		event := message.GetEvent()
		if err := w.print(event); err != nil {
			return false, err
		}
		w.cursor = event.GetCursor()
		if w.left > 0 {
			if w.left--; w.left == 0 {
				return true, nil
			}
		}
	}
}

func (w *watcher) print(e *v1.Event) error {
	if w.output == cli.JSON {
		return cli.PrintMessage(w.inv.Out, e)
	}
	payload, err := wire.JSON(e.GetPayload())
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w.inv.Out, "%s  %-28s %s\n", e.GetOccurredAt().AsTime().Local().Format("15:04:05"), cli.Clean(e.GetType()), cli.Clean(string(payload)))
	return err
}
