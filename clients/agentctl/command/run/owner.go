package run

import (
	"context"
	"fmt"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/recourse-dev/recourse/clients/agentctl/adapter"
	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/connection"
	"github.com/recourse-dev/recourse/clients/agentctl/journal"
	"github.com/recourse-dev/recourse/clients/agentctl/rulebook"
	"github.com/recourse-dev/recourse/clients/agentctl/supervisor"
	"github.com/recourse-dev/recourse/clients/agentctl/supervisor/spool"
	"github.com/recourse-dev/recourse/core/fault"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// owner is who owns the wakeup: a server, or nil for this host.
type owner struct {
	api    *connection.API
	takeUp bool // the wakeup was another supervisor's
}

// reachTimeout is how long a server may take before this host decides alone.
const reachTimeout = 3 * time.Second

// own begins the prompt at the server, if one can be reached, else on this host.
func (s *starter) own(ctx context.Context, prompt *journal.Prompt, plan adapter.Plan) (owner, error) {
	api, err := s.reach(ctx)
	if err != nil {
		return owner{}, err
	}
	if api == nil {
		prompt.WakeupID, prompt.Server, prompt.Workspace = s.inv.NewID(), "", ""
		prompt.SessionID, prompt.Generation = prompt.WakeupID, 1
		return owner{}, nil
	}
	return owner{api: api}, s.beginAt(ctx, api, prompt, plan)
}

// beginAt begins the prompt at a server: a new session, or the next generation
// of the prompt's own.
func (s *starter) beginAt(ctx context.Context, api *connection.API, prompt *journal.Prompt, plan adapter.Plan) error {
	call, cancel := context.WithTimeout(ctx, reachTimeout*2)
	defer cancel()
	request := &v1.BeginPromptRequest{
		WorkspaceId: api.WorkspaceID, RequestId: s.inv.NewID(), SessionId: prompt.SessionID,
		Delivery: v1.DeliveryMode_DELIVERY_MODE_CALLER, Send: sendOf(prompt),
		Profile: &v1.ProfileSnapshot{
			AgentKind: plan.Kind, ArgvShape: plan.Shape(), Policy: policyOf(prompt.Policy), Labels: labels(prompt),
		},
		Supervisor: &v1.Supervisor{SupervisorId: s.id, HostId: s.hostID},
	}
	answer, err := api.Recovery.BeginPrompt(call, request)
	if fault.Is(err, fault.ReasonNotResumable) && !prompt.Fresh {
		// The server never heard of the agent's own session; this host knows it.
		request.Send, request.RequestId = v1.SendKind_SEND_KIND_UNSPECIFIED, s.inv.NewID()
		answer, err = api.Recovery.BeginPrompt(call, request)
	}
	if err != nil {
		return err
	}
	prompt.WakeupID, prompt.Server, prompt.Workspace = answer.GetWakeup().GetWakeupId(), api.Address(), api.WorkspaceID
	prompt.SessionID, prompt.Generation = answer.GetSession().GetSessionId(), answer.GetSession().GetGeneration()
	return nil
}

// sendOf is what the first run sends: the continue instruction where it resumes
// the agent's own session.
func sendOf(p *journal.Prompt) v1.SendKind {
	if p.Fresh {
		return v1.SendKind_SEND_KIND_FRESH
	}
	if p.Session != "" && p.SessionID != "" {
		return v1.SendKind_SEND_KIND_CONTINUE
	}
	return v1.SendKind_SEND_KIND_PROMPT
}

func labels(p *journal.Prompt) map[string]string {
	if p.Continues == "" {
		return nil
	}
	return map[string]string{"continues": p.Continues}
}

func policyOf(p journal.Policy) *v1.PolicyChoice {
	choice := &v1.PolicyChoice{Preset: v1.PolicyPreset_POLICY_PRESET_INTERACTIVE, ReplaySafe: p.ReplaySafe}
	if p.Wait {
		choice.Preset = v1.PolicyPreset_POLICY_PRESET_PATIENT
	}
	if p.MaxWait > 0 {
		choice.MaxWait = durationpb.New(p.MaxWait)
	}
	return choice
}

// reach finds the server; nil means that this host decides. A server that
// answers and refuses the caller is an error: a person thinks that it is asked.
func (s *starter) reach(ctx context.Context) (*connection.API, error) {
	if s.server.Offline {
		return nil, nil
	}
	config, err := connection.Resolve(s.inv, *s.server)
	if err != nil {
		return nil, err
	}
	if config.Server.Origin == "" {
		s.status.say("no server is configured: deciding on this host, remembered in its journal only")
		return nil, nil
	}
	api, err := connection.Dial(config, s.inv.Version)
	if err != nil {
		return nil, err
	}
	call, cancel := context.WithTimeout(ctx, reachTimeout)
	defer cancel()
	if err := api.Check(call); err != nil {
		if fault.From(err).Kind == fault.Unavailable || fault.From(err).Kind == fault.DeadlineExceeded {
			s.status.say(fmt.Sprintf("no server at %s: deciding on this host, remembered in its journal only", config.Server.Value))
			return nil, nil
		}
		return nil, err
	}
	return api, nil
}

// supervisor is the one for a journal entry and its owner.
func (s *starter) supervisor(entry *journal.Entry, plan adapter.Plan, owner owner, stdin *spool.Spool) (*supervisor.Supervisor, error) {
	sup := &supervisor.Supervisor{
		Plan: plan, Entry: entry, Settings: s.inv.Settings, Clock: s.inv.Clock, NewID: s.inv.NewID, NewSession: cli.NewSession,
		Stdin: stdin, Out: s.inv.Out, Err: s.inv.Err, Dir: entry.State().Prompt.Cwd, Env: s.inv.Environ, HostZone: s.inv.HostZone,
		NoWait: s.flags.noWait, Interrupts: s.interrupts, Tell: s.status.tell,
	}
	sup.Version = func() string { return agentVersion(plan, entry.State().Prompt.Argv[0]) }
	s.status.about(plan, owner.api != nil)
	prompt := entry.State().Prompt
	if owner.api != nil {
		sup.Ledger = &supervisor.Remote{
			API: owner.api.Recovery, Workspace: owner.api.WorkspaceID, WakeupID: prompt.WakeupID,
			Supervisor: &v1.Supervisor{SupervisorId: s.id, HostId: s.hostID}, TakeOver: owner.takeUp,
			Resume: resumeOf(entry.State()), NotBefore: prompt.NotBefore, Clock: s.inv.Clock, Ahead: owner.api.Ahead,
		}
		return sup, nil
	}
	rules, err := new(rulebook.Source).Catalogue(s.inv)
	if err != nil {
		return nil, err
	}
	sup.Ledger = &supervisor.Local{
		Classifier: rules.Classifier, Settings: s.inv.Settings, Clock: s.inv.Clock, Jitter: s.inv.Jitter, NewID: s.inv.NewID, Entry: entry,
	}
	return sup, nil
}

// resumeOf is the session that the first run resumes; once a run was claimed
// the decisions say what is sent.
func resumeOf(state journal.State) string {
	if state.Runs > 0 {
		return ""
	}
	return state.Prompt.Session
}

func agentVersion(plan adapter.Plan, program string) string {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if v := adapter.Version(ctx, program); v != "" {
		return v
	}
	return adapter.AssumedVersion(plan.Kind)
}
