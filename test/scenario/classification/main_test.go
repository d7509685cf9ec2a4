// Package classification asks the real server for names of failures over every
// transport, and by agentctl as people do.
package classification

import (
	"testing"

	"github.com/recourse-dev/recourse/server/servertest"
)

func TestMain(m *testing.M) { servertest.Main(m) }
