// Package profile holds profiles as callers meet them: over REST, over gRPC and
// by agentctl, against one real server.
package profile

import (
	"testing"

	"github.com/recourse-dev/recourse/server/servertest"
)

func TestMain(m *testing.M) { servertest.Main(m) }
