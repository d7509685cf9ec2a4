package corpus_test

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/evidence/corpus"
	"github.com/recourse-dev/recourse/core/evidence/dialect"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func load(t *testing.T) map[string]corpus.Case {
	t.Helper()
	f, err := os.Open("testdata/cases.jsonl")
	require.NoError(t, err)
	defer f.Close()
	cases := map[string]corpus.Case{}
	require.NoError(t, corpus.Read(f, func(c corpus.Case) error {
		cases[c.ID] = c
		return nil
	}))
	return cases
}

func TestLabels(t *testing.T) {
	t.Parallel()
	c := load(t)["stream"]
	after, at := 90500*time.Millisecond, time.Date(2026, 11, 30, 15, 48, 0, 0, time.UTC)
	assert.Equal(t, "claude-code", c.Agent)
	assert.Equal(t, dialect.StreamJSON, c.Mode)
	assert.Equal(t, "quota_limited", c.ExpectedCode)
	assert.Equal(t, "hard", c.ExpectedClass)
	assert.Equal(t, []string{"rate_limited", "unclassified"}, c.AcceptedCodes)
	assert.Equal(t, &after, c.ExpectedRetryAfter)
	assert.Equal(t, &at, c.ExpectedResetAt)
	assert.Equal(t, time.Minute, c.ResetTolerance)
	assert.Equal(t, "high", c.Confidence)
	assert.True(t, c.Has("hint"))
	assert.False(t, c.Has("negative"))
	assert.True(t, c.OwnRetryPending && c.Swallowed && c.ReportedAsText && c.EffectWritten)

	e := c.Envelope()
	assert.Equal(t, "claude", e.AgentKind)
	assert.Equal(t, "anthropic", e.Provider)
	assert.Equal(t, "2.1", e.AgentVersion)
	assert.Equal(t, "Europe/Berlin", e.HostZone)
	assert.Equal(t, time.Date(2026, 11, 30, 14, 47, 3, 0, time.UTC), e.ObservedAt)
	assert.Equal(t, evidence.PhasePreOutput, e.Phase)
	assert.Equal(t, evidence.NoEffects(), e.Effects)
}

// TestSignals lists what the signals of each case become.
func TestSignals(t *testing.T) {
	t.Parallel()
	cases := load(t)
	for id, want := range map[string][]string{
		"stream":               {"result_event result 429: You've hit your limit", "process_exit 1: "},
		"sniffed":              {"result_event error in-flight: Reconnecting... 1/5", "result_event turn.failed: at capacity", "process_exit 1: "},
		"lone retry line":      {"stdout: stream error: 401 Unauthorized; retrying 5/5 in 3.087s…"},
		"pending retry line":   {"stdout in-flight: stream error: 401 Unauthorized; retrying 5/5 in 3.087s…"},
		"http":                 {`http 429 retry-after=7: {"error":{}}`, `http 500: {"error":"x"}`, "http: bare"},
		"acp":                  {"acp_update session_info_update: ", "acp_update agent_message_chunk: at capacity", "acp_result end_turn: "},
		"acp launch error":     {"acp_error session/new: Authentication required"},
		"acp whole frame":      {"acp_update agent_message_chunk prose: quoted", "acp_result end_turn: "},
		"acp text only":        {"acp_update agent_message_chunk prose: Room 402 is available"},
		"acp older shape":      {"acp_update session_info_update: ", "acp_update agent_message_chunk: at capacity", "acp_result end_turn: "},
		"acp stale":            {"acp_update codex_error foreign: late"},
		"acp refused":          {"acp_update permission_denied: permission refused: make", "acp_result cancelled by supervisor: "},
		"spawn":                {"process_exit spawn_error: ENOENT no such file"},
		"exit with text":       {"stderr: Please set an Auth method", "process_exit 41: "},
		"stopped by the limit": {"process_exit SIGTERM by supervisor: "},
		"killed from outside":  {"process_exit SIGKILL: "},
	} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			c, ok := cases[id]
			require.True(t, ok, "no such case")
			var got []string
			for _, s := range c.Envelope().Signals {
				got = append(got, brief(s))
			}
			assert.Equal(t, want, got)
		})
	}
	assert.Len(t, cases, 16, "a case without an expectation")
}

func brief(s evidence.Signal) string {
	parts := []string{string(s.Kind)}
	add := func(cond bool, text string) {
		if cond {
			parts = append(parts, text)
		}
	}
	add(s.Event != "", s.Event)
	add(s.Status != 0, strconv.Itoa(s.Status))
	add(s.Headers["retry-after"] != "", "retry-after="+s.Headers["retry-after"])
	add(s.ExitSignal != "", s.ExitSignal)
	if s.ExitCode != nil {
		add(true, strconv.Itoa(*s.ExitCode))
	}
	add(s.EndedBy != "", "by "+s.EndedBy)
	add(s.InFlight, "in-flight")
	add(s.Prose, "prose")
	add(s.Foreign, "foreign")
	return strings.Join(parts, " ") + ": " + s.Text
}

func TestEnvelopeIsTheCallersOwn(t *testing.T) {
	t.Parallel()
	c := load(t)["stream"]
	c.Envelope().Signals[0].Text = "changed"
	assert.Equal(t, "You've hit your limit", c.Envelope().Signals[0].Text)
}

func TestReadErrors(t *testing.T) {
	t.Parallel()
	stop := errors.New("enough")
	for name, tt := range map[string]struct {
		in   string
		fn   error
		want string
	}{
		"no JSON":      {"{\"id\":\"a\"}\nnonsense", nil, "line 2: a case is one JSON object"},
		"cut short":    {`{"id":"a","signals":[`, nil, "line 1: a case is one JSON object"},
		"no id":        {`{"agent":"claude"}`, nil, "line 1: a case needs an id"},
		"bad now":      {`{"id":"a","now":"yesterday"}`, nil, `line 1: case a: now: "yesterday" is no RFC 3339 time`},
		"bad reset":    {`{"id":"a","expected_reset_at":"5pm"}`, nil, `line 1: case a: expected_reset_at: "5pm" is no RFC 3339 time`},
		"caller stops": {"\n\n{\"id\":\"a\"}", stop, "line 3 (a): enough"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := corpus.Read(strings.NewReader(tt.in), func(corpus.Case) error { return tt.fn })
			require.ErrorContains(t, err, tt.want)
			if tt.fn != nil {
				assert.ErrorIs(t, err, tt.fn)
			}
		})
	}
	require.NoError(t, corpus.Read(strings.NewReader("\ufeff{\"id\":\"a\"}\r\n"), func(corpus.Case) error { return nil }))
}

func FuzzRead(f *testing.F) {
	raw, err := os.ReadFile("testdata/cases.jsonl")
	require.NoError(f, err)
	for line := range strings.Lines(string(raw)) {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, in string) {
		_ = corpus.Read(strings.NewReader(in), func(c corpus.Case) error {
			if n := len(c.Envelope().Signals); n > evidence.MaxSignals {
				t.Fatalf("%d signals", n)
			}
			return nil
		})
	})
}
