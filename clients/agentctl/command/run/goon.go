package run

import (
	"context"
	"fmt"
	"syscall"
	"time"

	"github.com/recourse-dev/recourse/clients/agentctl/adapter"
	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/connection"
	"github.com/recourse-dev/recourse/clients/agentctl/journal"
	"github.com/recourse-dev/recourse/clients/agentctl/supervisor"
	"github.com/recourse-dev/recourse/clients/agentctl/supervisor/spool"
)

// goOn continues a wakeup of this host's journal: one that waits is taken
// over, one that stopped is begun again because a person says so.
func (s *starter) goOn(ctx context.Context) error {
	id, err := s.wanted()
	if err != nil {
		return err
	}
	entry, err := s.store.Take(id)
	if err != nil {
		return err
	}
	defer entry.Close()
	state := entry.State()
	if state.Prompt.HostID != s.hostID {
		return cli.Failf(cli.Stale, "wakeup %s belongs to another host; it can be continued there", state.Prompt.WakeupID)
	}
	plan := s.planOf(state.Prompt)
	switch state.Phase {
	case journal.PhaseCompleted:
		s.status.say("nothing to go on with: it has succeeded")
		return nil
	case journal.PhaseContinued:
		return cli.Failf(cli.Stale, "wakeup %s was continued as %s: agentctl run --continue %s", state.Prompt.WakeupID, state.By, state.By)
	case journal.PhaseQueued, journal.PhaseWaiting, journal.PhaseEnded:
		if s.flags.fresh {
			return cli.Failf(cli.Usage, "wakeup %s has not stopped, it waits: agentctl run --continue %s goes on with it, agentctl wakeups cancel ends it", state.Prompt.WakeupID, state.Prompt.WakeupID)
		}
		return s.takeOver(ctx, entry, plan)
	case journal.PhaseDelivered:
		if alive(state.ChildPID) {
			return cli.Failf(cli.Pending, "the agent of wakeup %s may still be running as process %d: wait for it or end it, then continue", state.Prompt.WakeupID, state.ChildPID)
		}
	}
	return s.again(ctx, entry, plan)
}

// newest stands for the wakeup that this host has run last.
const newest = "last"

func (s *starter) wanted() (id string, err error) {
	if s.flags.continueID != newest {
		return s.flags.continueID, nil
	}
	states, err := s.store.List()
	if err != nil {
		return "", err
	}
	if len(states) == 0 {
		return "", cli.Failf(cli.NotFound, "there is nothing to go on with: this host has run nothing")
	}
	return states[0].Prompt.WakeupID, nil
}

// planOf plans the command of the prompt as it was begun.
func (s *starter) planOf(p journal.Prompt) adapter.Plan {
	return adapter.New(p.Argv, adapter.Options{Agent: p.AgentKind, Verbatim: p.Verbatim})
}

// alive says that a process of this id exists; it may be another one by now,
// so this only ever asks a person to look.
func alive(pid int) bool {
	return pid > 0 && syscall.Kill(pid, 0) == nil
}

// takeOver goes on with a wakeup that needs no person.
func (s *starter) takeOver(ctx context.Context, entry *journal.Entry, plan adapter.Plan) error {
	owner, err := s.ownerOf(ctx, entry.State().Prompt)
	if err != nil {
		return err
	}
	stdin, err := recorded(entry)
	if err != nil {
		return err
	}
	sup, err := s.supervisor(entry, plan, owner, stdin)
	if err != nil {
		return err
	}
	if err := sup.Own(s.id); err != nil {
		return err
	}
	result, err := sup.Resume(ctx)
	s.status.done()
	if err != nil {
		return err
	}
	return exitOf(result)
}

// recorded is the standard input of the wakeup's first run.
func recorded(entry *journal.Entry) (*spool.Spool, error) {
	text, err := entry.RecordedStdin()
	if err != nil {
		return nil, err
	}
	if len(text) == 0 {
		return nil, nil
	}
	return spool.Replay(text, entry.State().StdinWhole), nil
}

