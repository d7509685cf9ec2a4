package error_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/fault"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/server/servertest"
)

func loginCode(t *testing.T, s *servertest.Server) string {
	t.Helper()
	link, err := s.Client(t, s.AdminToken).Workspace.CreateLoginLink(t.Context(), &recoursev1.CreateLoginLinkRequest{})
	require.NoError(t, err)
	code, ok := strings.CutPrefix(link.GetPath(), "/ui/login#")
	require.True(t, ok)
	return code
}

func login(s *servertest.Server, code string) request {
	return request{method: http.MethodPost, path: "/ui/login", body: `{"code":"` + code + `"}`, header: map[string]string{"Origin": s.URL}}
}

// logIn exchanges a code and returns the Cookie header of the session.
func logIn(t *testing.T, s *servertest.Server) string {
	t.Helper()
	got := login(s, loginCode(t, s)).do(t, s)
	require.Equal(t, http.StatusNoContent, got.status, got.text)
	set := got.header.Get("Set-Cookie")
	for _, attribute := range []string{"recourse_session=rcs_default_", "HttpOnly", "SameSite=Strict", "Path=/"} {
		require.Contains(t, set, attribute)
	}
	cookie, _, _ := strings.Cut(set, ";")
	return cookie
}

func TestALoginLinkWorksOnce(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	code := loginCode(t, s)
	require.Equal(t, http.StatusNoContent, login(s, code).do(t, s).status)
	requireREST(t, login(s, code).do(t, s), fault.ReasonLoginCodeInvalid)
	for _, wrong := range []string{"", "x", code[:len(code)-1], s.AdminToken, strings.Replace(code, "rcl_", "rcs_", 1)} {
		requireREST(t, login(s, wrong).do(t, s), fault.ReasonLoginCodeInvalid)
	}
}

func TestLoginRefusesOtherSites(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	code := loginCode(t, s)
	for _, origin := range []string{"http://evil.example", "null", "http://127.0.0.1:1", "https" + strings.TrimPrefix(s.URL, "http")} {
		call := login(s, code)
		call.header = map[string]string{"Origin": origin}
		requireREST(t, call.do(t, s), fault.ReasonOriginNotAllowed)
	}
	call := login(s, code)
	call.header = nil
	requireREST(t, call.do(t, s), fault.ReasonOriginNotAllowed)
	require.Equal(t, http.StatusNoContent, login(s, code).do(t, s).status, "a refused exchange leaves the code as it was")
}

func TestASessionCookie(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	cookie := logIn(t, s)
	withCookie := func(origin string) map[string]string {
		return map[string]string{"Cookie": cookie, "Origin": origin}
	}
	own := request{path: "/v1/caller", header: withCookie(s.URL)}
	require.Equal(t, http.StatusOK, own.do(t, s).status)
	require.Equal(t, http.StatusOK, request{path: "/v1/caller", header: map[string]string{"Cookie": cookie}}.do(t, s).status, "a plain GET changes nothing")

	for name, header := range map[string]map[string]string{
		"another site":                   withCookie("http://evil.example"),
		"another port of the same host":  withCookie("http://127.0.0.1:1"),
		"a sandboxed frame":              withCookie("null"),
		"a picture on another site":      {"Cookie": cookie, "Sec-Fetch-Site": "cross-site"},
		"a picture on another subdomain": {"Cookie": cookie, "Sec-Fetch-Site": "same-site"},
	} {
		requireREST(t, request{path: "/v1/caller", header: header}.do(t, s), fault.ReasonOriginNotAllowed)
		require.NotContains(t, request{path: "/v1/caller", header: header}.do(t, s).text, "tokenId", name)
	}
	requireREST(t, request{method: http.MethodPost, path: begin, body: `{"profile":{}}`, header: map[string]string{"Cookie": cookie}}.do(t, s), fault.ReasonOriginNotAllowed)
}

func TestCrossOriginCookieOverEveryProtocol(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	cookie := logIn(t, s)
	for contentType, body := range map[string]string{
		"application/json": "{}", "application/proto": "",
		"application/grpc-web+proto": "\x00\x00\x00\x00\x00", "application/grpc+proto": "\x00\x00\x00\x00\x00",
	} {
		call := request{method: http.MethodPost, path: caller, body: body, header: map[string]string{
			"Content-Type": contentType, "Cookie": cookie, "Origin": "http://evil.example",
		}}
		got := call.do(t, s)
		all := got.text + got.header.Get("Grpc-Message") + got.trailer.Get("Grpc-Message")
		require.Contains(t, all, "session cookie must come", contentType)
		require.NotContains(t, all, "default", contentType)
	}
}

func TestLogoutEndsTheSession(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	cookie := logIn(t, s)
	header := map[string]string{"Cookie": cookie, "Origin": s.URL}
	got := request{method: http.MethodPost, path: "/ui/logout", header: header}.do(t, s)
	require.Equal(t, http.StatusNoContent, got.status)
	require.Contains(t, got.header.Get("Set-Cookie"), "Max-Age=0")
	requireREST(t, request{path: "/v1/caller", header: header}.do(t, s), fault.ReasonTokenInvalid)
	require.Equal(t, http.StatusNoContent, request{method: http.MethodPost, path: "/ui/logout", header: header}.do(t, s).status, "twice is once")
}

// A credential works only in the place that it was made for.
func TestCredentialsKeepTheirPlace(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	session := strings.TrimPrefix(logIn(t, s), "recourse_session=")
	requireREST(t, request{path: "/v1/caller", token: session}.do(t, s), fault.ReasonTokenInvalid)
	asCookie := map[string]string{"Cookie": "recourse_session=" + s.AdminToken, "Origin": s.URL}
	requireREST(t, request{path: "/v1/caller", header: asCookie}.do(t, s), fault.ReasonTokenInvalid)
	requireREST(t, request{path: "/v1/caller", header: map[string]string{"Grpc-Metadata-Authorization": "Bearer " + s.AdminToken}}.do(t, s), fault.ReasonTokenMissing)
	requireREST(t, request{path: "/v1/caller", header: map[string]string{"Authorization": "Basic " + s.AdminToken}}.do(t, s), fault.ReasonTokenInvalid)
}
