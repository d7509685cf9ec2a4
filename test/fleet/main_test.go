// Package fleet runs the whole of it as in production, several server
// processes on one durable PostgreSQL and several worker processes built on
// clients/go/worker, kills servers and workers at the named steps of a retry's
// dispatch, and compares what was delivered with what is recorded.
package fleet

import (
	"os"
	"testing"

	"github.com/recourse-dev/recourse/server/servertest"
)

func TestMain(m *testing.M) {
	if order := os.Getenv(workerVariable); order != "" {
		os.Exit(asWorker(order))
	}
	servertest.Main(m)
}
