package web

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/recourse-dev/recourse/core/access"
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/server/auth"
	"github.com/recourse-dev/recourse/server/interceptor"
	"github.com/recourse-dev/recourse/server/rpc/rpcerror"
	"github.com/recourse-dev/recourse/server/service/account"
)

// Accounts are the use cases of a browser's session.
type Accounts interface {
	interceptor.Authenticator
	Login(ctx context.Context, code string) (secret string, session access.Token, err error)
	Logout(ctx context.Context, caller auth.Caller) error
}

// Login exchanges the code of a login link, sent as {"code": "…"}, for a
// session cookie. It answers 204, or 401 with LOGIN_CODE_INVALID.
func Login(accounts Accounts) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		code, f := readCode(r)
		if f != nil {
			rpcerror.WriteREST(w, f)
			return
		}
		secret, _, err := accounts.Login(r.Context(), code)
		if err != nil {
			rpcerror.WriteREST(w, rpcerror.From(err))
			return
		}
		setCookie(w, r, secret, account.SessionTTL)
		w.WriteHeader(http.StatusNoContent)
	})
}

// Logout ends the session of the cookie and clears it. It answers 204 also
// where the session has ended already.
func Logout(accounts Accounts) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		caller, err := interceptor.Authenticate(r.Context(), accounts)
		if err == nil {
			err = accounts.Logout(r.Context(), caller)
		}
		if f := rpcerror.From(err); err != nil && f.Kind != fault.Unauthenticated {
			rpcerror.WriteREST(w, f)
			return
		}
		setCookie(w, r, "", -time.Second)
		w.WriteHeader(http.StatusNoContent)
	})
}

func readCode(r *http.Request) (string, *fault.Error) {
	// Logging somebody in from another site would let its owner watch them work.
	if origin := interceptor.RequestFrom(r.Context()).CrossOrigin; origin != "" {
		return "", interceptor.OriginNotAllowed(origin)
	}
	if interceptor.MediaType(r) != "application/json" {
		return "", interceptor.UnsupportedMediaType(r.Header.Get("Content-Type"), "application/json")
	}
	var body struct {
		Code string `json:"code"`
	}
	decoder := json.NewDecoder(r.Body)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&body); err != nil {
		return "", interceptor.Malformed("send {\"code\": \"…\"}")
	}
	return strings.TrimSpace(body.Code), nil
}

func setCookie(w http.ResponseWriter, r *http.Request, secret string, ttl time.Duration) {
	http.SetCookie(w, &http.Cookie{
		Name:     interceptor.CookieName(r),
		Value:    secret,
		Path:     "/",
		MaxAge:   int(ttl.Seconds()),
		HttpOnly: true,
		Secure:   r.TLS != nil,
		SameSite: http.SameSiteStrictMode,
	})
}
