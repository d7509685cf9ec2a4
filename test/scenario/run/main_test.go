// Package run tests agentctl run end to end: real processes, scripted agents,
// once on this host alone and once against the real server.
package run

import (
	"context"
	"flag"
	"os"
	"testing"
	"time"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/command"
	"github.com/recourse-dev/recourse/clients/agentctl/supervisor"
	"github.com/recourse-dev/recourse/server/servertest"
)

// roleVariable makes the test's own binary play agentctl, so that it is the
// code under test, with its race detector, and nothing has to be built.
const roleVariable = "SCENARIO_ROLE"

// The roles.
const (
	roleReal = "agentctl"      // with the delays of production
	roleFast = "agentctl-fast" // with short ones
	// roleSwift lives an hour in a second.
	roleSwift = "agentctl-swift"
)

// swift is a clock on which an hour passes in a second.
type swift struct{ began time.Time }

const swiftness = 3600

func (s swift) Now() time.Time { return s.began.Add(time.Since(s.began) * swiftness) }

func (s swift) Sleep(ctx context.Context, d time.Duration) error {
	return supervisor.System{}.Sleep(ctx, d/swiftness)
}

func TestMain(m *testing.M) {
	role := os.Getenv(roleVariable)
	if role == "" {
		flag.Parse()
		// These tests wait for delays and processes, not for a processor.
		if err := flag.Set("test.parallel", "8"); err != nil {
			panic(err)
		}
		servertest.Main(m)
		return
	}
	inv := cli.FromProcess("test")
	if role == roleFast {
		for i := range inv.Settings.InteractiveDelays {
			inv.Settings.InteractiveDelays[i] = time.Duration(i+1) * 20 * time.Millisecond
		}
		inv.Settings.TermToKill = 300 * time.Millisecond
		inv.Settings.OwnRetryBudget = 700 * time.Millisecond
		inv.Settings.ResetMargin = 10 * time.Millisecond
		inv.Settings.RetryAfterMargin = 0
	}
	if role == roleSwift {
		inv.Clock = swift{began: time.Now()}
	}
	os.Exit(command.Main(context.Background(), inv, os.Args[1:]))
}
