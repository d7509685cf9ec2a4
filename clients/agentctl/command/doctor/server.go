package doctor

import (
	"context"
	"fmt"
	"time"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/connection"
	"github.com/recourse-dev/recourse/clients/agentctl/rulebook"
	"github.com/recourse-dev/recourse/core/fault"
)

const (
	reachTimeout = 3 * time.Second
	// maxSkew is how far the clocks may be apart before a countdown looks wrong.
	maxSkew = 5 * time.Second
)

// remote checks the configuration, the server, the credential and the clocks.
func remote(ctx context.Context, inv *cli.Invocation, flags connection.Flags) []Check {
	config, err := connection.Resolve(inv, flags)
	if err != nil {
		return []Check{{"config", Fail, err.Error(), "mend or unset what it names"}}
	}
	if config.Server.Origin == "" {
		return []Check{{"server", Warn, "none is configured: agentctl run decides on this host", "start one, or set AGENTCTL_SERVER and AGENTCTL_TOKEN"}}
	}
	checks := []Check{{ID: "config", Verdict: OK, Detail: fmt.Sprintf("server %s from %s, token from %s", config.Server.Value, config.Server.Origin, origin(config.Token))}}
	api, err := connection.Dial(config, inv.Version)
	if err != nil {
		return append(checks, Check{"server", Fail, err.Error(), "mend the address in " + config.Server.Origin})
	}
	defer api.Close()
	ctx, cancel := context.WithTimeout(ctx, reachTimeout)
	defer cancel()
	if err := api.Check(ctx); err != nil {
		return append(checks, refused(err, config))
	}
	return append(checks, healthy(inv, api)...)
}

func origin(s connection.Setting) string {
	if s.Origin == "" {
		return "nowhere"
	}
	return s.Origin
}

func refused(err error, config connection.Config) Check {
	f := fault.From(err)
	switch f.Kind {
	case fault.Unauthenticated, fault.PermissionDenied:
		return Check{"token", Fail, f.Message, "get a token, as by agentctl tokens create on the server's host, and set AGENTCTL_TOKEN"}
	case fault.Unavailable, fault.DeadlineExceeded:
		return Check{"server", Fail, f.Message, "start it, or mend the address in " + config.Server.Origin + "; agentctl run works without it"}
	}
	return Check{"server", Fail, f.Message, "see the server's log"}
}

func healthy(inv *cli.Invocation, api *connection.API) []Check {
	checks := []Check{{ID: "server", Verdict: OK, Detail: fmt.Sprintf("version %s, workspace %s", api.Info.GetVersion(), api.WorkspaceID)}}
	skew := Check{ID: "clock", Verdict: OK, Detail: fmt.Sprintf("the server's is %s ahead", api.Ahead.Round(time.Millisecond))}
	if api.Ahead.Abs() > maxSkew {
		skew.Verdict, skew.Remedy = Warn, "set both clocks by the network's time; countdowns are corrected meanwhile"
	}
	rules := Check{ID: "rules", Verdict: OK, Detail: "the server's catalogue is the embedded one"}
	if c, err := new(rulebook.Source).Catalogue(inv); err == nil && c.Classifier.Digest() != api.Info.GetCatalogueDigest() {
		rules = Check{"rules", Warn, "the server classifies by another catalogue than agentctl does offline", "update the older of the two"}
	}
	return append(checks, skew, rules)
}
