package profile

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/command"
	"github.com/recourse-dev/recourse/clients/agentctl/supervisor"
	client "github.com/recourse-dev/recourse/clients/go"
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/server/rpc/rpcerror"
	"github.com/recourse-dev/recourse/server/servertest"
)

// world is a server, and a client over gRPC that may do everything.
type world struct {
	*testing.T
	server *servertest.Server
	c      *client.Client
	dir    string
}

func start(t *testing.T) *world {
	t.Helper()
	s := servertest.Start(t)
	return &world{T: t, server: s, c: s.Client(t, s.AdminToken, client.WithProtocol(client.GRPC)), dir: t.TempDir()}
}

func (w *world) as(t *testing.T) *world {
	copied := *w
	copied.T = t
	return &copied
}

func concrete(id string) *v1.Profile {
	return &v1.Profile{ProfileId: id, DisplayName: "Agent " + id, Labels: map[string]string{"team": "platform"}, Spec: &v1.Profile_Concrete{Concrete: &v1.ConcreteProfile{
		AgentKind: "claude", Provider: "anthropic", Model: "claude-sonnet-4-5",
		Command:         &v1.Command{Program: "claude", Arguments: []string{"-p", "{prompt}"}},
		Environment:     map[string]string{"ANTHROPIC_API_KEY": "env:TEAM_ANTHROPIC_KEY"},
		Credential:      &v1.CredentialBinding{Provider: "anthropic", AuthKind: "api_key", Locator: "env:TEAM_ANTHROPIC_KEY", Account: &v1.CredentialBinding_AccountLabel{AccountLabel: "team"}},
		ResumeArguments: []string{"--resume", "{session_id}", "-p", "{prompt}"},
	}}}
}

func dynamic(id string, candidates ...string) *v1.Profile {
	d := &v1.DynamicProfile{}
	for _, c := range candidates {
		d.Candidates = append(d.Candidates, &v1.Candidate{ProfileId: c})
	}
	return &v1.Profile{ProfileId: id, Spec: &v1.Profile_Dynamic{Dynamic: d}}
}

func (w *world) create(p *v1.Profile) *v1.Profile {
	w.Helper()
	answer, err := w.c.Routing.CreateProfile(w.Context(), &v1.CreateProfileRequest{Profile: p})
	require.NoError(w, err)
	return answer.GetProfile()
}

func (w *world) get(id string) *v1.Profile {
	w.Helper()
	answer, err := w.c.Routing.GetProfile(w.Context(), &v1.GetProfileRequest{ProfileId: id})
	require.NoError(w, err)
	return answer.GetProfile()
}

const profiles = "/v1/workspaces/default/profiles"

// rest calls a path and gives the status and the answer.
func (w *world) rest(token, method, path string, body proto.Message) (int, []byte) {
	w.Helper()
	var raw []byte
	if body != nil {
		var err error
		raw, err = protojson.Marshal(body)
		require.NoError(w, err)
	}
	return w.raw(token, method, path, string(raw))
}

func (w *world) raw(token, method, path, body string) (int, []byte) {
	w.Helper()
	request, err := http.NewRequestWithContext(w.Context(), method, w.server.URL+path, strings.NewReader(body))
	require.NoError(w, err)
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	transport := &http.Transport{DisableKeepAlives: true}
	answer, err := transport.RoundTrip(request)
	require.NoError(w, err)
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	require.NoError(w, err)
	return answer.StatusCode, text
}

// ok is a REST call that must be answered.
func (w *world) ok(method, path string, body, into proto.Message) {
	w.Helper()
	status, text := w.rest(w.server.AdminToken, method, path, body)
	require.Equal(w, http.StatusOK, status, "%s", text)
	require.NoError(w, protojson.Unmarshal(text, into))
}

// refusal is what an error says over REST.
type refusal struct {
	status   int
	reason   string
	metadata map[string]string
	fields   []string
	text     string
}

func (w *world) refused(status int, text []byte) refusal {
	w.Helper()
	var body rpcerror.Body
	require.NoError(w, json.Unmarshal(text, &body), "%s", text)
	out := refusal{status: status, reason: body.Reason, text: string(text)}
	for _, raw := range body.Details {
		var detail struct {
			Metadata        map[string]string
			FieldViolations []struct{ Field string }
		}
		require.NoError(w, json.Unmarshal(raw, &detail))
		if detail.Metadata != nil {
			out.metadata = detail.Metadata
		}
		for _, v := range detail.FieldViolations {
			out.fields = append(out.fields, v.Field)
		}
	}
	return out
}

func fieldsOf(err error) []string {
	var out []string
	for _, v := range fault.From(err).Violations {
		out = append(out, v.Field)
	}
	return out
}

// agentctl runs one call and gives what it printed.
func (w *world) agentctl(code int, stdin string, args ...string) (stdout, stderr string) {
	w.Helper()
	var out, errs bytes.Buffer
	inv := &cli.Invocation{
		In: strings.NewReader(stdin), Out: &out, Err: &errs, Dir: w.dir, Clock: supervisor.System{}, Settings: recovery.Defaults(),
		Environ: []string{"PATH=/usr/bin:/bin", "HOME=" + w.dir, "RECOURSE_DATA=" + filepath.Join(w.dir, "data"), "AGENTCTL_SERVER=" + w.server.URL, "AGENTCTL_TOKEN=" + w.server.AdminToken},
		NewID:   cli.NewID, Jitter: func() float64 { return 0 }, HostZone: "UTC", Version: "1.2.3",
		Listen: func() (<-chan syscall.Signal, func()) { return nil, func() {} },
	}
	got := command.Main(w.Context(), inv, args)
	require.Equal(w, code, got, "agentctl %v\n%s\n%s", args, out.String(), errs.String())
	return out.String(), errs.String()
}

func (w *world) file(name, text string) string {
	w.Helper()
	require.NoError(w, os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o600))
	return name
}
