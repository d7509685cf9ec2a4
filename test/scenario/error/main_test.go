// Package error_test provokes every error that a caller can meet, over every
// protocol, and holds each against one table.
package error_test

import (
	"testing"

	"github.com/recourse-dev/recourse/server/servertest"
)

func TestMain(m *testing.M) { servertest.Main(m) }
