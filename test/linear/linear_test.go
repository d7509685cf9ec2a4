package linear

import (
	"context"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/require"

	client "github.com/recourse-dev/recourse/clients/go"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// recorder keeps a history of what clients asked and were told.
type recorder struct {
	began   time.Time
	mu      sync.Mutex
	history []porcupine.Operation
	tokens  map[string][2]string // wakeup → the newest claim that somebody heard of: run, token
	lost    int
}

func (r *recorder) record(clientID int, c call, ask func() answer) {
	called := time.Since(r.began)
	a := ask()
	returned := time.Since(r.began)
	r.mu.Lock()
	defer r.mu.Unlock()
	if a.lost {
		returned = 24 * time.Hour // it may be done at any time from now on
		r.lost++
	}
	r.history = append(r.history, porcupine.Operation{
		ClientId: clientID, Input: input{len(r.history), c}, Call: int64(called), Output: a, Return: int64(returned),
	})
}

func (r *recorder) newest(wakeupID string) (run, token string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.tokens[wakeupID][0], r.tokens[wakeupID][1]
}

func (r *recorder) heard(wakeupID string, c *v1.Claim) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tokens[wakeupID] = [2]string{c.GetRun().GetRunId(), c.GetLeaseToken()}
}

// ask makes one call; run calls without a run are not made.
func (r *recorder) ask(ctx context.Context, c *client.Client, id int, op, wakeupID string) {
	run, token := r.newest(wakeupID)
	rec := c.Recovery
	calls := map[string]func() answer{
		"claim": func() answer {
			made, err := claim(ctx, c, wakeupID)
			if made != nil {
				r.heard(wakeupID, made)
				return answer{run: made.GetRun().GetRunId()}
			}
			return told(err, err == nil)
		},
		"send": func() answer {
			_, err := rec.BeginSend(ctx, &v1.BeginSendRequest{RunId: run, LeaseToken: token})
			return told(err, false)
		},
		"deliver": func() answer {
			_, err := rec.MarkDelivered(ctx, &v1.MarkDeliveredRequest{RunId: run, LeaseToken: token})
			return told(err, false)
		},
		"succeed": func() answer {
			_, err := rec.ReportSuccess(ctx, &v1.ReportSuccessRequest{RunId: run, LeaseToken: token})
			return told(err, false)
		},
		"fail": func() answer {
			_, err := rec.ReportFailure(ctx, overloaded(run, token))
			return told(err, false)
		},
		"cancel": func() answer {
			_, err := rec.CancelWait(ctx, &v1.CancelWaitRequest{WakeupId: wakeupID})
			return told(err, false)
		},
		"retryNow": func() answer {
			_, err := rec.RetryNow(ctx, &v1.RetryNowRequest{WakeupId: wakeupID})
			return told(err, false)
		},
		"get": func() answer {
			got, err := rec.GetWakeup(ctx, &v1.GetWakeupRequest{WakeupId: wakeupID})
			a := told(err, false)
			a.status = statuses[got.GetWakeup().GetStatus()]
			return a
		},
	}
	if run == "" && strings.Contains("send deliver succeed fail", op) {
		op = "claim"
	}
	r.record(id, call{op, wakeupID, run}, calls[op])
}

var statuses = map[v1.WakeupStatus]string{
	v1.WakeupStatus_WAKEUP_STATUS_QUEUED: "queued", v1.WakeupStatus_WAKEUP_STATUS_SCHEDULED_RETRY: "waiting",
	v1.WakeupStatus_WAKEUP_STATUS_RUNNING: "running", v1.WakeupStatus_WAKEUP_STATUS_COMPLETED: "completed",
	v1.WakeupStatus_WAKEUP_STATUS_FAILED: "failed", v1.WakeupStatus_WAKEUP_STATUS_CANCELLED: "cancelled",
}

func told(err error, early bool) answer {
	reason, lost := reasonOf(err)
	return answer{lost: lost, reason: reason, early: early}
}

// mix is what clients do, about as often as each stands here.
var mix = []string{
	"claim", "claim", "claim", "send", "send", "send", "deliver", "deliver", "fail", "fail", "fail", "retryNow", "retryNow", "get", "get", "succeed", "cancel",
}

const (
	clients  = 8
	cutEvery = 25 // calls
	checking = 2 * time.Minute
)

