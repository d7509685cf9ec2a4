package classification

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/command"
	"github.com/recourse-dev/recourse/clients/agentctl/supervisor"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/server/config"
	"github.com/recourse-dev/recourse/server/servertest"
)

// host is one on which agentctl knows the server.
type host struct {
	dir     string
	environ []string
}

func newHost(t *testing.T, s *servertest.Server) host {
	t.Helper()
	dir := t.TempDir()
	return host{dir: dir, environ: []string{
		"PATH=/usr/bin:/bin", "HOME=" + dir, "RECOURSE_DATA=" + filepath.Join(dir, "data"), "AGENTCTL_SERVER=" + s.URL, "AGENTCTL_TOKEN=" + s.AdminToken,
	}}
}

// agentctl runs one call and gives what it printed.
func (h host) agentctl(t *testing.T, code int, stdin string, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	inv := &cli.Invocation{
		In: strings.NewReader(stdin), Out: &out, Err: &errs, Dir: h.dir, Clock: supervisor.System{}, Settings: recovery.Defaults(),
		Environ: h.environ, NewID: cli.NewID, Jitter: func() float64 { return 0 }, HostZone: "UTC", Version: "1.2.3",
		Listen: func() (<-chan syscall.Signal, func()) { return nil, func() {} },
	}
	got := command.Main(t.Context(), inv, args)
	require.Equal(t, code, got, "agentctl %v\n%s\n%s", args, out.String(), errs.String())
	return out.String(), errs.String()
}

// The server names every case of the project's own corpus as this host does. Only
// a retry line without an end of its process may differ: alone in a case it stands
// for a turn that failed, to a server it is a retry under way.
func TestABatchByTheServerIsTheBatchOfThisHost(t *testing.T) {
	t.Parallel()
	h := newHost(t, servertest.Start(t))
	files, err := filepath.Glob("../../../catalogue/cases/*.jsonl")
	require.NoError(t, err)
	var cases strings.Builder
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			var dated map[string]any
			require.NoError(t, json.Unmarshal([]byte(line), &dated))
			if dated["now"] == nil {
				dated["now"] = "2026-06-01T12:00:00Z" // else the server dates it
			}
			again, err := json.Marshal(dated)
			require.NoError(t, err)
			cases.Write(append(again, '\n'))
		}
	}
	here, _ := h.agentctl(t, cli.OK, cases.String(), "classify", "--cases", "-")
	there, _ := h.agentctl(t, cli.OK, cases.String(), "classify", "--server", "--cases", "-")
	ours, theirs := strings.Split(here, "\n"), strings.Split(there, "\n")
	require.Len(t, theirs, len(ours))
	underWay := 0
	for i := range ours {
		if ours[i] != theirs[i] && strings.Contains(theirs[i], `"code":"unclassified"`) && strings.Contains(theirs[i], `"agent_retrying":true`) {
			underWay++
			continue
		}
		assert.Equal(t, ours[i], theirs[i])
	}
	require.LessOrEqual(t, underWay, 3)
	require.Greater(t, len(ours), 400)
}

// A bad case costs only itself, a server that is gone ends the whole.
func TestABatchThatCannotBeNamed(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	h := newHost(t, s)
	good := `{"id":"good","agent":"codex","signals":[{"kind":"http","status":529}]}` + "\n"
	out, errs := h.agentctl(t, cli.General, good+"nonsense\n"+strings.Replace(good, "good", "better", 1), "classify", "--server="+s.URL, "--cases", "-")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	require.Len(t, lines, 3)
	require.Contains(t, lines[0], `"id":"good","code":"provider_overloaded"`)
	require.Contains(t, lines[1], `"id":"","code":"unclassified"`)
	require.Contains(t, lines[2], `"id":"better","code":"provider_overloaded"`)
	require.Contains(t, errs, "line 2: ")
	s.Stop(t)
	out, errs = h.agentctl(t, cli.Unreachable, strings.Repeat(good, 500), "classify", "--server", "--cases", "-")
	require.Empty(t, out)
	require.Contains(t, errs, "cannot be reached")
}

const houseText = "ERROR: the house allowance is gone for team 7"

// From a stored run to a rule in force on the server: what a person does.
func TestFromAStoredRunToARuleInForce(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	h := newHost(t, s)
	h.agentctl(t, 1, "", "run", "--agent", "codex", "--no-adapt", "-q", "--", "sh", "-c", "echo '"+houseText+"' >&2; exit 1")
	listed, _ := h.agentctl(t, cli.OK, "", "runs", "list", "-o", "json")
	var run struct {
		RunID string `json:"runId"`
	}
	require.NoError(t, json.Unmarshal([]byte(listed), &run))

	// Another host, without that journal.
	other := newHost(t, s)
	path, told := other.agentctl(t, cli.OK, "", "rules", "new", "--from", run.RunID, "--code", "quota_limited", "--id", "own.house.limit", "--overlay", "rules")
	path = strings.TrimSpace(path)
	require.Equal(t, filepath.Join(other.dir, "rules", "own.house.limit.yaml"), path)
	require.Contains(t, told, "recourse serve --catalogue-overlay "+filepath.Dir(path))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(text), "run "+run.RunID)
	_, errs := other.agentctl(t, cli.NotFound, "", "rules", "get", "own.house.limit", "--server")
	require.Contains(t, errs, "own.house.limit")

	with := servertest.Start(t, servertest.Configure(func(c *config.Config) { c.CatalogueOverlay = []string{filepath.Dir(path)} }))
	h = newHost(t, with)
	got, _ := h.agentctl(t, cli.OK, "", "rules", "get", "own.house.limit", "--server", "-o", "json")
	require.Contains(t, got, `"code":"CODE_QUOTA_LIMITED"`)
	all, _ := h.agentctl(t, cli.OK, "", "rules", "list", "--server", "--code", "quota_limited")
	require.Contains(t, all, "own.house.limit")
	named, _ := h.agentctl(t, cli.OK, houseText, "classify", "--server", "--agent", "codex")
	require.Regexp(t, `(?m)^rule +own\.house\.limit$`, named)
	version, warned := h.agentctl(t, cli.OK, "", "version", "-o", "json")
	var versions map[string]string
	require.NoError(t, json.Unmarshal([]byte(version), &versions))
	require.NotEqual(t, versions["catalogueDigest"], versions["serverCatalogueDigest"], warned)
}

// Speed over a server is a matter of calls: as few as the bounds allow.
func TestALargeBatchTakesFewCalls(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	h := newHost(t, s)
	const count = 2000
	var cases strings.Builder
	for range count {
		cases.WriteString(`{"id":"x","agent":"codex","signals":[{"kind":"stderr","text":"` + strings.Repeat("word ", 200) + `"}]}` + "\n")
	}
	began := time.Now()
	out, _ := h.agentctl(t, cli.OK, cases.String(), "classify", "--server", "--cases", "-")
	require.Equal(t, count, strings.Count(out, "\n"))
	require.LessOrEqual(t, strings.Count(s.Log.String(), "BatchClassifyFailures"), 2*count/64, "in %v", time.Since(began))
}
