package simulate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

func read(t *testing.T, text string) (*v1.ClassPolicies, error) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "policy.yaml"), []byte(text), 0o600))
	return readPolicy(&cli.Invocation{Dir: dir}, "policy.yaml")
}

// The example of the page is one that works.
func TestThePolicyOfTheDocumentationIsRead(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../../docs/policy.md")
	require.NoError(t, err)
	_, after, found := strings.Cut(string(page), "```yaml\n")
	require.True(t, found)
	text, _, _ := strings.Cut(after, "```")
	got, err := read(t, text)
	require.NoError(t, err)
	require.EqualValues(t, 3, got.GetTransient().GetRetry().GetMaxRetries())
	require.Equal(t, 5*time.Second, got.GetTransient().GetRetry().GetInitialInterval().AsDuration())
	require.Equal(t, v1.OnExhausted_ON_EXHAUSTED_STOP, got.GetHard().GetOnExhausted())
	require.Equal(t, 5*time.Hour+30*time.Minute, got.GetMaxTotalWait().AsDuration())
}

func TestAPolicyIsReadAsJSONToo(t *testing.T) {
	t.Parallel()
	got, err := read(t, `{"transient": {"onExhausted": "ON_EXHAUSTED_SKIP"}, "hard": {"onExhausted": "ON_EXHAUSTED_STOP"}}`)
	require.NoError(t, err)
	require.Equal(t, v1.OnExhausted_ON_EXHAUSTED_SKIP, got.GetTransient().GetOnExhausted())
}

func TestWhatIsNoPolicyIsNamed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, says string }{
		"unknown field": {"transient: {on_exhausted: ON_EXHAUSTED_STOP, wiat: 1}\nhard: {on_exhausted: ON_EXHAUSTED_STOP}\n", "wiat"},
		"no class":      {"hard: {on_exhausted: ON_EXHAUSTED_STOP}\n", "transient"},
		"no answer":     {"transient: {}\nhard: {on_exhausted: ON_EXHAUSTED_STOP}\n", "on_exhausted"},
		"no YAML":       {"transient: [", "policy.yaml"},
		"too long":      {strings.Repeat("#", maxPolicy+1), "longer than"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := read(t, c.text)
			require.ErrorContains(t, err, c.says)
			require.Equal(t, cli.Usage, cli.Code(err))
		})
	}
}

func TestSpansKnowDays(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{"7d": 7 * 24 * time.Hour, "90m": 90 * time.Minute} {
		var s span
		require.NoError(t, s.Set(text))
		require.Equal(t, want, time.Duration(s))
	}
	for _, text := range []string{"", "d", "-1d", "0s", "-5m", "99999999999d", "1.5d", "week"} {
		var s span
		require.Error(t, s.Set(text), text)
	}
}
