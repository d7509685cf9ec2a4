package fleet

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

// report prints how many died where, how it ended, and how soon a run followed
// on one whose claim died with its server.
func report(t *testing.T, f facts, strikes []*strike, streams []int) {
	t.Helper()
	deaths := map[string]map[string]int{}
	for _, s := range strikes {
		if deaths[s.name] == nil {
			deaths[s.name] = map[string]int{}
		}
		deaths[s.name][s.victim]++
	}
	for _, p := range points {
		t.Logf("%-31s %d deaths of a server, %d of a worker", p.name, deaths[p.name][aServer], deaths[p.name][aWorker])
	}
	ends, times := map[string]int{}, 0
	unsent := 0
	for id, w := range f.wakeups {
		ends[statusWords[w.GetStatus()]]++
		if w.GetStatus() == failed && f.notSent(id) {
			unsent++
		}
		times += len(deliveries(f.ledger[id]))
	}
	t.Logf("%d wakeups ended as %v after %d deliveries; a person is asked of %d that were not sent; %d events through %v streams", len(f.wakeups), ends, times, unsent, len(f.stored), streams)
	for _, at := range points[:2] {
		late, ended := f.redispatch(strikes, at.name)
		if len(ended) > 0 {
			t.Logf("the lease of the lost claim ended after p50 %s, most %s", ended[len(ended)/2].Round(time.Millisecond), ended[len(ended)-1].Round(time.Millisecond))
		}
		if len(late) > 0 {
			t.Logf("claimed again after a server died at %q: p50 %s, p95 %s, most %s (lease %s)", at.name,
				late[len(late)/2].Round(time.Millisecond), late[len(late)*95/100].Round(time.Millisecond), late[len(late)-1].Round(time.Millisecond), lease)
		}
	}
}

// redispatch is how long after each death of a server at a point the wakeup
// was claimed again, and after which the lease of its lost run ended; sorted.
func (f facts) redispatch(strikes []*strike, at string) (late, ended []time.Duration) {
	for _, s := range strikes {
		if s.victim != aServer || s.name != at {
			continue
		}
		for _, run := range f.runs[s.at.wakeup] {
			if run.GetRunId() == s.at.run {
				ended = append(ended, run.GetSettledAt().AsTime().Sub(s.time))
			}
			if claimed := run.GetClaimedAt().AsTime(); claimed.After(s.time) && run.GetRunId() != s.at.run {
				late = append(late, claimed.Sub(s.time))
				break
			}
		}
	}
	slices.Sort(late)
	slices.Sort(ended)
	return late, ended
}

// clone copies what a plant changes.
func (f facts) clone() facts {
	f.ledger, f.wakeups, f.asked, f.runs = maps.Clone(f.ledger), maps.Clone(f.wakeups), maps.Clone(f.asked), maps.Clone(f.runs)
	f.seen = slices.Clone(f.seen)
	return f
}

// explain prints what is known of the wakeups that complaints are about.
func explain(t *testing.T, f facts, wrong []string) {
	t.Helper()
	told := map[string]bool{}
	for _, complaint := range wrong {
		id, _, _ := strings.Cut(complaint, ": ")
		if w := f.wakeups[id]; w != nil && !told[id] && len(told) < 5 {
			told[id] = true
			t.Logf("%v\nledger: %v", w, f.ledger[id])
			for _, run := range f.runs[id] {
				t.Logf("run: %v", run)
			}
		}
	}
}
