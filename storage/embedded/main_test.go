//go:build unix

package embedded

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"
)

// childVariable holds a data folder; the test binary then is a server on it.
const childVariable = "EMBEDDED_TEST_SERVER_FOLDER"

// patience bounds every wait for a real process on a busy machine.
const patience = 90 * time.Second

func TestMain(m *testing.M) {
	if dir := os.Getenv(childVariable); dir != "" {
		os.Exit(serve(dir))
	}
	if err := useToolRoot(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	if template.dir != "" {
		_ = os.RemoveAll(template.dir)
	}
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// useToolRoot lets the tests, and the processes they start, find the PostgreSQL
// of make setup where the machine has none.
func useToolRoot() error {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		return err
	}
	bin, err := Locate(context.Background(), Config{ToolRoots: []string{root}})
	if err != nil {
		return err
	}
	return os.Setenv(PrefixVariable, filepath.Dir(bin.Dir))
}

// serve is the child process: a server until it is killed, or until its test
// is gone and closes standard input.
func serve(dir string) int {
	srv, err := Start(context.Background(), Config{DataDir: dir, Settings: unsynced(), Logger: quiet()})
	if err != nil {
		fmt.Println("failed:", err)
		return 1
	}
	fmt.Println("ready", srv.PID(), srv.URL())
	_, _ = io.Copy(io.Discard, os.Stdin)
	if err := srv.Stop(context.Background()); err != nil {
		return 1
	}
	return 0
}

// unsynced spares the disk. Most tests kill processes, which the kernel's
// cache survives; those about durability or a real first start set none of it.
func unsynced() map[string]string { return map[string]string{"fsync": "off"} }

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// newFolder is an empty folder that the user PostgreSQL runs as can reach;
// t.TempDir is closed to others.
func newFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "pgtest-")
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// template is a data folder with a new cluster, made once.
var template struct {
	once sync.Once
	dir  string
	err  error
}

// warmFolder is a data folder with a cluster that never ran.
func warmFolder(t *testing.T) string {
	t.Helper()
	dir := newFolder(t)
	warm(t, dir)
	return dir
}

// warm copies the template into a data folder.
func warm(t *testing.T, dir string) {
	t.Helper()
	template.once.Do(func() {
		if template.dir, template.err = os.MkdirTemp("", "pgtest-template-"); template.err != nil {
			return
		}
		if template.err = os.Chmod(template.dir, 0o755); template.err == nil {
			template.err = Initialize(t.Context(), Config{DataDir: template.dir, Settings: unsynced(), Logger: quiet()})
		}
	})
	if template.err != nil {
		t.Fatal(template.err)
	}
	if err := os.CopyFS(dir, os.DirFS(template.dir)); err != nil {
		t.Fatal(err)
	}
}

func start(t *testing.T, cfg Config) *Server {
	t.Helper()
	if cfg.Logger == nil {
		cfg.Logger = quiet()
	}
	if cfg.Settings == nil {
		cfg.Settings = unsynced()
	}
	srv, err := Start(t.Context(), cfg)
	if err != nil {
		t.Fatalf("start: %v", err)
	}
	t.Cleanup(func() { _ = srv.Stop(context.Background()) })
	return srv
}

func stop(t *testing.T, srv *Server) {
	t.Helper()
	if err := srv.Stop(t.Context()); err != nil {
		t.Fatalf("stop: %v", err)
	}
}

// query runs one statement and gives its first column as text.
func query(t *testing.T, url, sql string) string {
	t.Helper()
	got, err := tryQuery(t.Context(), url, sql)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return got
}

func tryQuery(ctx context.Context, url, sql string) (string, error) {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.Close(ctx) }()
	rows, err := conn.Query(ctx, sql, pgx.QueryExecModeSimpleProtocol)
	if err != nil {
		return "", err
	}
	values, err := pgx.CollectRows(rows, pgx.RowTo[any])
	if err != nil || len(values) == 0 {
		return "", err
	}
	return fmt.Sprint(values[0]), nil
}

// eventually waits for a condition that another process brings about.
func eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := poll(ctx, 10*time.Millisecond, func() (bool, error) { return condition(), nil }); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

// serverProcess is a server in a process of its own.
type serverProcess struct {
	cmd        *exec.Cmd
	postmaster int
	url        string
}

func startProcess(t *testing.T, dir string) serverProcess {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+dir)
	stdin, inErr := cmd.StdinPipe()
	stdout, outErr := cmd.StdoutPipe()
	if inErr != nil || outErr != nil || cmd.Start() != nil {
		t.Fatal("cannot start a server process")
	}
	t.Cleanup(func() {
		// It stops PostgreSQL, which must not write to the folder any more
		// when that is removed.
		_ = stdin.Close()
		_ = cmd.Process.Signal(syscall.SIGCONT)
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	fields := strings.Fields(line)
	if err != nil || len(fields) != 3 || fields[0] != "ready" {
		t.Fatalf("server process said %q: %v", line, err)
	}
	pid, err := strconv.Atoi(fields[1])
	if err != nil {
		t.Fatal(err)
	}
	return serverProcess{cmd: cmd, postmaster: pid, url: fields[2]}
}

func (p serverProcess) kill(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = p.cmd.Wait()
}
