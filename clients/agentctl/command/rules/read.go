package rules

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/recourse-dev/recourse/catalogue"
	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/connection"
	"github.com/recourse-dev/recourse/clients/agentctl/rulebook"
	"github.com/recourse-dev/recourse/clients/agentctl/wire"
	"github.com/recourse-dev/recourse/core/classification"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

func list(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	var source rulebook.Source
	var code, dialect string
	output := asTable
	c := &cobra.Command{
		Use:   "list",
		Short: "List the rules of this host, or of a server, by id",
		Example: `  agentctl rules list --code quota_limited
  agentctl rules list --dialect claude -o json
  agentctl rules list --overlay ./rules -o yaml
  agentctl rules list --server`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if args = source.TakeURL(args); len(args) > 0 {
				return cli.Failf(cli.Usage, "list takes no %q: use --code or --dialect", args[0])
			}
			if err := known(code); code != "" && err != nil {
				return err
			}
			find := local
			if source.Remote() {
				find = remote
			}
			found, err := find(c.Context(), inv, &source, server, query{code: code, dialect: dialect})
			if err != nil {
				return err
			}
			return printRules(inv, output, found)
		},
	}
	source.Register(c.Flags())
	c.Flags().StringVar(&code, "code", "", "only rules for this `CODE`, as quota_limited")
	c.Flags().StringVar(&dialect, "dialect", "", "only rules of this `FILE`, as claude or quota")
	c.Flags().VarP(&output, "output", "o", "table, json (one object a line) or yaml")
	return c
}

// known refuses a code that is none, with those that are.
func known(code string) error {
	var codes []string
	for _, info := range classification.Codes() {
		if string(info.Code) == code {
			return nil
		}
		codes = append(codes, string(info.Code))
	}
	return cli.Failf(cli.Usage, "there is no code %q: use one of %s", code, strings.Join(codes, ", "))
}

type query struct{ id, code, dialect string }

// local reads the rules of this host.
func local(_ context.Context, inv *cli.Invocation, source *rulebook.Source, _ *connection.Flags, q query) (out []*v1.Rule, err error) {
	rules, err := source.Catalogue(inv)
	if err != nil {
		return nil, err
	}
	for _, r := range rules.Rules() {
		if (q.id == "" || r.ID == q.id) && (q.code == "" || string(r.Code) == q.code) && (q.dialect == "" || r.Dialect == q.dialect) {
			out = append(out, message(r))
		}
	}
	slices.SortFunc(out, func(a, b *v1.Rule) int { return cmp.Compare(a.GetRuleId(), b.GetRuleId()) })
	return out, nil
}

// message is a rule as a server would tell it.
func message(r catalogue.Info) *v1.Rule {
	named := wire.Classification(classification.Result{Code: r.Code, Confidence: r.Confidence, Scope: r.Scope})
	return &v1.Rule{
		RuleId: r.ID, Code: named.GetCode(), Confidence: named.GetConfidence(), Scope: named.GetScope(), Dialect: r.Dialect,
		Priority: int32(r.Priority), Description: r.About, Provenance: r.Provenance(),
	}
}

// remote reads every page of a server's rules.
func remote(ctx context.Context, inv *cli.Invocation, source *rulebook.Source, flags *connection.Flags, q query) (out []*v1.Rule, err error) {
	api, err := source.API(inv, *flags)
	if err != nil {
		return nil, err
	}
	defer api.Close()
	if q.id != "" {
		answer, err := api.Classification.GetRule(ctx, &v1.GetRuleRequest{RuleId: q.id})
		return []*v1.Rule{answer.GetRule()}, err
	}
	request := &v1.ListRulesRequest{PageSize: 1000, Dialect: q.dialect}
	if q.code != "" {
		request.Code = wire.Code(classification.Code(q.code))
	}
	for {
		answer, err := api.Classification.ListRules(ctx, request)
		if err != nil {
			return nil, err
		}
		out = append(out, answer.GetRules()...)
		if request.PageToken = answer.GetNextPageToken(); request.PageToken == "" {
			return out, nil
		}
	}
}

func printRules(inv *cli.Invocation, output format, found []*v1.Rule) error {
	var rows [][]string
	for _, r := range found {
		if output != asTable {
			if err := printMessage(inv.Out, output, r); err != nil {
				return err
			}
			continue
		}
		rows = append(rows, []string{r.GetRuleId(), string(wire.CodeWord(r.GetCode())), confidence(r), strconv.Itoa(int(r.GetPriority())), r.GetDialect(), r.GetDescription()})
	}
	if output != asTable {
		return nil
	}
	return cli.PrintTable(inv.Out, []string{"RULE", "CODE", "CONFIDENCE", "PRIORITY", "DIALECT", "ABOUT"}, rows)
}

func confidence(r *v1.Rule) string {
	return string(wire.ClassificationBack(&v1.Classification{Confidence: r.GetConfidence()}).Confidence)
}

func scope(r *v1.Rule) string {
	return string(wire.ClassificationBack(&v1.Classification{Scope: r.GetScope()}).Scope)
}
