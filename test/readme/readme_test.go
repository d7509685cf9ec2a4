//go:build readme

// Package readme runs every command of README.md against a real server, in the
// order in which a reader meets them, and proves that its excerpts are what the
// named files say. `make readme` runs it; it needs bin/recourse and bin/agentctl.
package readme

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const root = "../.."

var (
	fence  = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```")
	source = regexp.MustCompile("(?ms)^<!-- source: (\\S+) -->\n```\\w+\n(.*?)^```")
)

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, path))
	require.NoError(t, err)
	return string(text)
}

func TestExcerptsAreTheFiles(t *testing.T) {
	t.Parallel()
	excerpts := source.FindAllStringSubmatch(read(t, "README.md"), -1)
	require.Len(t, excerpts, 2)
	for _, e := range excerpts {
		require.Contains(t, read(t, e[1]), e[2], "README shows something else than %s", e[1])
	}
}

func TestEveryCommandRuns(t *testing.T) {
	t.Parallel()
	var script strings.Builder
	for _, block := range fence.FindAllStringSubmatch(read(t, "README.md"), -1) {
		switch block[1] {
		case "sh":
			script.WriteString(block[2])
		case "": // the two commands: this test starts the server; CI runs the tests
			require.Equal(t, "make run\nmake test\n", block[2])
			require.Contains(t, read(t, ".ci/run"), "\nmake test\n")
		case "go", "ts":
		default:
			t.Fatalf("README has a block of %q that nothing runs", block[1])
		}
	}
	address, data := serve(t)
	text := strings.ReplaceAll(script.String(), "127.0.0.1:8080", address)
	run(t, data, address, "set -euxo pipefail\n"+text+examples)
}

// examples runs the two programs that README shows parts of.
const examples = `
go run ./docs/examples/decide
(cd clients/web && node_modules/.bin/vite build --logLevel warn --ssr examples/decide.ts --outDir "$OUT" --emptyOutDir)
cp -r "$OUT" clients/web/node_modules/.readme && node clients/web/node_modules/.readme/decide.js; rm -r clients/web/node_modules/.readme
`

// serve starts the server as `make run` does, and waits until it is ready.
func serve(t *testing.T) (address, data string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address = listener.Addr().String()
	require.NoError(t, listener.Close())
	// Not t.TempDir: as root PostgreSQL runs as another user, who must pass.
	data, err = os.MkdirTemp("", "recourse-readme-")
	require.NoError(t, err)
	require.NoError(t, os.Chmod(data, 0o755))
	t.Cleanup(func() { _ = os.RemoveAll(data) })
	cmd := exec.Command(filepath.Join(root, "bin/recourse"), "serve", "--listen", address, "--data", data)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for tick := time.NewTicker(100 * time.Millisecond); ; {
		if answer, err := http.Get("http://" + address + "/readyz"); err == nil {
			_ = answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return address, data
			}
		}
		select {
		case <-ctx.Done():
			t.Fatal("the server was not ready in a minute")
		case <-tick.C:
		}
	}
}

func run(t *testing.T, data, address, script string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", "-c", script)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "RECOURSE_DATA="+data, "AGENTCTL_SERVER=http://"+address,
		"XDG_STATE_HOME="+t.TempDir(), "OUT="+t.TempDir(), fmt.Sprintf("PATH=%s", os.Getenv("PATH")))
	out, err := cmd.CombinedOutput()
	t.Logf("%s", out)
	require.NoError(t, err)
	for _, name := range []string{"flaky", "stop.txt"} {
		require.NoError(t, os.Remove(filepath.Join(root, name)))
	}
}
