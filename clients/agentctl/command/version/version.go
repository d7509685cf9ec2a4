// Package version is the command that says which program this is.
package version

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/connection"
	"github.com/recourse-dev/recourse/clients/agentctl/rulebook"
)

// Versions are those of both sides.
type Versions struct {
	Client           string `json:"client"`
	Go               string `json:"go"`
	CatalogueVersion string `json:"catalogueVersion"`
	CatalogueDigest  string `json:"catalogueDigest"`
	Server           string `json:"server,omitempty"` // "" when none answers
	ServerCatalogue  string `json:"serverCatalogueDigest,omitempty"`
}

// serverTimeout is how long a server may take to say its version.
const serverTimeout = 2 * time.Second

// Command is agentctl version.
func Command(inv *cli.Invocation, server *connection.Flags) *cobra.Command {
	output := cli.Table
	c := &cobra.Command{
		Use:   "version",
		Short: "Show the versions of agentctl, its catalogue and the server",
		Example: `  agentctl version
  agentctl version -o json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			versions, err := collect(c.Context(), inv, *server)
			if err != nil {
				return err
			}
			if output == cli.JSON {
				return cli.PrintValue(inv.Out, versions)
			}
			fmt.Fprintf(inv.Out, "agentctl %s (%s)\ncatalogue %s %s\n", versions.Client, versions.Go, versions.CatalogueVersion, short(versions.CatalogueDigest))
			if versions.Server != "" {
				fmt.Fprintf(inv.Out, "server %s, catalogue %s\n", versions.Server, short(versions.ServerCatalogue))
			}
			if versions.Server != "" && versions.ServerCatalogue != versions.CatalogueDigest {
				fmt.Fprintln(inv.Err, "agentctl: the server classifies by another catalogue than this program does offline")
			}
			return nil
		},
	}
	c.Flags().VarP(&output, "output", "o", "table or json")
	return c
}

func collect(ctx context.Context, inv *cli.Invocation, flags connection.Flags) (Versions, error) {
	rules, err := new(rulebook.Source).Catalogue(inv)
	if err != nil {
		return Versions{}, err
	}
	classifier := rules.Classifier
	v := Versions{Client: inv.Version, Go: runtime.Version(), CatalogueVersion: classifier.Version(), CatalogueDigest: classifier.Digest()}
	config, err := connection.Resolve(inv, flags)
	if err != nil {
		return Versions{}, err
	}
	if config.Server.Origin == "" {
		return v, nil
	}
	api, err := connection.Dial(config, inv.Version)
	if err != nil {
		return Versions{}, err
	}
	defer api.Close()
	ctx, cancel := context.WithTimeout(ctx, serverTimeout)
	defer cancel()
	if api.Check(ctx) == nil { // a version is no place to complain about the server
		v.Server, v.ServerCatalogue = api.Info.GetVersion(), api.Info.GetCatalogueDigest()
	}
	return v, nil
}

func short(digest string) string { return digest[:min(len(digest), 12)] }