// ownerOf finds who owns an older wakeup. What a server owns is never decided
// without it.
func (s *starter) ownerOf(ctx context.Context, p journal.Prompt) (owner, error) {
	if p.Server == "" {
		return owner{}, nil
	}
	if s.server.Offline {
		return owner{}, cli.Failf(cli.Usage, "wakeup %s is owned by the server %s: it cannot be continued with --offline", p.WakeupID, p.Server)
	}
	flags := *s.server
	if flags.Server == "" {
		flags.Server = p.Server
	}
	if flags.Workspace == "" {
		flags.Workspace = p.Workspace
	}
	config, err := connection.Resolve(s.inv, flags)
	if err != nil {
		return owner{}, err
	}
	api, err := connection.Dial(config, s.inv.Version)
	if err != nil {
		return owner{}, err
	}
	call, cancel := context.WithTimeout(ctx, reachTimeout)
	defer cancel()
	if err := api.Check(call); err != nil {
		return owner{}, fmt.Errorf("wakeup %s is owned by a server: %w", p.WakeupID, err)
	}
	return owner{api: api, takeUp: true}, nil
}

// again begins a new wakeup for the command of one that stopped. It is a
// person's decision; what is sent is still only what is safe.
func (s *starter) again(ctx context.Context, old *journal.Entry, plan adapter.Plan) error {
	state := old.State()
	policy := state.Prompt.Policy
	policy.ReplaySafe = policy.ReplaySafe || s.flags.replaySafe
	if s.flags.wait.set {
		policy.Wait, policy.MaxWait = true, s.flags.wait.max
	}
	session, safe := restart(state, plan, policy.ReplaySafe)
	fresh := s.flags.fresh || state.Runs == 0 && state.Prompt.Fresh
	stdin, err := recorded(old)
	switch {
	case err != nil:
		return err
	case fresh:
		session = ""
		if err := freshable(plan, stdin != nil); err != nil {
			return err
		}
	case !safe:
		return s.needsPerson(state, plan)
	}
	if session == "" && stdin != nil && !stdin.Replayable() {
		return cli.Failf(cli.Stopped, "its standard input was not kept whole, so its prompt cannot be sent again: run the command again yourself")
	}
	notBefore, err := s.notBefore(state, policy)
	if err != nil {
		return err
	}
	prompt := state.Prompt
	prompt.Policy, prompt.Continues, prompt.Session, prompt.NotBefore = policy, state.Prompt.WakeupID, session, notBefore
	prompt.Fresh = fresh
	prompt.CreatedAt = s.inv.Clock.Now().UTC()
	return s.next(ctx, old, prompt, plan, stdin)
}

// next makes the new wakeup and runs it.
func (s *starter) next(ctx context.Context, old *journal.Entry, prompt journal.Prompt, plan adapter.Plan, stdin *spool.Spool) error {
	var owner owner
	var err error
	if old.State().Prompt.Server == "" {
		prompt.WakeupID, prompt.Generation = s.inv.NewID(), prompt.Generation+1
	} else {
		if owner, err = s.ownerOf(ctx, old.State().Prompt); err != nil {
			return err
		}
		if err = s.beginAt(ctx, owner.api, &prompt, plan); err != nil {
			return err
		}
		owner.takeUp = false
	}
	entry, err := s.store.Create(prompt)
	if err != nil {
		return err
	}
	defer entry.Close()
	if err := copyStdin(old, entry); err != nil {
		return err
	}
	if err := old.Append(journal.Record{Kind: journal.KindContinued, At: prompt.CreatedAt, By: prompt.WakeupID}); err != nil {
		return err
	}
	s.status.say("going on as wakeup " + prompt.WakeupID)
	if left := prompt.NotBefore.Sub(s.inv.Clock.Now()); left > 0 && !s.flags.noWait {
		s.status.tell(supervisor.Notice{Kind: supervisor.NoticeReset, WakeupID: prompt.WakeupID, Due: prompt.NotBefore})
	}
	return s.supervise(ctx, entry, plan, owner, stdin, prompt.NotBefore)
}

// notBefore is the stated reset that --wait waits for before the first run.
func (s *starter) notBefore(state journal.State, policy journal.Policy) (time.Time, error) {
	reset := decision(state).HintShown
	if !policy.Wait || reset.IsZero() {
		return time.Time{}, nil
	}
	at, now := reset.Add(s.inv.Settings.ResetMargin), s.inv.Clock.Now()
	if !at.After(now) {
		return time.Time{}, nil
	}
	limit := policy.MaxWait
	if limit == 0 {
		limit = s.inv.Settings.PatientMaxWait
	}
	if reset.Sub(now) > limit {
		return time.Time{}, cli.Failf(cli.Stopped, "the stated reset is %s away and --wait waits at most %s: say how long, as --wait=%s",
			reset.Sub(now).Round(time.Minute), limit, (reset.Sub(now) + time.Hour).Round(time.Hour))
	}
	return at, nil
}
