// Package secret plants secrets in everything that a caller may send, and looks
// for them in everything that the server keeps, answers, streams or logs.
package secret

import (
	"testing"

	"github.com/recourse-dev/recourse/server/servertest"
)

func TestMain(m *testing.M) { servertest.Main(m) }
