package run

import (
	"context"
	"errors"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/recourse-dev/recourse/clients/agentctl/adapter"
	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/connection"
	"github.com/recourse-dev/recourse/clients/agentctl/journal"
	"github.com/recourse-dev/recourse/clients/agentctl/supervisor"
	"github.com/recourse-dev/recourse/clients/agentctl/supervisor/spool"
)

// Command is agentctl run.
func Command(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	var f flags
	c := &cobra.Command{
		Use:   "run [flags] -- CMD [ARG...]",
		Short: "Run an agent command and carry it through its provider's failures",
		Long: `Runs one agent command. When it fails, the failure gets one stable name, and what
may safely follow is decided: the same again after a short delay, a resume of the
agent's own session, a wait for a stated reset, or a stop that says why.

A prompt is repeated only when the agent is known to have done nothing, when the
agent resumes its own session, or when you declare the command repeatable.
Claude Code and Codex are made to print their events so that this can be known;
what you see is what they would have printed. Without a server it works from the
embedded catalogue and this host's journal.`,
		Example: `  agentctl run -- claude -p "mend the failing test"
  agentctl run --wait -- codex exec "port the parser"
  agentctl run --replay-safe -- ./review.sh
  agentctl run --no-wait -- claude -p "nightly" || test $? -eq 75
  agentctl run --continue last
  agentctl run --continue last --fresh`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case f.fresh && f.continueID == "":
				return cli.Failf(cli.Usage, "--fresh goes on with an older wakeup: agentctl run --continue ID --fresh")
			case f.continueID == "" && len(args) == 0:
				return cli.Failf(cli.Usage, "say what to run: agentctl run -- CMD [ARG...]")
			case f.continueID != "" && len(args) > 0:
				return cli.Failf(cli.Usage, "--continue runs the command that was begun: it takes no other one")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			server.Offline = server.Offline || f.offline
			s, err := newStarter(inv, server, f)
			if err != nil {
				return err
			}
			interrupts, deafen := inv.Listen()
			defer deafen()
			s.interrupts = interrupts
			if f.continueID != "" {
				return s.goOn(c.Context())
			}
			return s.begin(c.Context(), args)
		},
	}
	f.register(c.Flags())
	return c
}

// starter sets a supervisor up for a new wakeup or an older one.
type starter struct {
	inv    *cli.Invocation
	flags  flags
	server *connection.Flags
	store  *journal.Store
	hostID string
	id     string // of this supervisor
	status *status
	// interrupts are the user's.
	interrupts <-chan syscall.Signal
}

func newStarter(inv *cli.Invocation, server *connection.Flags, f flags) (*starter, error) {
	store, err := journal.Open(connection.StateFolder(inv))
	if err != nil {
		return nil, err
	}
	hostID, err := store.HostID(inv.NewID)
	if err != nil {
		return nil, err
	}
	return &starter{
		inv: inv, flags: f, server: server, store: store, hostID: hostID, id: inv.NewID(),
		status: newStatus(inv, f.quiet, f.onEvent),
	}, nil
}

// begin runs a new wakeup.
func (s *starter) begin(ctx context.Context, command []string) error {
	if err := found(command[0], s.inv); err != nil {
		return err
	}
	prompt := journal.Prompt{
		HostID: s.hostID, Argv: command, Cwd: s.inv.Dir, Verbatim: s.flags.noAdapt, CreatedAt: s.inv.Clock.Now().UTC(),
		Policy: journal.Policy{Wait: s.flags.wait.set, MaxWait: s.flags.wait.max, ReplaySafe: s.flags.replaySafe},
	}
	plan := adapter.New(command, adapter.Options{Agent: s.flags.agent, Verbatim: s.flags.noAdapt})
	prompt.AgentKind = plan.Kind
	owner, err := s.own(ctx, &prompt, plan)
	if err != nil {
		return err
	}
	entry, err := s.store.Create(prompt)
	if err != nil {
		return err
	}
	defer entry.Close()
	stdin, closeStdin, err := s.spool(entry)
	if err != nil {
		return err
	}
	defer closeStdin()
	return s.supervise(ctx, entry, plan, owner, stdin, prompt.NotBefore)
}

// found refuses a command that no attempt could start.
func found(program string, inv *cli.Invocation) error {
	var err error
	if strings.ContainsRune(program, filepath.Separator) {
		if !filepath.IsAbs(program) {
			program = filepath.Join(inv.Dir, program)
		}
		_, err = exec.LookPath(program)
	} else {
		_, err = exec.LookPath(program)
	}
	switch {
	case err == nil:
		return nil
	case strings.ContainsRune(program, filepath.Separator) && errors.Is(err, fs.ErrNotExist):
		return cli.Failf(commandNotFound, "%s does not exist", program)
	case errors.Is(err, exec.ErrNotFound), strings.Contains(err.Error(), "no such file"):
		return cli.Failf(commandNotFound, "%s: command not found; is it installed and on PATH?", program)
	}
	return cli.Failf(commandNotRunnable, "%s cannot be run: %v", program, err)
}

// The codes that shells give for commands that do not run.
const (
	commandNotRunnable = 126
	commandNotFound    = 127
)

// spool records the caller's standard input. A terminal is not given to the
// agent: it runs in a process group of its own, which may not read from it.
func (s *starter) spool(entry *journal.Entry) (*spool.Spool, func(), error) {
	if s.inv.InTTY || s.inv.In == nil {
		return nil, func() {}, nil
	}
	record, err := entry.Stdin()
	if err != nil {
		return nil, nil, err
	}
	return spool.New(s.inv.In, record, entry.StdinWhole), func() { record.Close() }, nil
}

// supervise runs a wakeup and turns its end into an exit code.
func (s *starter) supervise(ctx context.Context, entry *journal.Entry, plan adapter.Plan, owner owner, stdin *spool.Spool, due time.Time) error {
	sup, err := s.supervisor(entry, plan, owner, stdin)
	if err != nil {
		return err
	}
	if err := sup.Own(s.id); err != nil {
		return err
	}
	result, err := sup.Run(ctx, due)
	s.status.done()
	if err != nil {
		return err
	}
	if s.asksForConsent(result) && s.consents() {
		s.flags.wait.set = true
		return s.again(ctx, entry, plan)
	}
	return exitOf(result)
}

func exitOf(r supervisor.Result) error {
	switch r.End {
	case supervisor.EndSucceeded:
		return nil
	case supervisor.EndStopped:
		if r.Code > 0 {
			return cli.Exit(r.Code)
		}
		return cli.Exit(cli.Stopped)
	case supervisor.EndWaiting:
		return cli.Exit(cli.Parked)
	case supervisor.EndCancelled:
		if r.Interrupted {
			return cli.Exit(cli.Interrupted)
		}
		return cli.Exit(cli.Cancelled)
	}
	return cli.Exit(cli.Stale)
}
