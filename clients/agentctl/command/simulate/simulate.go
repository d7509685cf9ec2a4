// Package simulate is the command that tries a policy on what has happened.
package simulate

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/connection"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// options are the flags.
type options struct {
	policy  string
	preset  string
	maxWait time.Duration
	since   span
	code    string
	cases   string
	limit   int
	left    int
	output  cli.Format
}

const (
	maxLimit = 1000
	maxLeft  = 100
)

// Command is agentctl simulate.
func Command(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	o := options{output: cli.Table}
	c := &cobra.Command{
		Use:   "simulate",
		Short: "Show what failures would have met under another policy",
		Long: `Replays the server's stored failures, or the cases of a file, against a policy with the functions that
decide for real. Nothing is changed. --policy takes the policies of a candidate as YAML or JSON: transient and
hard, each with wait_for_reset, retry and on_exhausted; --preset one of the policies of a prompt.`,
		Example: `  agentctl simulate --preset patient --since 7d
  agentctl simulate --policy policy.yaml --code quota_limited --candidates-left 1
  agentctl simulate --policy policy.yaml --cases cases.jsonl -o json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return o.run(c.Context(), inv, *server) },
	}
	f := c.Flags()
	f.StringVar(&o.policy, "policy", "", "try the policies of this `FILE`; - is standard input")
	f.StringVar(&o.preset, "preset", "", "try this preset of a prompt: interactive or patient")
	f.DurationVar(&o.maxWait, "max-wait", 0, "how long the preset patient may wait; its own default if not given")
	f.Var(&o.since, "since", "only failures of this last `TIME`, as 90m, 24h or 7d")
	f.StringVar(&o.code, "code", "", "only failures of this `CODE`")
	f.StringVar(&o.cases, "cases", "", "replay the cases of this `FILE`, one JSON object a line, instead of what is stored; - is standard input")
	f.IntVar(&o.limit, "limit", 200, "the newest `MANY` failures")
	f.IntVar(&o.left, "candidates-left", 0, "as if this `MANY` other candidates could take over")
	f.VarP(&o.output, "output", "o", "table or json")
	return c
}

func (o *options) run(ctx context.Context, inv *cli.Invocation, server connection.Flags) error {
	request, err := o.request(inv)
	if err != nil {
		return err
	}
	api, err := connection.Require(inv, server)
	if err != nil {
		return err
	}
	defer api.Close()
	request.WorkspaceId = api.WorkspaceID
	answer, err := o.ask(ctx, inv, api, request)
	if err != nil {
		return err
	}
	if o.output == cli.JSON {
		return cli.PrintMessage(inv.Out, answer)
	}
	return print(inv, answer)
}

func (o *options) ask(ctx context.Context, inv *cli.Invocation, api *connection.API, request *v1.SimulatePolicyRequest) (*v1.SimulatePolicyResponse, error) {
	if o.cases == "" {
		return api.Recovery.SimulatePolicy(ctx, request)
	}
	return o.askAboutCases(ctx, inv, api, request)
}

// request checks the flags, without the cases.
func (o *options) request(inv *cli.Invocation) (*v1.SimulatePolicyRequest, error) {
	switch {
	case (o.policy == "") == (o.preset == ""):
		return nil, cli.Failf(cli.Usage, "say which policy to try: --policy FILE or --preset NAME")
	case o.policy == "-" && o.cases == "-":
		return nil, cli.Failf(cli.Usage, "only one of --policy and --cases can be standard input")
	case o.cases != "" && (o.code != "" || o.since != 0):
		return nil, cli.Failf(cli.Usage, "--code and --since choose among stored failures, not among cases")
	case o.limit < 1 || o.limit > maxLimit:
		return nil, cli.Failf(cli.Usage, "--limit must be between 1 and %d", maxLimit)
	case o.left < 0 || o.left > maxLeft:
		return nil, cli.Failf(cli.Usage, "--candidates-left must be between 0 and %d", maxLeft)
	case o.maxWait != 0 && o.preset != "patient":
		return nil, cli.Failf(cli.Usage, "--max-wait belongs to --preset patient")
	}
	request := &v1.SimulatePolicyRequest{MaxAttempts: int32(o.limit), CandidatesLeft: int32(o.left)}
	if o.since > 0 {
		request.DecidedAfter = timestamppb.New(inv.Clock.Now().Add(-time.Duration(o.since)))
	}
	if o.code != "" {
		number, known := v1.Code_value["CODE_"+strings.ToUpper(o.code)]
		if !known || number == 0 {
			return nil, cli.Failf(cli.Usage, "there is no code %q", o.code)
		}
		request.Code = v1.Code(number)
	}
	return request, o.choose(inv, request)
}

// choose puts the policy into the request.
func (o *options) choose(inv *cli.Invocation, request *v1.SimulatePolicyRequest) error {
	if o.policy != "" {
		classes, err := readPolicy(inv, o.policy)
		request.Policy = &v1.SimulatePolicyRequest_Classes{Classes: classes}
		return err
	}
	number, known := v1.PolicyPreset_value["POLICY_PRESET_"+strings.ToUpper(o.preset)]
	if !known || number == 0 {
		return cli.Failf(cli.Usage, "there is no preset %q: use interactive or patient", o.preset)
	}
	choice := &v1.PolicyChoice{Preset: v1.PolicyPreset(number)}
	if o.maxWait != 0 {
		choice.MaxWait = durationpb.New(o.maxWait)
	}
	request.Policy = &v1.SimulatePolicyRequest_Preset{Preset: choice}
	return nil
}
