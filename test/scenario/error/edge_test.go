package error_test

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/server/servertest"
)

const begin = workspace + "/prompts:begin"

func TestRESTRefusesWhatItCannotRead(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	deep := `{"sessionId":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + "}"
	for name, c := range map[string]struct {
		request request
		want    fault.Reason
	}{
		"no such path":              {request{path: "/v1/nothing"}, fault.ReasonRouteNotFound},
		"no such page":              {request{path: "/nothing"}, fault.ReasonRouteNotFound},
		"no such verb":              {request{method: http.MethodPost, path: workspace + "/prompts:end", body: "{}"}, fault.ReasonRouteNotFound},
		"an empty segment":          {request{path: "/v1/workspaces//wakeups"}, fault.ReasonRouteNotFound},
		"wrong method":              {request{method: http.MethodDelete, path: workspace + "/wakeups"}, fault.ReasonMethodNotAllowed},
		"wrong method of a verb":    {request{path: begin}, fault.ReasonMethodNotAllowed},
		"wrong method of a page":    {request{method: http.MethodPost, path: "/openapi.json"}, fault.ReasonMethodNotAllowed},
		"not JSON":                  {request{method: http.MethodPost, path: begin, body: "profile"}, fault.ReasonMalformedBody},
		"half of a body":            {request{method: http.MethodPost, path: begin, body: `{"profile":`}, fault.ReasonMalformedBody},
		"two bodies":                {request{method: http.MethodPost, path: begin, body: `{}{}`}, fault.ReasonMalformedBody},
		"a wrong type":              {request{method: http.MethodPost, path: begin, body: `{"profile":7}`}, fault.ReasonMalformedBody},
		"a wrong enum":              {request{method: http.MethodPost, path: begin, body: `{"delivery":"NONSENSE","profile":{}}`}, fault.ReasonMalformedBody},
		"a deep body":               {request{method: http.MethodPost, path: begin, body: deep}, fault.ReasonMalformedBody},
		"broken UTF-8":              {request{method: http.MethodPost, path: begin, body: "{\"sessionId\":\"\xff\"}"}, fault.ReasonMalformedBody},
		"an unknown field":          {request{method: http.MethodPost, path: begin, body: `{"profil":{}}`}, fault.ReasonUnknownField},
		"a nested unknown field":    {request{method: http.MethodPost, path: begin, body: `{"profile":{"agent":"x"}}`}, fault.ReasonUnknownField},
		"an unknown parameter":      {request{path: workspace + "/wakeups?state=queued"}, fault.ReasonUnknownField},
		"a token as a parameter":    {request{path: "/v1/caller?access_token=x"}, fault.ReasonUnknownField},
		"a parameter beside a body": {request{method: http.MethodPost, path: begin + "?sessionId=x", body: "{}"}, fault.ReasonUnknownField},
		"a parameter of no number":  {request{path: workspace + "/wakeups?pageSize=many"}, fault.ReasonMalformedBody},
		"a form":                    {request{method: http.MethodPost, path: begin, body: "a=b", header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}}, fault.ReasonUnsupportedMediaType},
		"an unknown encoding":       {request{method: http.MethodPost, path: begin, body: "{}", header: map[string]string{"Content-Encoding": "br"}}, fault.ReasonUnsupportedMediaType},
		"no gzip":                   {request{method: http.MethodPost, path: begin, body: "{}", header: map[string]string{"Content-Encoding": "gzip"}}, fault.ReasonMalformedBody},
		"too large":                 {request{method: http.MethodPost, path: begin, body: strings.Repeat(" ", 1<<20+1)}, fault.ReasonBodyTooLarge},
		"much too large":            {request{method: http.MethodPost, path: begin, body: strings.Repeat(" ", 4<<20)}, fault.ReasonBodyTooLarge},
		"a gzip bomb":               {request{method: http.MethodPost, path: begin, body: bomb(t, 64<<20), header: map[string]string{"Content-Encoding": "gzip"}}, fault.ReasonBodyTooLarge},
		"a foreign host":            {request{path: "/v1/caller", host: "evil.example:80"}, fault.ReasonHostNotAllowed},
		"a missing field":           {request{method: http.MethodPost, path: begin, body: `{}`}, fault.ReasonInvalidRequest},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.request.token = s.AdminToken
			requireREST(t, c.request.do(t, s), c.want)
		})
	}
}

func bomb(t *testing.T, size int) string {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	chunk := bytes.Repeat([]byte(" "), 1<<20)
	for range size >> 20 {
		_, err := w.Write(chunk)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return out.String()
}

func TestAllowNamesTheMethodsOfAPath(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	for path, want := range map[string]string{
		workspace + "/wakeups": "GET", workspace + "/tokens": "GET, POST", begin: "POST", "/openapi.json": "GET, HEAD",
		"/ui/": "GET, HEAD", "/recourse.v1.RecoveryService/Decide": "POST", "/recourse.v1.RecoveryService/GetRun": "GET, POST",
	} {
		got := request{method: http.MethodPut, path: path, body: "{}", token: s.AdminToken}.do(t, s)
		require.Equal(t, http.StatusMethodNotAllowed, got.status, path)
		require.Equal(t, want, got.header.Get("Allow"), path)
	}
}

func TestFieldViolationsNameEachField(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	got := request{
		method: http.MethodPost, path: workspace + "/failures:decide", token: s.AdminToken,
		body: `{"envelope":{"signals":[{"http":{"status":7000}}]},"retriesUsed":-1}`,
	}.do(t, s)
	requireREST(t, got, fault.ReasonInvalidRequest)
	require.Contains(t, got.text, `"field":"envelope.signals[0].http.status"`)
	require.Contains(t, got.text, `"field":"retries_used"`)
}

func TestGzipBodiesAreRead(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	var body bytes.Buffer
	w := gzip.NewWriter(&body)
	_, err := w.Write([]byte(`{"profile":{"agentKind":"claude"}}`))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	got := request{method: http.MethodPost, path: begin, body: body.String(), token: s.AdminToken, header: map[string]string{"Content-Encoding": "gzip"}}.do(t, s)
	require.Equal(t, http.StatusOK, got.status, got.text)
}

func TestRequestIDs(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	sent := request{path: "/v1/caller", token: s.AdminToken, header: map[string]string{"X-Request-Id": "job-7.step_2"}}.do(t, s)
	require.Equal(t, "job-7.step_2", sent.header.Get("X-Request-Id"))
	for _, unfit := range []string{"a b", strings.Repeat("x", 65), "a\tb", "ü"} {
		got := request{path: "/v1/caller", token: s.AdminToken, header: map[string]string{"X-Request-Id": unfit}}.do(t, s)
		require.Len(t, got.header.Get("X-Request-Id"), 36, "an unfit id is replaced")
	}
	require.Contains(t, s.Log.String(), "job-7.step_2")
}

func TestTheLogHasNoSecretAndNoBody(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	request{method: http.MethodPost, path: begin, token: s.AdminToken, body: `{"profile":{"agentKind":"my-own-agent"}}`}.do(t, s)
	request{method: http.MethodPost, path: begin, token: s.AdminToken, body: `{"profile":{"my-own-field":1}}`}.do(t, s)
	log := s.Log.String()
	require.Contains(t, log, "BeginPrompt")
	require.NotContains(t, log, s.AdminToken)
	require.NotContains(t, log, "my-own-agent")
}
