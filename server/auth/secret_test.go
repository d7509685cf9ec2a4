package auth

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSecretsSayTheirWorkspaceAndNothingElse(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, workspace := range []string{"default", "a", "team-7", strings.Repeat("w", 63)} {
		for _, kind := range []string{KindToken, KindLoginCode} {
			secret := NewSecret(kind, workspace)
			require.False(t, seen[secret])
			seen[secret] = true
			got, ok := WorkspaceOf(kind, secret)
			require.True(t, ok, secret)
			require.Equal(t, workspace, got)
			require.Len(t, secret, len(kind)+1+len(workspace)+1+52)
		}
	}
}

func TestWhatIsNoSecret(t *testing.T) {
	t.Parallel()
	good := NewSecret(KindToken, "default")
	random := good[len("rcs_default_"):]
	for _, text := range []string{
		"", "rcs", "rcs_", "rcs_default_", "rcs__" + random, "rcs_default" + random, "rcs_Default_" + random, "rcs_-a_" + random,
		"rcs_7a_" + random, "rcs_a-_" + random, "rcs_" + strings.Repeat("w", 64) + "_" + random,
		good + "a", good[:len(good)-1], " " + good, good + "\n", strings.ToUpper(good), "rcs_default_" + strings.Repeat("1", 52),
		"rcs_default_" + random[:51] + "_", NewSecret(KindLoginCode, "default"), strings.Repeat("rcs_", 1<<16),
	} {
		_, ok := WorkspaceOf(KindToken, text)
		require.False(t, ok, text)
	}
}

func TestHashesDependOnEveryByte(t *testing.T) {
	t.Parallel()
	a := NewSecret(KindToken, "default")
	require.Len(t, Hash(a), 32)
	require.Equal(t, Hash(a), Hash(a))
	for _, other := range []string{a[1:], a + "a", strings.Replace(a, KindToken, KindLoginCode, 1), strings.Replace(a, "default", "defaulu", 1)} {
		require.NotEqual(t, Hash(a), Hash(other))
	}
}

func FuzzWorkspaceOf(f *testing.F) {
	f.Add(NewSecret(KindToken, "default"))
	f.Add("rcs_a_b_c")
	f.Fuzz(func(t *testing.T, text string) {
		workspace, ok := WorkspaceOf(KindToken, text)
		if ok && (!ValidWorkspaceID(workspace) || !strings.HasPrefix(text, KindToken+"_"+workspace+"_")) {
			t.Errorf("%q gives %q", text, workspace)
		}
	})
}
