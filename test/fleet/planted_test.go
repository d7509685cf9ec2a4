package fleet

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// plants are faults that are put into a copy of a sound history. Each reports
// whether the wakeup is one that it fits.
var plants = map[string]func(f facts, id string) (fits bool){
	"a run is delivered twice": func(f facts, id string) bool {
		all := deliveries(f.ledger[id])
		if len(all) == 0 {
			return false
		}
		f.ledger[id] = append(slices.Clone(f.ledger[id]), all[len(all)-1])
		return true
	},
	"a prompt is delivered again after a success": func(f facts, id string) bool {
		if f.wakeups[id].GetStatus() != completed {
			return false
		}
		last := f.runs[id][len(f.runs[id])-1]
		again := proto.CloneOf(last)
		again.RunId, again.Ordinal, again.ClaimedAt = "planted", last.GetOrdinal()+1, last.GetSettledAt()
		f.change(id, func(w *v1.Wakeup) { w.RunCount++ })
		f.runs[id] = append(slices.Clone(f.runs[id]), again)
		f.ledger[id] = append(slices.Clone(f.ledger[id]), entry{delivered, "planted"})
		return true
	},
	"a prompt is delivered again after nobody knows what": func(f facts, id string) bool {
		return f.changeRun(id, func(r *v1.Run) { r.Outcome = v1.RunOutcome_RUN_OUTCOME_AMBIGUOUS }) && len(deliveries(f.ledger[id])) > 1
	},
	"a run is claimed early": func(f facts, id string) bool {
		return len(f.runs[id]) > 1 && f.changeRun(id, func(r *v1.Run) {
			if r.GetDecision() != nil {
				r.Decision.RetryAt = timestamppb.New(f.runs[id][1].GetClaimedAt().AsTime().Add(time.Microsecond))
			}
		}) && f.runs[id][0].GetDecision() != nil
	},
	"a wakeup is lost": func(f facts, id string) bool {
		delete(f.wakeups, id)
		return true
	},
	"a wakeup is left waiting": func(f facts, id string) bool {
		return f.change(id, func(w *v1.Wakeup) { w.Status = v1.WakeupStatus_WAKEUP_STATUS_SCHEDULED_RETRY })
	},
	"an acknowledged run is lost": func(f facts, id string) bool {
		f.runs[id] = f.runs[id][:len(f.runs[id])-1]
		return f.change(id, func(w *v1.Wakeup) { w.RunCount-- }) && len(f.ledger[id]) > 0 && f.wakeups[id].GetStatus() == completed
	},
	"an acknowledged outcome is lost": func(f facts, id string) bool {
		return f.changeRun(id, func(r *v1.Run) { r.Outcome = v1.RunOutcome_RUN_OUTCOME_UNSPECIFIED }) &&
			slices.ContainsFunc(f.ledger[id], func(e entry) bool { return e.Kind == "ReportFailure" && e.Run == f.runs[id][0].GetRunId() })
	},
	"a person is never asked": func(f facts, id string) bool {
		delete(f.asked, id)
		return f.wakeups[id].GetStatus() == failed
	},
}

func (f facts) change(id string, change func(*v1.Wakeup)) bool {
	f.wakeups[id] = proto.CloneOf(f.wakeups[id])
	change(f.wakeups[id])
	return true
}

// changeRun changes the first run.
func (f facts) changeRun(id string, change func(*v1.Run)) bool {
	if len(f.runs[id]) == 0 {
		return false
	}
	f.runs[id] = slices.Clone(f.runs[id])
	f.runs[id][0] = proto.CloneOf(f.runs[id][0])
	change(f.runs[id][0])
	return true
}

// streamPlants are faults of the stream, at the event i.
var streamPlants = map[string]func(seen []*v1.Event, i int) []*v1.Event{
	"an event is never seen":       func(seen []*v1.Event, i int) []*v1.Event { return slices.Delete(seen, i, i+1) },
	"an event is seen twice":       func(seen []*v1.Event, i int) []*v1.Event { return slices.Insert(seen, i, seen[i]) },
	"events are seen out of order": func(seen []*v1.Event, i int) []*v1.Event { seen[i], seen[i+1] = seen[i+1], seen[i]; return seen },
}

// mostPlanted bounds how often each fault is planted.
const mostPlanted = 10

// requirePlantsFound falsifies a sound history in every way.
func requirePlantsFound(t *testing.T, f facts) {
	t.Helper()
	for name, plant := range plants {
		planted := 0
		for _, id := range f.begun {
			bad := f.clone()
			if planted == mostPlanted || !plant(bad, id) {
				continue
			}
			planted++
			require.NotEmpty(t, bad.check(), "%s: %s", name, id)
		}
		require.NotZero(t, planted, name)
	}
	for name, plant := range streamPlants {
		for k := range mostPlanted {
			bad := f.clone()
			bad.seen[0] = plant(slices.Clone(f.seen[0]), k*(len(f.seen[0])-1)/mostPlanted)
			require.NotEmpty(t, bad.check(), name)
		}
	}
}
