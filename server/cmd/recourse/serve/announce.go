package serve

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/recourse-dev/recourse/server/auth"
	"github.com/recourse-dev/recourse/server/service/account"
)

// announce tells a person where the server is. A login link is a credential:
// it goes to a terminal only, never to a log.
func (s *Server) announce(ctx context.Context, opts Options) {
	if opts.Out == nil {
		return
	}
	fmt.Fprintf(opts.Out, "Recourse %s serves %s, data in %s\n", s.version, s.URL(), s.cfg.Data)
	if len(s.cfg.CatalogueOverlay) > 0 {
		fmt.Fprintf(opts.Out, "Failures are named by catalogue %s %s, with the rules of %s\n",
			s.rules.Classifier.Version(), s.rules.Classifier.Digest(), strings.Join(s.cfg.CatalogueOverlay, ", "))
	}
	if s.FirstToken == "" {
		return
	}
	fmt.Fprintf(opts.Out, "The first admin token is in %s\n", filepath.Join(s.cfg.Data, AdminTokenFile))
	if !opts.Terminal {
		return
	}
	caller, err := s.accounts.Authenticate(ctx, s.FirstToken, false)
	if err == nil {
		var path string
		if path, _, err = s.accounts.CreateLoginLink(auth.WithCaller(ctx, caller), caller); err == nil {
			fmt.Fprintf(opts.Out, "Open %s%s (once, within %s)\n", s.URL(), path, account.LoginCodeTTL)
			return
		}
	}
	fmt.Fprintln(opts.Out, "No login link could be made; \"agentctl open\" makes one.")
}
