package profile

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// examples are the profiles of the documentation, in its order.
func examples(t *testing.T) []string {
	t.Helper()
	page, err := os.ReadFile("../../../docs/profiles.md")
	require.NoError(t, err)
	var out []string
	for _, block := range strings.Split(string(page), "```yaml\n")[1:] {
		text, _, closed := strings.Cut(block, "```")
		require.True(t, closed)
		out = append(out, text)
	}
	require.Len(t, out, 2, "one concrete and one dynamic")
	return out
}

func parsed(t *testing.T, text string) *v1.Profile {
	t.Helper()
	out := &v1.Profile{}
	require.NoError(t, protojson.Unmarshal([]byte(text), out))
	return out
}

func TestTheExamplesOfTheDocumentationAreCreated(t *testing.T) {
	t.Parallel()
	w := start(t)
	pages := examples(t)
	first := w.file("claude-team.yaml", pages[0])
	_, said := w.agentctl(cli.OK, "", "profiles", "create", "-f", first)
	require.Contains(t, said, "profile claude-team is created")
	second := w.file("night-shift.yaml", pages[1])
	_, said = w.agentctl(cli.Usage, "", "profiles", "create", "-f", second, "--dry-run")
	require.Equal(t, "agentctl: night-shift.yaml: dynamic.candidates[1].profile_id: there is no profile codex-team in this workspace (INVALID_REQUEST)\n", said)
	w.create(concrete("codex-team"))
	out, said := w.agentctl(cli.OK, "", "profiles", "create", "-f", second, "--dry-run", "-o", "json")
	require.Contains(t, said, "profile night-shift would be created; nothing is changed")
	require.Empty(t, parsed(t, out).GetEtag(), "no version of it exists")
	w.agentctl(cli.NotFound, "", "profiles", "get", "night-shift")
	out, _ = w.agentctl(cli.OK, "", "profiles", "create", "-f", second, "-o", "json")
	require.Equal(t, w.get("night-shift").String(), parsed(t, out).String())
	_, said = w.agentctl(cli.Stale, "", "profiles", "create", "-f", second)
	require.Contains(t, said, "PROFILE_EXISTS")
}

func TestAProfileIsReadEditedAndWrittenBack(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.create(concrete("a"))
	w.create(concrete("b"))
	w.create(dynamic("d", "a", "b"))
	text, _ := w.agentctl(cli.OK, "", "profiles", "get", "d", "-o", "json")
	_, said := w.agentctl(cli.OK, text, "profiles", "update", "-f", "-")
	require.Contains(t, said, "profile d is changed")
	require.EqualValues(t, 1, w.get("d").GetVersion(), "it says what it said")

	edited := parsed(t, text)
	edited.GetDynamic().Candidates[1].Policy = &v1.Candidate_Preset{Preset: v1.CandidatePreset_CANDIDATE_PRESET_STRICT}
	edited.DisplayName = "Edited"
	raw, err := protojson.Marshal(edited)
	require.NoError(t, err)
	w.agentctl(cli.OK, string(raw), "profiles", "update", "-f", "-", "--dry-run")
	require.EqualValues(t, 1, w.get("d").GetVersion())
	w.agentctl(cli.OK, string(raw), "profiles", "update", "-f", "-")
	after := w.get("d")
	require.EqualValues(t, 2, after.GetVersion())
	require.EqualValues(t, 1, after.GetDynamic().GetCandidates()[0].GetPolicyVersion())
	require.EqualValues(t, 2, after.GetDynamic().GetCandidates()[1].GetPolicyVersion())
	_, said = w.agentctl(cli.Stale, string(raw), "profiles", "update", "-f", "-")
	require.Contains(t, said, "STALE_VERSION", "the etag of the file is of a version that was")

	table, _ := w.agentctl(cli.OK, "", "profiles", "list")
	lines := strings.Split(strings.TrimSpace(table), "\n")
	require.Len(t, lines, 4)
	require.Regexp(t, `^PROFILE +KIND +NAME +RUNS +VERSION +ETAG +CHANGED$`, lines[0])
	require.Regexp(t, `^a +concrete +Agent a +claude anthropic claude-sonnet-4-5 +1 +\w{24} `, lines[1])
	require.Regexp(t, `^d +dynamic +Edited +a > b +2 +\w{24} `, lines[3])
	ids, _ := w.agentctl(cli.OK, "", "profiles", "list", "--kind", "dynamic", "-o", "json")
	require.Equal(t, "d", parsed(t, ids).GetProfileId())
	shown, _ := w.agentctl(cli.OK, "", "profiles", "get", "d")
	require.Contains(t, shown, "a > b")
}

func TestACommandSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.create(concrete("a"))
	w.create(dynamic("d", "a"))
	_, said := w.agentctl(cli.Stale, "", "profiles", "delete", "a")
	require.Equal(t, "agentctl: profile a is a candidate of 1: d (PROFILE_IN_USE)\n", said)
	_, said = w.agentctl(cli.Stale, "", "profiles", "delete", "d", "--etag", "other")
	require.Contains(t, said, "STALE_VERSION")
	_, said = w.agentctl(cli.Usage, "profile_id: Bad\nconcrete: {agent_kind: claude, command: {program: claude, arguments: ['{model}']}, environment: {KEY: plain}}\n", "profiles", "create", "-f", "-")
	require.Equal(t, `agentctl: standard input: profile_id: must be a lower-case letter, then letters, digits and hyphens, at most 63 in all
standard input: concrete.command.arguments[0]: holds the placeholder {model}: there is only {prompt}
standard input: concrete.environment["KEY"]: must be a reference, as env:NAME or secret:NAME: values are never stored (INVALID_REQUEST)
`, said)
	for stdin, says := range map[string]string{
		"":                                       "is empty",
		"profile_id: x\nconcrete: {modell: y}":   "modell",
		"profile_id: [":                          "is no profile",
		"profile_id: " + strings.Repeat("x", 64): "profile_id",
		"#" + strings.Repeat("x", 300<<10):       "longer than",
	} {
		_, said = w.agentctl(cli.Usage, stdin, "profiles", "create", "-f", "-")
		require.Contains(t, said, says)
	}
	_, said = w.agentctl(cli.Usage, "", "profiles", "create")
	require.Contains(t, said, "-f FILE")
	_, said = w.agentctl(cli.Usage, "display_name: nobody's", "profiles", "update", "-f", "-")
	require.Contains(t, said, "profile_id: must say which profile is changed")
	_, said = w.agentctl(cli.Usage, "", "profiles", "list", "--kind", "other")
	require.Contains(t, said, `there is no kind "other"`)
	w.agentctl(cli.NotFound, "", "profiles", "create", "-f", "no-such-file.yaml")
	w.agentctl(cli.OK, "", "profiles", "delete", "d")
	_, said = w.agentctl(cli.OK, "", "profiles", "delete", "a")
	require.Equal(t, "agentctl: profile a is deleted\n", said)
	w.agentctl(cli.NotFound, "", "profiles", "delete", "a")
}
