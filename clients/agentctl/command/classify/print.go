package classify

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/wire"
	"github.com/recourse-dev/recourse/core/classification"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

func (o *options) print(inv *cli.Invocation, c *v1.Classification) error {
	if o.output == cli.JSON {
		return cli.PrintMessage(inv.Out, c)
	}
	r := wire.ClassificationBack(c)
	for _, line := range lines(r) {
		if line.text != "" {
			fmt.Fprintf(inv.Out, "%-11s %s\n", line.name, cli.Clean(line.text))
		}
	}
	if !o.explain {
		return nil
	}
	return explain(inv, c.GetExplanation())
}

type field struct{ name, text string }

func lines(r classification.Result) []field {
	out := []field{
		{"code", string(r.Code)}, {"class", string(r.Class)}, {"confidence", string(r.Confidence)},
		{"rule", r.RuleID}, {"conflict", r.ConflictsWith}, {"scope", string(r.Scope)},
	}
	if r.Code == classification.RateLimited {
		out = append(out, field{"throttle", string(r.Throttle)})
	}
	if r.RetryAfterSet {
		out = append(out, field{"retry after", r.RetryAfter.String()})
	}
	if !r.ResetAt.IsZero() {
		out = append(out, field{"reset at", r.ResetAt.Format(time.RFC3339)})
	}
	out = append(out, field{"stated by", r.HintSource})
	if r.AgentRetrying {
		out = append(out, field{"retrying", "the agent retries by itself: nothing has failed yet"})
	}
	for _, h := range r.HintRejections {
		out = append(out, field{"not taken", strconv.Quote(h.Text) + ": " + h.Reason})
	}
	return append(out, field{"excerpt", strings.TrimSpace(r.SafeExcerpt)})
}

// explain prints the rules that were looked at, best first.
func explain(inv *cli.Invocation, e *v1.Explanation) error {
	fmt.Fprintln(inv.Out)
	var rows [][]string
	for _, c := range e.GetCandidates() {
		verdict := "won"
		if !c.GetWon() {
			verdict = c.GetLostBecause()
		}
		rows = append(rows, []string{c.GetRuleId(), string(wire.CodeWord(c.GetCode())), strconv.Itoa(int(c.GetSignalIndex())), c.GetMatched(), verdict})
	}
	if err := cli.PrintTable(inv.Out, []string{"RULE", "CODE", "SIGNAL", "MATCHED", "VERDICT"}, rows); err != nil {
		return err
	}
	fmt.Fprintln(inv.Out)
	for i, s := range e.GetSignals() {
		text, err := wire.JSON(s)
		if err != nil {
			return err
		}
		fmt.Fprintf(inv.Out, "signal %d  %s\n", i, text)
	}
	return nil
}
