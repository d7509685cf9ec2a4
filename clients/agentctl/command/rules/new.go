package rules

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/recourse-dev/recourse/catalogue"
	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/connection"
	"github.com/recourse-dev/recourse/clients/agentctl/rulebook"
	"github.com/recourse-dev/recourse/core/classification"
)

// wish is what the flags of rules new say.
type wish struct {
	from, code, id, about string
	overlay               string
	printed               rulebook.Printed
	dryRun                bool
	output                cli.Format
}

func create(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	w := wish{output: cli.Table}
	c := &cobra.Command{
		Use:   "new --from RUN --code CODE",
		Short: "Make a rule from the evidence of one failure",
		Long: `Makes a rule of your own from the evidence of one failure: it looks for the most
telling field or words, and has the failure itself, redacted, and two near misses
as fixtures. It is written only if it holds beside every other rule.

RUN is the id of a run on the server or in this host's journal, a wakeup's in the
journal, a file, or - for standard input; a file holds what an agent printed, or an
evidence envelope as JSON.`,
		Example: `  agentctl rules new --from 01966d2a-7c1e-7d40-9a35-0c2d6f0a1b2c --code quota_limited
  agentctl rules new --from failure.log --agent codex --code auth_required --overlay ./rules
  agentctl rules new --from failure.log --code quota_limited --dry-run`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return w.run(c, inv, *server) },
	}
	c.Flags().StringVar(&w.from, "from", "", "the failure: the id of a `RUN`, a file, or -")
	c.Flags().StringVar(&w.code, "code", "", "the `CODE` that it should have, as quota_limited; asked for at a terminal")
	c.Flags().StringVar(&w.id, "id", "", "the rule's `ID`, as own.gateway.limit; made of code and words if not given")
	c.Flags().StringVar(&w.about, "about", "", "which family of failures it is for, in a few `WORDS`")
	c.Flags().StringVar(&w.overlay, "overlay", "", "the `DIR` to write to ("+rulebook.Variable+"; else recourse/rules in the configuration folder)")
	c.Flags().StringVar(&w.printed.Agent, "agent", "", "the `KIND` of agent, when its output does not say it")
	c.Flags().StringVar(&w.printed.Mode, "mode", "", "the `SHAPE` of its output, when it does not show: text, json, stream-json or acp")
	c.Flags().IntVar(&w.printed.ExitCode, "exit-code", 1, "the agent's exit `CODE`")
	c.Flags().BoolVar(&w.dryRun, "dry-run", false, "print the rule file, and write nothing")
	c.Flags().VarP(&w.output, "output", "o", "table or json")
	return c
}

func (w *wish) run(c *cobra.Command, inv *cli.Invocation, flags connection.Flags) error {
	if w.from == "" {
		return cli.Failf(cli.Usage, "say which failure: --from RUN, --from FILE or --from -")
	}
	source := rulebook.Source{Overlay: w.overlay}
	folder, err := w.folder(inv, &source)
	if err != nil {
		return err
	}
	if err := w.askCode(inv); err != nil {
		return err
	}
	evidence, err := find(c.Context(), inv, flags, w.from, w.printed)
	if err != nil {
		return err
	}
	rules, err := catalogue.Overlaid(filled(source.Folders(inv))...)
	if err != nil {
		return err
	}
	draft, err := rules.Draft(evidence.envelope, catalogue.Wish{
		Code: classification.Code(w.code), ID: w.id, About: w.about, Source: evidence.source,
		Date: inv.Clock.Now().UTC().Format(time.DateOnly),
	})
	if err != nil {
		return err
	}
	if w.dryRun {
		_, err := inv.Out.Write(draft.YAML)
		return err
	}
	path, err := write(folder, draft)
	if err != nil {
		return err
	}
	return w.tell(inv, draft, folder, path)
}

// folder is the one to write to.
func (w *wish) folder(inv *cli.Invocation, source *rulebook.Source) (string, error) {
	folders := source.Folders(inv)
	switch {
	case w.overlay == rulebook.None, len(folders) > 1:
		return "", cli.Failf(cli.Usage, "say which folder to write to: --overlay DIR")
	case len(folders) == 1:
		return folders[0], nil
	}
	return rulebook.DefaultFolder(inv), nil
}

// filled leaves out folders without a rule: the new one will be the first.
func filled(folders []string) (out []string) {
	for _, path := range folders {
		if inside, err := os.ReadDir(path); err == nil && len(inside) > 0 {
			out = append(out, path)
		}
	}
	return out
}

// askCode asks a person for the code, if none was given.
func (w *wish) askCode(inv *cli.Invocation) error {
	if w.code == "" && inv.InTTY && w.from != "-" {
		for _, info := range classification.Codes() {
			if info.Class != classification.ClassUnclassified {
				fmt.Fprintf(inv.Err, "  %-26s %s\n", info.Code, info.Meaning)
			}
		}
		fmt.Fprint(inv.Err, "Which code should it have? ")
		line, err := bufio.NewReader(inv.In).ReadString('\n')
		if w.code = strings.TrimSpace(line); w.code == "" && err != nil {
			return cli.Failf(cli.Usage, "say which code it should have: --code CODE")
		}
	}
	if w.code == "" {
		return cli.Failf(cli.Usage, "say which code it should have: --code CODE")
	}
	return known(w.code)
}

// write puts the rule file into the folder, which holds it whole or not at all,
// and proves the folder as it lies there.
func write(folder string, d catalogue.Draft) (path string, err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	path = filepath.Join(folder, d.ID+".yaml")
	if _, err := os.Lstat(path); err == nil {
		return "", cli.Failf(cli.Stale, "%s is there already", path)
	}
	temporary, err := os.CreateTemp(folder, ".new-*")
	if err != nil {
		return "", err
	}
	defer os.Remove(temporary.Name())
	_, err = temporary.Write(d.YAML)
	if closing := temporary.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return "", err
	}
	if err := os.Link(temporary.Name(), path); err != nil { // never over another's file
		return "", err
	}
	if _, err := catalogue.Overlaid(folder); err != nil {
		os.Remove(path)
		return "", fmt.Errorf("the rule does not hold where it lies: %w", err)
	}
	return path, nil
}

// made is what rules new -o json prints.
type made struct {
	RuleID   string `json:"ruleId"`
	Code     string `json:"code"`
	Priority int    `json:"priority"`
	File     string `json:"file"`
	Looks    string `json:"looksFor"`
	Before   string `json:"codeBefore"`
	RuleWas  string `json:"ruleBefore"` // "" if none had decided
}

func (w *wish) tell(inv *cli.Invocation, d catalogue.Draft, folder, path string) error {
	if w.output == cli.JSON {
		return cli.PrintValue(inv.Out, made{d.ID, string(d.Code), d.Priority, path, d.Looks, string(d.Before.Code), d.Before.RuleID})
	}
	fmt.Fprintln(inv.Out, path)
	fmt.Fprintf(inv.Err, "agentctl: rule %s looks for %s; it holds beside every other rule\n", d.ID, cli.Clean(d.Looks))
	fmt.Fprintf(inv.Err, "agentctl: the failure was %s, agentctl classify now says %s\n", d.Before.Code, d.Code)
	if folder != rulebook.DefaultFolder(inv) && inv.Getenv(rulebook.Variable) != folder {
		fmt.Fprintf(inv.Err, "agentctl: next: agentctl classify --overlay %s FILE\n", folder)
	}
	fmt.Fprintf(inv.Err, "agentctl: a server uses it after a restart: recourse serve --catalogue-overlay %s\n", folder)
	return nil
}
