package main

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/server/config"
)

// output is a file that a command writes to while a test reads it.
func output(t *testing.T) (*os.File, func() string) {
	t.Helper()
	file, err := os.CreateTemp(t.TempDir(), "out")
	require.NoError(t, err)
	t.Cleanup(func() { _ = file.Close() })
	return file, func() string {
		text, err := os.ReadFile(file.Name())
		require.NoError(t, err)
		return string(text)
	}
}

func runCommand(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	out, readOut := output(t)
	errs, readErrs := output(t)
	code = execute(t.Context(), func() {}, args, out, errs)
	return code, readOut(), readErrs()
}

func TestEveryCommandHasAnExample(t *testing.T) {
	t.Parallel()
	for _, cmd := range newRoot(func() {}).Commands() {
		require.NotEmpty(t, cmd.Short, cmd.Name())
		require.Contains(t, cmd.Example, "recourse "+cmd.Name())
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	code, stdout, stderr := runCommand(t, "version")
	require.Zero(t, code)
	require.Regexp(t, `^recourse dev`, stdout)
	require.Empty(t, stderr)
}

func TestBadSettingsAreReportedAtOnce(t *testing.T) {
	t.Parallel()
	code, stdout, stderr := runCommand(t, "serve", "--listen", "0.0.0.0:1", "--rate", "many", "--log-format", "xml")
	require.Equal(t, 1, code)
	require.Empty(t, stdout)
	for _, want := range []string{"listen: 0.0.0.0:1 can be reached", "rate (from flag --rate): must be a number", "log-format: must be text or json"} {
		require.Contains(t, stderr, want)
	}
	code, _, stderr = runCommand(t, "serve", "--no-such-flag")
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "no-such-flag")
}

func TestEverySettingIsAFlag(t *testing.T) {
	t.Parallel()
	var serveCommand *cobra.Command
	for _, cmd := range newRoot(func() {}).Commands() {
		if cmd.Name() == "serve" {
			serveCommand = cmd
		}
	}
	for _, setting := range config.Settings() {
		flag := serveCommand.Flags().Lookup(setting.Name)
		require.NotNil(t, flag, setting.Name)
		require.Contains(t, flag.Usage, "["+setting.Env+"]")
	}
}

// dataFolder is one that PostgreSQL's own user may pass through, too.
func dataFolder(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "recourse")
	require.NoError(t, err)
	require.NoError(t, os.Chmod(folder, 0o755))
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	return filepath.Join(folder, "data")
}

// One server from nothing: its own PostgreSQL, the token, an answer, a second
// start that is refused, an orderly end, and the same again on the same data.
func TestServeWithAPostgreSQLOfItsOwn(t *testing.T) {
	t.Parallel()
	data := dataFolder(t)
	first := serveOn(t, data)
	token := first.token(t, data)
	require.Equal(t, http.StatusOK, first.get(t, "/v1/caller", token))

	code, _, stderr := runCommand(t, "serve", "--listen", "127.0.0.1:0", "--data", data)
	require.Equal(t, 1, code)
	require.Contains(t, stderr, data)

	first.end(t)
	second := serveOn(t, data)
	require.Equal(t, token, second.token(t, data))
	require.Equal(t, http.StatusOK, second.get(t, "/v1/caller", token))
	second.end(t)
}

type running struct {
	url    string
	cancel context.CancelFunc
	code   chan int
}

func serveOn(t *testing.T, data string, more ...string) running {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out, _ := output(t)
	errs, read := output(t)
	code := make(chan int, 1)
	go func() {
		code <- execute(ctx, func() {}, append([]string{"serve", "--listen", "127.0.0.1:0", "--data", data}, more...), out, errs)
	}()
	t.Cleanup(cancel)
	line := regexp.MustCompile(`serves (http://\S+), data in `)
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for {
		if found := line.FindStringSubmatch(read()); found != nil {
			return running{url: found[1], cancel: cancel, code: code}
		}
		select {
		case got := <-code:
			t.Fatalf("the server ended with %d: %s", got, read())
		case <-ticker.C:
		}
	}
}

func (r running) token(t *testing.T, data string) string {
	t.Helper()
	token, err := os.ReadFile(filepath.Join(data, "admin-token"))
	require.NoError(t, err)
	return strings.TrimSpace(string(token))
}

func (r running) get(t *testing.T, path, token string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.url+path, nil)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+token)
	req.Close = true
	response, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode
}

func (r running) end(t *testing.T) {
	t.Helper()
	r.cancel()
	require.Zero(t, <-r.code)
	_, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://"))
	require.Error(t, err)
}

func TestTheLogIsRedactedButKeepsOurIDs(t *testing.T) {
	t.Parallel()
	const id = "01a22d91-899c-78c9-b117-7b45bd98a7b4"
	key := "sk-ant-" + strings.Repeat("a1B2", 10)
	var out strings.Builder
	log := slog.New(slog.NewJSONHandler(&out, &slog.HandlerOptions{ReplaceAttr: redact}))
	log.Info("call", "request_id", id, "cause", "provider said "+key, "error", io.ErrUnexpectedEOF)
	var line map[string]string
	require.NoError(t, json.Unmarshal([]byte(out.String()), &line))
	require.Equal(t, id, line["request_id"])
	require.NotContains(t, line["cause"], key)
	require.Equal(t, "unexpected EOF", line["error"])
}
