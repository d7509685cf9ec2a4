package recovery_test

import (
	"testing"
	"time"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/recovery"
)

func BenchmarkDecide(b *testing.B) {
	s := recovery.Defaults()
	for name, c := range map[string]struct {
		facts  recovery.Facts
		result classification.Result
	}{
		"interactive retry": {calm(recovery.ContextInteractive), failure(classification.ProviderOverloaded)},
		"patient wait":      {patient(0), resetAt(failure(classification.QuotaLimited), noon.Add(4*time.Hour))},
		"gate stop":         {calm(recovery.ContextInteractive), failure(classification.Unclassified)},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				recovery.Decide(c.facts, c.result, s, noon, 0.5)
			}
		})
	}
}