// TestHistoriesAreLinearizable lets clients do everything at once to a few
// wakeups through both replicas.
func TestHistoriesAreLinearizable(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := &recorder{began: time.Now(), tokens: map[string][2]string{}}
	for range historyBatches {
		var ids []string
		for range 4 {
			w, err := begin(t.Context(), b.client(0), "")
			require.NoError(t, err)
			ids = append(ids, w.GetWakeupId())
		}
		var done sync.WaitGroup
		for i := range clients {
			transport := &http.Transport{}
			c := b.client(i, client.WithHTTPClient(&http.Client{Transport: &cutting{transport, cutEvery}}))
			ctx := t.Context()
			done.Go(func() {
				defer transport.CloseIdleConnections()
				for range callsPerClient {
					r.ask(ctx, c, i, mix[rand.IntN(len(mix))], ids[rand.IntN(len(ids))])
				}
			})
		}
		done.Wait()
	}
	require.NotZero(t, r.lost, "no answer was lost: the harder half is not tested")
	t.Logf("%d calls, %d of them without an answer", len(r.history), r.lost)
	model := machine.ToModel()
	result, info := porcupine.CheckOperationsVerbose(model, r.history, checking)
	if result != porcupine.Ok {
		path := t.ArtifactDir() + "/history.html"
		require.NoError(t, porcupine.VisualizePath(model, info, path))
		t.Fatalf("%s: see %s", result, path)
	}
	b.requireSound()
	requirePlantsFound(t, model, r.history)
}

// requirePlantsFound puts lies into copies of a history that is sound: the
// checker must find each of them.
func requirePlantsFound(t *testing.T, model porcupine.Model, history []porcupine.Operation) {
	t.Helper()
	plants := map[string]func(o porcupine.Operation) (porcupine.Operation, bool){
		"a second claim is granted": func(o porcupine.Operation) (porcupine.Operation, bool) {
			a := o.Output.(answer)
			granted := o.Input.(input).op == "claim" && a.run != ""
			return lie(o, "claim", answer{run: "planted"}), granted && alone(history, o)
		},
		"a second send is granted": func(o porcupine.Operation) (porcupine.Operation, bool) {
			a := o.Output.(answer)
			return lie(o, "send", a), o.Input.(input).op == "send" && a == answer{}
		},
		"what succeeded is claimed": func(o porcupine.Operation) (porcupine.Operation, bool) {
			return lie(o, "claim", answer{run: "planted"}), o.Input.(input).op == "succeed" && o.Output.(answer) == answer{}
		},
		"what was cancelled is claimed": func(o porcupine.Operation) (porcupine.Operation, bool) {
			return lie(o, "claim", answer{run: "planted"}), o.Input.(input).op == "cancel" && o.Output.(answer) == answer{}
		},
	}
	for name, plant := range plants {
		planted, found := 0, 0
		for _, o := range history {
			lie, fits := plant(o)
			if !fits || planted == 20 {
				continue
			}
			planted++
			part := slices.DeleteFunc(slices.Clone(history), func(p porcupine.Operation) bool {
				return p.Input.(input).wakeup != o.Input.(input).wakeup
			})
			if porcupine.CheckOperationsTimeout(model, append(part, lie), checking) == porcupine.Illegal {
				found++
			}
		}
		t.Logf("%s: %d of %d lies found", name, found, planted)
		if historyBatches >= 14 { // a short history may give no place for a lie of each kind
			require.NotZero(t, planted, name)
		}
		require.Equal(t, planted, found, name)
	}
}

// alone says that nobody was calling about the run of a claim when its answer
// came: nothing can have ended it before the lie.
func alone(history []porcupine.Operation, o porcupine.Operation) bool {
	return !slices.ContainsFunc(history, func(p porcupine.Operation) bool {
		return p.Input.(input).wakeup == o.Input.(input).wakeup && p.Input.(input).id != o.Input.(input).id &&
			p.Call >= o.Call && p.Call <= o.Return+1
	})
}

// lie is a call right after o that claims to have been granted too.
func lie(o porcupine.Operation, op string, a answer) porcupine.Operation {
	i := o.Input.(input)
	return porcupine.Operation{
		ClientId: clients, Input: input{-1, call{op, i.wakeup, i.run}}, Call: o.Return + 1, Output: a, Return: o.Return + 1,
	}
}
