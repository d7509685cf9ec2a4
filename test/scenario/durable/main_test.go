// Package durable walks the durable path through the public API, by every
// protocol that reaches it.
package durable

import (
	"testing"

	"github.com/recourse-dev/recourse/server/servertest"
)

func TestMain(m *testing.M) { servertest.Main(m) }
