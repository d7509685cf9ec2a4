package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func sources(flags map[string]string, env map[string]string) Sources {
	return Sources{Flags: flags, Env: func(name string) (string, bool) {
		value, ok := env[name]
		return value, ok
	}}
}

func file(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "recourse.yaml")
	require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	return name
}

func TestFlagWinsOverEnvironmentWinsOverFile(t *testing.T) {
	t.Parallel()
	name := file(t, "listen: 127.0.0.1:1\nlog_level: debug\nallowed-host: [a.example, b.example]\nrate: 7\n")
	c, err := Load(sources(
		map[string]string{"listen": "127.0.0.1:3"},
		map[string]string{"RECOURSE_CONFIG": name, "RECOURSE_LISTEN": "127.0.0.1:2", "RECOURSE_RATE": "8", "RECOURSE_LEASE": ""},
	))
	require.NoError(t, err)
	require.Equal(t, "127.0.0.1:3", c.Listen)
	require.InDelta(t, 8, c.RatePerSecond, 0)
	require.Equal(t, "DEBUG", c.LogLevel.String())
	require.Equal(t, []string{"a.example", "b.example"}, c.AllowedHosts)
	require.Equal(t, Default().Lease, c.Lease, "an empty variable is not set")
}

func TestEveryProblemIsReported(t *testing.T) {
	t.Parallel()
	name := file(t, "lissten: x\nlease: soon\n")
	_, err := Load(sources(
		map[string]string{"config": name, "rate-burst": "-1", "insecure-listen": "perhaps"},
		map[string]string{"RECOURSE_LISTEN": "0.0.0.0:80", "RECOURSE_TLS_CERT": "", "RECOURSE_MAX_BODY_BYTES": "1", "RECOURSE_LOG_FORMAT": "xml"},
	))
	require.Error(t, err)
	lines := strings.Split(err.Error(), "\n")
	for _, want := range []string{
		"lissten (from file " + name + "): there is no such setting",
		"lease (from the file): must be a duration, as 30s or 5m",
		"insecure-listen (from flag --insecure-listen): must be true or false",
		"rate-burst: must be at least 1",
		"max-body-bytes: must be from 1024 to 67108864",
		"log-format: must be text or json",
	} {
		require.Contains(t, lines, want)
	}
	require.Contains(t, err.Error(), "listen: 0.0.0.0:80 can be reached from other machines")
	require.Len(t, lines, 7)
}

func TestAnAddressBeyondLoopbackNeedsTLSOrAWord(t *testing.T) {
	t.Parallel()
	for listen, safe := range map[string]bool{
		"127.0.0.1:8080": true, "[::1]:8080": true, "localhost:0": true, "127.8.8.8:1": true,
		"0.0.0.0:8080": false, "[::]:8080": false, ":8080": false, "192.0.2.1:80": false, "example.com:80": false,
	} {
		_, err := Load(sources(map[string]string{"listen": listen}, nil))
		require.Equal(t, safe, err == nil, listen)
		_, err = Load(sources(map[string]string{"listen": listen, "insecure-listen": "true"}, nil))
		require.NoError(t, err, listen)
		_, err = Load(sources(map[string]string{"listen": listen, "tls-cert": "c", "tls-key": "k"}, nil))
		require.NoError(t, err, listen)
	}
	_, err := Load(sources(map[string]string{"tls-cert": "c"}, nil))
	require.ErrorContains(t, err, "go together")
}

func TestCatalogueOverlaysComeFromAnySource(t *testing.T) {
	t.Parallel()
	name := file(t, "catalogue_overlay: [/etc/rules, /srv/rules]\n")
	for _, s := range []Sources{
		sources(map[string]string{"catalogue-overlay": "/etc/rules, /srv/rules"}, nil),
		sources(nil, map[string]string{"RECOURSE_CATALOGUE_OVERLAY": "/etc/rules,/srv/rules"}),
		sources(map[string]string{"config": name}, nil),
	} {
		c, err := Load(s)
		require.NoError(t, err)
		require.Equal(t, []string{"/etc/rules", "/srv/rules"}, c.CatalogueOverlay)
	}
	c, err := Load(sources(nil, nil))
	require.NoError(t, err)
	require.Empty(t, c.CatalogueOverlay)
}

func TestBrokenFiles(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"- a\n":                      "must be YAML",
		"listen:\n  host: x\n":       "listen: must be a value or a list",
		"allowed-host: [[a]]\n":      "allowed-host: must be a value or a list",
		"listen: a:1\nlisten: b:2\n": "must be YAML",
		"\t":                         "must be YAML",
	} {
		_, err := Load(sources(map[string]string{"config": file(t, text)}, nil))
		require.ErrorContains(t, err, want, text)
	}
	_, err := Load(sources(map[string]string{"config": filepath.Join(t.TempDir(), "none")}, nil))
	require.ErrorContains(t, err, "cannot be read")
}

func TestSettingsAreUniqueAndDescribed(t *testing.T) {
	t.Parallel()
	names, variables := map[string]bool{}, map[string]bool{}
	for _, s := range Settings() {
		require.False(t, names[s.Name] || variables[s.Env], s.Name)
		names[s.Name], variables[s.Env] = true, true
		require.NotEmpty(t, s.Help)
	}
	for _, fixed := range []string{"RECOURSE_LISTEN", "RECOURSE_DATA", "DATABASE_URL"} {
		require.True(t, variables[fixed], fixed)
	}
}

func TestDefaultDataFolder(t *testing.T) {
	t.Parallel()
	env := func(values map[string]string) func(string) string {
		return func(name string) string { return values[name] }
	}
	require.Equal(t, "/var/lib/recourse", dataFolder(true, env(map[string]string{"HOME": "/root"})))
	require.Equal(t, "/home/a/.local/share/recourse", dataFolder(false, env(map[string]string{"HOME": "/home/a"})))
	require.Equal(t, "/data/recourse", dataFolder(false, env(map[string]string{"HOME": "/home/a", "XDG_DATA_HOME": "/data"})))
	require.Equal(t, "/home/a/.local/share/recourse", dataFolder(false, env(map[string]string{"HOME": "/home/a", "XDG_DATA_HOME": "relative"})))
	require.Empty(t, dataFolder(false, env(nil)))
}

func TestNumbersAreChecked(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]string{
		"rate": "NaN", "rate-burst": "1.5", "drain-timeout": "-1s", "lease": "10ms", "lost-grace": "0s",
		"streams-per-token": "0", "log-level": "loud", "max-body-bytes": "999999999999",
	} {
		_, err := Load(sources(map[string]string{name: value}, nil))
		require.ErrorContains(t, err, name)
	}
	c, err := Load(sources(map[string]string{"drain-timeout": "0s", "lease": "2s"}, nil))
	require.NoError(t, err)
	require.Equal(t, 2*time.Second, c.Lease)
}
