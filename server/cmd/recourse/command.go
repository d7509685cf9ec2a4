package main

import (
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/recourse-dev/recourse/server/cmd/recourse/serve"
	"github.com/recourse-dev/recourse/server/config"
)

// version is set by the linker at a release.
var version = "dev"

func newRoot(release func()) *cobra.Command {
	root := &cobra.Command{
		Use:           "recourse",
		Short:         "Recourse keeps coding agents working when their providers fail",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.AddCommand(newServe(release), newMigrate(), newVersion())
	return root
}

func newServe(release func()) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "serve",
		Short:   "Serve the API and the web pages",
		Example: "  recourse serve\n  recourse serve --listen 127.0.0.1:9000 --data ./data\n  recourse serve --catalogue-overlay /etc/recourse/rules\n  DATABASE_URL=postgres://recourse@db/recourse recourse serve",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := load(cmd.Flags())
			if err != nil {
				return err
			}
			server, err := serve.Start(cmd.Context(), cfg, serve.Options{
				Version: buildVersion(), Log: newLog(cfg), Out: cmd.ErrOrStderr(), Terminal: isTerminal(cmd),
			})
			if err != nil {
				return err
			}
			waitErr := server.Wait(cmd.Context())
			release()
			if err := server.Stop(); err != nil {
				return err
			}
			return waitErr
		},
	}
	addFlags(cmd.Flags())
	return cmd
}

func newMigrate() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "migrate",
		Short:   "Bring the database schema to the newest version; serve does so, too",
		Example: "  recourse migrate\n  DATABASE_URL=postgres://recourse@db/recourse recourse migrate",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := load(cmd.Flags())
			if err != nil {
				return err
			}
			reached, err := serve.Migrate(cmd.Context(), cfg, newLog(cfg))
			if err != nil {
				return err
			}
			cmd.Printf("schema version %d\n", reached)
			return nil
		},
	}
	addFlags(cmd.Flags())
	return cmd
}

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  recourse version",
		Args:    cobra.NoArgs,
		Run:     func(cmd *cobra.Command, _ []string) { cmd.Println("recourse " + buildVersion()) },
	}
}

// buildVersion is the released version, or the commit that was built.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if version != "dev" || !ok {
		return version
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" && len(setting.Value) >= 12 {
			return version + "+" + setting.Value[:12]
		}
	}
	return version
}

func addFlags(flags *pflag.FlagSet) {
	flags.String(config.FileFlag, "", "configuration file: YAML, one setting a line, named as the flags [RECOURSE_CONFIG]")
	for _, setting := range config.Settings() {
		flags.String(setting.Name, "", setting.Help+" ["+setting.Env+"]")
		if setting.Bool {
			flags.Lookup(setting.Name).NoOptDefVal = "true"
		}
	}
}

func load(flags *pflag.FlagSet) (config.Config, error) {
	given := map[string]string{}
	flags.Visit(func(f *pflag.Flag) { given[f.Name] = f.Value.String() })
	return config.Load(config.Sources{Flags: given, Env: os.LookupEnv})
}

func isTerminal(cmd *cobra.Command) bool {
	file, ok := cmd.ErrOrStderr().(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
