package fleet

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	client "github.com/recourse-dev/recourse/clients/go"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

const (
	// patience bounds the wait for one death, and for the end.
	patience = 2 * time.Minute
	// prefill are the prompts that are there before the first death, so that
	// retries become due all the time.
	prefill = wakeupCount/100 + 16
	// starving is how long a strike may wait before more prompts are begun.
	starving = 3 * time.Second
)

// TestFleet kills servers and workers at every step of the dispatch of a retry
// while prompts go on to come, and then asks whether anything was lost,
// delivered twice, early, or not told.
func TestFleet(t *testing.T) {
	t.Parallel()
	r := setup(t)
	var followers []*subscriber
	first := ""
	for _, listen := range r.listens {
		s := r.subscribe(listen)
		first = <-s.begun // nothing has happened yet: the same for all
		followers = append(followers, s)
	}
	feed := &feed{rig: r}
	feed.begin(prefill)
	strikes := plan(r)
	for i, s := range strikes {
		r.strike(s, feed)
		feed.until(prefill + (wakeupCount-prefill)*(i+1)/len(strikes))
	}
	r.settle()
	f := r.facts(feed.begun)
	f.stored = r.events(first)
	var streams []int
	for _, s := range followers {
		f.seen, streams = append(f.seen, s.all(f.stored)), append(streams, s.streams)
	}
	wrong := f.check()
	explain(t, f, wrong)
	require.Empty(t, wrong)
	report(t, f, strikes, streams)
	requirePlantsFound(t, f)
}

// plan orders the deaths: each point in turn, and each time another replica is
// spared, so that somebody lives long enough to end leases.
func plan(r *rig) (out []*strike) {
	for i, p := range points {
		if i%pointStride != pointStride-1 {
			continue
		}
		add := func(victim string, n int) {
			for range n {
				out = append(out, &strike{point: p, victim: victim, spared: i % replicaCount, kill: r.kill(victim)})
			}
		}
		add(aServer, serverKills)
		if pointStride == 1 || i%3 == 0 {
			add(aWorker, workerKills)
		}
	}
	return out
}

// strike lets one die at its point; one that was gone already does not count.
func (r *rig) strike(s *strike, feed *feed) {
	r.t.Helper()
	late := time.After(patience)
	for {
		r.watch.arm(s)
		for sprung := false; !sprung; {
			select {
			case <-s.sprung:
				sprung = true
			case <-time.After(starving):
				feed.begin(1)
			case <-late:
				r.t.Fatalf("no %s dies at %q", s.victim, s.name)
			}
		}
		if !s.missed {
			return
		}
	}
}

// feed begins prompts.
type feed struct {
	rig   *rig
	begun []string
}

func (f *feed) until(n int) { f.begin(max(0, n-len(f.begun))) }

func (f *feed) begin(n int) {
	f.rig.t.Helper()
	for range n {
		in := &v1.BeginPromptRequest{
			RequestId: fmt.Sprint("prompt-", len(f.begun)), Delivery: v1.DeliveryMode_DELIVERY_MODE_WORKER, Prompt: "mend the build",
			Profile: &v1.ProfileSnapshot{AgentKind: "claude", AgentVersion: "2.1.328", Provider: "anthropic"},
		}
		answer := call(f.rig, func(ctx context.Context) (*v1.BeginPromptResponse, error) {
			return f.rig.admin.Recovery.BeginPrompt(ctx, in)
		})
		f.begun = append(f.begun, answer.GetWakeup().GetWakeupId())
	}
}

// subscribe follows the events on one replica.
func (r *rig) subscribe(listen string) *subscriber {
	r.t.Helper()
	c, err := client.New("http://"+listen, r.token)
	require.NoError(r.t, err)
	r.t.Cleanup(c.Close)
	s := &subscriber{client: c, begun: make(chan string, 1), more: make(chan struct{}, 1)}
	ctx, cancel := context.WithCancel(r.t.Context())
	var done sync.WaitGroup
	done.Go(func() { s.follow(ctx) })
	s.stop = func() { cancel(); done.Wait() }
	r.t.Cleanup(s.stop)
	return s
}

// all stops it when it has the last event, or never gets it: the check says
// what is missing.
func (s *subscriber) all(stored []*v1.Event) []*v1.Event {
	late := time.After(patience)
	for waits := len(stored) > 0; waits && !s.has(stored[len(stored)-1]); {
		select {
		case <-s.more:
		case <-late:
			waits = false
		}
	}
	s.stop()
	return s.seen
}

// settle waits until nothing is open. What a worker could not send is tried
// again only after minutes: a person does not wait for it.
func (r *rig) settle() {
	r.t.Helper()
	tick := time.NewTicker(10 * readyStep)
	defer tick.Stop()
	late := time.After(patience)
	for {
		open := call(r, func(ctx context.Context) (*v1.ListWakeupsResponse, error) {
			return r.admin.Recovery.ListWakeups(ctx, &v1.ListWakeupsRequest{PageSize: page, Statuses: []v1.WakeupStatus{
				v1.WakeupStatus_WAKEUP_STATUS_QUEUED, v1.WakeupStatus_WAKEUP_STATUS_RUNNING,
				v1.WakeupStatus_WAKEUP_STATUS_SCHEDULED_RETRY, v1.WakeupStatus_WAKEUP_STATUS_PARKED,
			}})
		}).GetWakeups()
		if len(open) == 0 {
			return
		}
		for _, w := range open {
			if due := w.GetDueAt(); due != nil && time.Until(due.AsTime()) > time.Minute {
				_, _ = r.admin.Recovery.RetryNow(r.t.Context(), &v1.RetryNowRequest{WakeupId: w.GetWakeupId(), ExpectedVersion: w.GetVersion()})
			}
		}
		select {
		case <-tick.C:
		case <-late:
			r.t.Fatalf("%d wakeups do not end, as %v", len(open), open[0])
		}
	}
}
