package interceptor

import (
	"net/http"
	"net/url"

	"github.com/recourse-dev/recourse/server/rpc/rpcerror"
)

// The session cookie's names. The prefix makes a browser insist on Secure,
// Path=/ and no Domain.
const (
	CookiePlain  = "recourse_session"
	CookieSecure = "__Host-recourse_session"
)

// CookieName returns the session cookie's name for this request's connection.
func CookieName(r *http.Request) string {
	if r.TLS != nil {
		return CookieSecure
	}
	return CookiePlain
}

func sessionCookie(r *http.Request) string {
	cookie, err := r.Cookie(CookieName(r))
	if err != nil {
		return ""
	}
	return cookie.Value
}

// crossOrigin returns the foreign origin of a request, "" when a browser says
// that this server's own page sent it. SameSite=Strict alone is not enough:
// another port of the same host is the same site.
func crossOrigin(r *http.Request) string {
	if origin := r.Header.Get("Origin"); origin != "" {
		parsed, err := url.Parse(origin)
		if err == nil && parsed.Host == r.Host && parsed.Host != "" && (parsed.Scheme == "https") == (r.TLS != nil) {
			return ""
		}
		return origin
	}
	switch site := r.Header.Get("Sec-Fetch-Site"); site {
	case "same-origin", "none":
		return ""
	case "":
		if r.Method == http.MethodGet || r.Method == http.MethodHead {
			return ""
		}
		return "(none)"
	default:
		return "(" + site + ")"
	}
}

func isProcedure(r *http.Request) bool { return rpcerror.IsProcedure(r.URL.Path) }
