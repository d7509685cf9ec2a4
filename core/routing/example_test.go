package routing_test

import (
	"fmt"
	"time"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/routing"
)

// A provider is overloaded. After the short phase its circuit opens and the
// prompt goes to the next candidate; when that needs a login, it waits for the
// first one, and says what a person could do meanwhile.
func Example() {
	candidates := []routing.Candidate{
		{ProfileID: "opus", Provider: "anthropic", Account: "9f86d0", Model: "opus"},
		{ProfileID: "gpt", Provider: "openai", Account: "b5bb9d", Model: "gpt"},
	}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	pace := routing.Pace{Settings: recovery.Defaults(), Now: now}
	circuits := map[routing.Key]routing.Circuit{}

	cycle := routing.BeginCycle(1)
	for i, code := range []classification.Code{classification.ProviderOverloaded, classification.AuthRequired} {
		choice := routing.Select(candidates, circuits, cycle, pace)
		facts := calm(recovery.Unattended(pace.Settings))
		facts.Progress.Transient.Retries = 3 // the short phase is over
		out := routing.Follow(routing.FailedRun{
			RunID: fmt.Sprint("run", i), StartedAt: now, Candidate: candidates[choice.Index], Candidates: candidates,
			Circuits: circuits, Cycle: choice.Cycle, Facts: facts, Result: failure(code, now),
		}, pace)
		for _, change := range out.Changes {
			fmt.Println(change.Event.Kind, change.Circuit.Key)
		}
		circuits, cycle = routing.Apply(circuits, out.Changes), out.Cycle
		fmt.Println(out.Decision.Action, out.Next.Park.Reasons, out.Next.Park.Remedies)
	}
	woken := routing.Select(candidates, circuits, cycle.Next(now.Add(2*time.Minute)), routing.Pace{Settings: pace.Settings, Now: now.Add(2 * time.Minute)})
	fmt.Println(candidates[woken.Index].ProfileID, woken.Probes)
	// Output:
	// opened provider/anthropic
	// next_candidate [] []
	// opened account/openai/b5bb9d
	// park [waiting_for_provider_capacity blocked_provider_action_required] [log_in]
	// opus [provider/anthropic]
}
