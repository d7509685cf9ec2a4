// Package action does what a person may do about a failure through the public
// API, by every protocol that reaches it.
package action

import (
	"testing"

	"github.com/recourse-dev/recourse/server/servertest"
)

func TestMain(m *testing.M) { servertest.Main(m) }
