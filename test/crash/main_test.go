// Package crash kills the real server at named steps of the durable path and
// starts it again on the same data: nothing acknowledged is lost, nothing is
// delivered twice.
package crash

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/recourse-dev/recourse/storage/storagetest/pg"
)

// binary is the server, built once for all tests.
var binary string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	if order := os.Getenv(workerVariable); order != "" {
		return asWorker(order)
	}
	if err := pg.UseToolRoot(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	folder, err := os.MkdirTemp("", "recourse-crash-bin-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(folder) }()
	binary = filepath.Join(folder, "recourse")
	build := exec.Command("go", "build", "-o", binary, "github.com/recourse-dev/recourse/server/cmd/recourse")
	build.Stdout, build.Stderr = os.Stderr, os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "build the server:", err)
		return 1
	}
	return m.Run()
}
