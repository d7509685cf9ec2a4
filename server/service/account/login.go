package account

import (
	"context"
	"time"

	"github.com/recourse-dev/recourse/core/access"
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/server/auth"
)

// LoginPath is where the page is that exchanges a login code; the code follows
// as the fragment, which browsers send to nobody.
const LoginPath = "/ui/login#"

// CreateLoginLink makes a single-use code for a browser, with the role of the
// caller's own credential. It returns the path to open and when it stops working.
func (s *Service) CreateLoginLink(ctx context.Context, caller auth.Caller) (path string, expiresAt time.Time, err error) {
	code := auth.NewSecret(auth.KindLoginCode, caller.WorkspaceID)
	expiresAt, err = s.store.CreateLoginCode(ctx, access.NewLoginCode{
		WorkspaceID: caller.WorkspaceID, Hash: auth.Hash(code), TokenID: caller.TokenID, TTL: LoginCodeTTL,
	})
	if err != nil {
		return "", time.Time{}, err
	}
	return LoginPath + code, expiresAt, nil
}

// Login uses up a login code and returns the session's secret for the cookie.
// It fails with LOGIN_CODE_INVALID.
func (s *Service) Login(ctx context.Context, code string) (secret string, session access.Token, err error) {
	workspaceID, ok := auth.WorkspaceOf(auth.KindLoginCode, code)
	if !ok {
		return "", access.Token{}, fault.New(fault.Unauthenticated, fault.ReasonLoginCodeInvalid,
			"the login link is wrong, used or expired; \"agentctl open\" makes a new one")
	}
	secret = auth.NewSecret(auth.KindToken, workspaceID)
	session, err = s.store.RedeemLoginCode(ctx, workspaceID, auth.Hash(code), access.NewToken{
		WorkspaceID: workspaceID, ID: s.newID(), Hash: auth.Hash(secret),
		DisplayName: "browser session", Session: true, TTL: SessionTTL,
	})
	if err != nil {
		return "", access.Token{}, err
	}
	return secret, session, nil
}

// Logout ends a session. One that has ended already is no error.
func (s *Service) Logout(ctx context.Context, caller auth.Caller) error {
	if !caller.Session {
		return nil
	}
	_, err := s.store.RevokeToken(ctx, caller.WorkspaceID, caller.TokenID)
	if fault.Is(err, fault.ReasonTokenNotFound) {
		return nil
	}
	return err
}
