package fleet

import (
	"context"
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/fault"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// facts are what all sides say at the end: who began a prompt, the ledger, the
// database, the list of recoveries, and who followed the events.
type facts struct {
	begun      []string // acknowledged wakeups
	ledger     map[string][]entry
	wakeups    map[string]*v1.Wakeup
	runs       map[string][]*v1.Run // of each wakeup, the oldest first
	asked      map[string]bool      // in ListRecoveries with the attention of a person
	violations []string
	seen       [][]*v1.Event // by each subscriber, in its order
	stored     []*v1.Event   // in the order of their numbers
}

// call repeats one call through a death.
func call[T any](r *rig, ask func(context.Context) (T, error)) T {
	r.t.Helper()
	tick := time.NewTicker(readyStep)
	defer tick.Stop()
	for {
		answer, err := ask(r.t.Context())
		if f := fault.From(err); err == nil || f.Kind != fault.Unavailable && f.Reason != fault.ReasonConflict {
			require.NoError(r.t, err)
			return answer
		}
		<-tick.C
	}
}

const page = 1000

func (r *rig) facts(begun []string) facts {
	r.t.Helper()
	f := facts{begun: begun, ledger: map[string][]entry{}, wakeups: map[string]*v1.Wakeup{}, runs: map[string][]*v1.Run{}, asked: map[string]bool{}}
	var err error
	for _, id := range begun {
		f.ledger[id], err = r.ledger.read(id)
		require.NoError(r.t, err)
	}
	for next, more := "", true; more; more = next != "" {
		answer := call(r, func(ctx context.Context) (*v1.ListWakeupsResponse, error) {
			return r.admin.Recovery.ListWakeups(ctx, &v1.ListWakeupsRequest{PageSize: page, PageToken: next})
		})
		for _, w := range answer.GetWakeups() {
			f.wakeups[w.GetWakeupId()] = w
		}
		next = answer.GetNextPageToken()
	}
	for next, more := "", true; more; more = next != "" {
		answer := call(r, func(ctx context.Context) (*v1.ListRunsResponse, error) {
			return r.admin.Recovery.ListRuns(ctx, &v1.ListRunsRequest{PageSize: page, PageToken: next})
		})
		for _, run := range answer.GetRuns() {
			f.runs[run.GetWakeupId()] = append(f.runs[run.GetWakeupId()], run)
		}
		next = answer.GetNextPageToken()
	}
	for _, runs := range f.runs {
		slices.SortFunc(runs, func(a, b *v1.Run) int { return int(a.GetOrdinal() - b.GetOrdinal()) })
	}
	for next, more := "", true; more; more = next != "" {
		answer := call(r, func(ctx context.Context) (*v1.ListRecoveriesResponse, error) {
			return r.admin.Recovery.ListRecoveries(ctx, &v1.ListRecoveriesRequest{Attention: v1.Attention_ATTENTION_PERSON, PageSize: page, PageToken: next})
		})
		for _, s := range answer.GetRecoveries() {
			f.asked[s.GetWakeupId()] = true
		}
		next = answer.GetNextPageToken()
	}
	f.violations, err = r.store.FindViolations(r.t.Context(), "default")
	require.NoError(r.t, err)
	return f
}

// events reads the stored stream after a cursor.
func (r *rig) events(cursor string) (out []*v1.Event) {
	r.t.Helper()
	for {
		answer := call(r, func(ctx context.Context) (*v1.ListEventsResponse, error) {
			return r.admin.Recovery.ListEvents(ctx, &v1.ListEventsRequest{Cursor: cursor, PageSize: page})
		})
		if len(answer.GetEvents()) == 0 {
			return out
		}
		out, cursor = append(out, answer.GetEvents()...), answer.GetNextCursor()
	}
}
