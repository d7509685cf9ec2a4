package rules

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/recourse-dev/recourse/catalogue"
	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/rulebook"
)

// report is what rules test -o json prints.
type report struct {
	OK       bool      `json:"ok"`
	Rules    int       `json:"rules"`  // of the folders; 0 if they do not prove themselves
	Digest   string    `json:"digest"` // of the catalogue with them, "" likewise
	Findings []finding `json:"findings"`
}

type finding struct {
	File    string `json:"file"`
	Rule    string `json:"rule"`
	Fixture string `json:"fixture"`
	Message string `json:"message"`
}

func test(inv *cli.Invocation) *cobra.Command {
	output := cli.Table
	c := &cobra.Command{
		Use:   "test DIR [DIR...]",
		Short: "Prove the rules of folders together with the embedded ones",
		Long: `Holds the rule files of the folders to the checks that a server and agentctl make
before they use them: every fixture, no tie with another rule, no id twice, no
embedded fixture that comes out otherwise. Exits with 0 if all hold, with 1 and
every problem on standard output if one does not, and with 2 if there is nothing
to test.`,
		Example: `  agentctl rules test ./rules
  agentctl rules test ./rules -o json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			var folders []string
			for _, path := range args {
				folders = append(folders, rulebook.Path(inv, path))
			}
			rules, err := catalogue.Overlaid(folders...)
			var findings catalogue.Findings
			if err != nil && !errors.As(err, &findings) {
				return cli.Failf(cli.Usage, "%w", err)
			}
			return printReport(inv, output, reportOf(rules, findings))
		},
	}
	c.Flags().VarP(&output, "output", "o", "table or json")
	return c
}

func reportOf(rules *catalogue.Catalogue, findings catalogue.Findings) report {
	out := report{OK: len(findings) == 0, Findings: []finding{}}
	for _, f := range findings {
		out.Findings = append(out.Findings, finding(f))
	}
	if rules == nil {
		return out
	}
	for _, r := range rules.Rules() {
		if r.Overlay {
			out.Rules++
		}
	}
	out.Digest = rules.Classifier.Digest()
	return out
}

func printReport(inv *cli.Invocation, output cli.Format, r report) error {
	switch {
	case output == cli.JSON:
		if err := cli.PrintValue(inv.Out, r); err != nil {
			return err
		}
	case r.OK:
		fmt.Fprintf(inv.Out, "ok: your own rules hold beside the embedded ones: %d\n", r.Rules)
	default:
		var rows [][]string
		for _, f := range r.Findings {
			rows = append(rows, []string{f.File, f.Rule, f.Fixture, f.Message})
		}
		if err := cli.PrintTable(inv.Out, []string{"FILE", "RULE", "FIXTURE", "PROBLEM"}, rows); err != nil {
			return err
		}
	}
	if !r.OK {
		return cli.Failf(cli.General, "the rules do not hold: problems: %d", len(r.Findings))
	}
	return nil
}
