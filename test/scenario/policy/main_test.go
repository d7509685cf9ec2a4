// Package policy holds the recovery policy as callers meet it: consent, the
// Off switch, simulation, and one instant on every surface.
package policy

import (
	"testing"

	"github.com/recourse-dev/recourse/server/servertest"
)

func TestMain(m *testing.M) { servertest.Main(m) }
