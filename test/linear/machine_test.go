package linear

import (
	"fmt"

	"github.com/anishathalye/porcupine"

	"github.com/recourse-dev/recourse/core/fault"
)

// call is one call of one client about one wakeup.
type call struct {
	op     string // claim, send, deliver, succeed, fail, cancel, retryNow, get
	wakeup string
	run    string // of a claim's answer, or that the call names
}

// answer is what the client was told.
type answer struct {
	lost   bool // nothing: it may have been done, or may yet be
	reason fault.Reason
	early  bool   // a claim came before the wakeup was due
	run    string // that a claim made
	status string // that a get showed
}

// row is the wakeup as one machine would keep it.
type row struct {
	status  string // queued, waiting, running, completed, failed, cancelled
	run     string // the newest
	state   string // of the newest: claimed, sending, delivered, settled
	retries int
}

// budget is the number of retries of the interactive policy.
const budget = 5

// done is the row after the call, if one machine would have taken it.
func (r row) done(c call, run string) (row, bool) {
	open := r.status == "queued" || r.status == "waiting"
	mine := r.status == "running" && r.run == c.run
	switch c.op {
	case "claim":
		return row{"running", run, "claimed", r.retries}, open
	case "send":
		return row{"running", r.run, "sending", r.retries}, mine && r.state == "claimed"
	case "deliver":
		return row{"running", r.run, "delivered", r.retries}, mine && (r.state == "sending" || r.state == "delivered")
	case "succeed":
		return row{"completed", r.run, "settled", r.retries}, mine && r.state != "claimed"
	case "fail":
		if r.retries == budget {
			return row{"failed", r.run, "settled", r.retries}, mine
		}
		return row{"waiting", r.run, "settled", r.retries + 1}, mine
	case "cancel":
		return row{"cancelled", r.run, r.state, r.retries}, open
	case "retryNow":
		return row{"queued", r.run, r.state, r.retries}, open
	}
	return r, true
}

// steps are the rows that the call and its answer allow.
func (r row) steps(id int, c call, a answer) []row {
	run := a.run
	if run == "" {
		run = fmt.Sprintf("unknown-%d", id) // nobody has its token: it stays as it is
	}
	after, taken := r.done(c, run)
	switch {
	case a.lost && taken:
		return []row{r, after}
	case a.lost:
		return []row{r}
	case a.early:
		return only(r, r.status == "waiting")
	case c.op == "get":
		return only(r, a.status == r.status)
	case a.reason == "":
		return only(after, taken)
	case c.op == "claim" && r.status == "waiting":
		return nil // it is either due or early, never refused
	}
	return only(r, !taken)
}

func only(r row, possible bool) []row {
	if possible {
		return []row{r}
	}
	return nil
}

// input numbers calls, so that a run that nobody heard of has a name.
type input struct {
	id int
	call
}

var machine = porcupine.NondeterministicModel{
	Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
		parts := map[string][]porcupine.Operation{}
		for _, o := range history {
			id := o.Input.(input).wakeup
			parts[id] = append(parts[id], o)
		}
		out := make([][]porcupine.Operation, 0, len(parts))
		for _, p := range parts {
			out = append(out, p)
		}
		return out
	},
	Init: func() []interface{} { return []interface{}{row{status: "queued"}} },
	Step: func(state, in, out interface{}) []interface{} {
		i := in.(input)
		var next []interface{}
		for _, r := range state.(row).steps(i.id, i.call, out.(answer)) {
			next = append(next, r)
		}
		return next
	},
	DescribeOperation: func(in, out interface{}) string { return fmt.Sprintf("%+v: %+v", in, out) },
	DescribeState:     func(state interface{}) string { return fmt.Sprintf("%+v", state) },
}
