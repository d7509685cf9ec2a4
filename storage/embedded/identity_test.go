//go:build unix

package embedded

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/recourse-dev/recourse/core/fault"
)

func TestProgramsInheritNoSecrets(t *testing.T) {
	t.Setenv("PGPASSWORD", "from outside")
	t.Setenv("PROVIDER_API_KEY", "from outside")
	t.Setenv("LC_ALL", "de_DE.UTF-8")
	cmd := identity{}.command(syscall.SIGINT, "/", "/bin/true")
	for _, kv := range cmd.Env {
		if strings.Contains(kv, "from outside") || strings.Contains(kv, "de_DE") {
			t.Errorf("inherited %s", kv)
		}
	}
	if !slices.Contains(cmd.Env, "LC_ALL=C") || !slices.Contains(cmd.Env, "PATH="+os.Getenv("PATH")) {
		t.Errorf("environment %v", cmd.Env)
	}
}

func TestRootHandsOverToTheFirstUserThereIs(t *testing.T) {
	t.Parallel()
	id, err := firstUser([]string{"no-such-user", "root", "nobody"})
	if err != nil || id.name != "nobody" || id.uid == 0 || !id.drop {
		t.Errorf("%+v, %v", id, err)
	}
	if _, err := firstUser([]string{"no-such-user", "root"}); fault.From(err).Kind != fault.FailedPrecondition {
		t.Errorf("without a user: %v", err)
	}
}

// ordinaryTests are the tests that TestAsOrdinaryUser repeats.
const ordinaryTests = "^(TestColdStart|TestSecondStart|TestKilledPostmaster|TestLongPath|TestForeign|TestDataFolder|TestAsOrdinary)"

// TestAsOrdinaryUser runs the tests that depend on the user as one who may not
// change users. Under such a user, all tests are of that kind already.
func TestAsOrdinaryUser(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		if id, err := runAs(); err != nil || id.drop || id.uid != os.Getuid() {
			t.Errorf("%+v, %v", id, err)
		}
		return
	}
	nobody, err := firstUser([]string{"nobody"})
	if err != nil {
		t.Fatal(err)
	}
	dir := newFolder(t)
	binary := copyExecutable(t, dir)
	if err := os.Chown(dir, nobody.uid, nobody.gid); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, "-test.run", ordinaryTests, "-test.v")
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "TMPDIR=" + dir, "HOME=" + dir, PrefixVariable + "=" + os.Getenv(PrefixVariable)}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(nobody.uid), Gid: uint32(nobody.gid)}, Setpgid: true}
	dieWithParent(cmd.SysProcAttr, syscall.SIGKILL)
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	err = run(t.Context(), cmd)
	passed := strings.Count(out.String(), "\n--- PASS: ")
	if err != nil || passed < 6 {
		t.Errorf("%d tests passed: %v\n%s", passed, err, out.String())
	}
}

// copyExecutable copies the test binary to where others may run it.
func copyExecutable(t *testing.T, dir string) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	from, err := os.Open(exe)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = from.Close() }()
	path := filepath.Join(dir, "embedded.test")
	to, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(to, from); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}
