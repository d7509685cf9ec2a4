package crash

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	client "github.com/recourse-dev/recourse/clients/go"
	"github.com/recourse-dev/recourse/core/fault"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// workerVariable makes this program a worker instead of a test, so that a test
// can kill one: a JSON workOrder.
const workerVariable = "TEST_CRASH_WORKER"

// workOrder is one wakeup to be worked on.
type workOrder struct {
	Server, Token, Wakeup, Supervisor, Ledger string
	UntilFailed                               bool // stop after the first failure was acknowledged
}

// entry is one line of the ledger: what a worker did, or was told, kept outside
// of everything that is killed.
type entry struct {
	Kind   string `json:"kind"` // delivered: the agent has it; else the call that was acknowledged
	Wakeup string `json:"wakeup"`
	Run    string `json:"run"`
	Send   string `json:"send"`
}

// write is one line, durable before it returns.
func (o workOrder) write(e entry) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(o.Ledger, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	if _, err := f.Write(append(line, '\n')); err != nil {
		return err
	}
	return f.Sync()
}

func readLedger(path, wakeupID string) ([]entry, error) {
	f, err := os.Open(path)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	var out []entry
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var e entry
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return nil, err
		}
		if e.Wakeup == wakeupID {
			out = append(out, e)
		}
	}
	return out, nil
}

func deliveries(entries []entry) (out []entry) {
	for _, e := range entries {
		if e.Kind == "delivered" {
			out = append(out, e)
		}
	}
	return out
}

// worker works on one wakeup as clients/go/worker does on many: it repeats a
// call whose answer was lost, and obeys a refusal.
type worker struct {
	workOrder
	rpc *client.Client
}

// asWorker is the program as a worker.
func asWorker(order string) int {
	var o workOrder
	if err := json.Unmarshal([]byte(order), &o); err != nil {
		return 2
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if _, err := o.work(ctx); err != nil {
		return 1
	}
	return 0
}

// named tells the gate whose call it is.
type named struct {
	wakeup string
	inner  http.RoundTripper
}

func (n named) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set(wakeupHeader, n.wakeup)
	return n.inner.RoundTrip(r)
}

// work returns what stopped it: completed, failed, or a refusal of the claim.
func (o workOrder) work(ctx context.Context) (string, error) {
	way := &http.Transport{}
	defer way.CloseIdleConnections()
	c, err := client.New(o.Server, o.Token, client.WithHTTPClient(&http.Client{Transport: named{o.Wakeup, way}}))
	if err != nil {
		return "", err
	}
	defer c.Close()
	w := &worker{o, c}
	for ctx.Err() == nil {
		claim, err := w.claim(ctx)
		if err != nil {
			return string(fault.From(err).Reason), nil
		}
		if claim == nil {
			continue // not due yet
		}
		ended, err := w.run(ctx, claim)
		if ended != "" || err != nil {
			return ended, err
		}
	}
	return "", ctx.Err()
}

// call repeats one call through an outage; told says whether an earlier try may
// have been heard.
func call[T any](ctx context.Context, ask func(context.Context) (T, error)) (answer T, repeated bool, err error) {
	for {
		answer, err = ask(ctx)
		f := fault.From(err)
		if err == nil || ctx.Err() != nil || f.Kind != fault.Unavailable && f.Kind != fault.DeadlineExceeded && f.Kind != fault.Canceled && f.Reason != fault.ReasonConflict {
			return answer, repeated, err
		}
		repeated = true
		pause(ctx, 20*time.Millisecond)
	}
}

func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

func (w *worker) claim(ctx context.Context) (*recoursev1.Claim, error) {
	answer, _, err := call(ctx, func(ctx context.Context) (*recoursev1.ClaimWakeupsResponse, error) {
		return w.rpc.Recovery.ClaimWakeups(ctx, &recoursev1.ClaimWakeupsRequest{
			WakeupIds: []string{w.Wakeup}, TakeOver: true, Wait: durationpb.New(2 * time.Second),
			Supervisor: &recoursev1.Supervisor{SupervisorId: w.Supervisor, HostId: "host"},
		})
	})
	if err != nil || len(answer.GetClaims()) == 0 {
		return nil, err
	}
	return answer.GetClaims()[0], nil
}

// run takes a claim to its end; ended is "" where the wakeup goes on.
func (w *worker) run(ctx context.Context, c *recoursev1.Claim) (ended string, err error) {
	run, token := c.GetRun().GetRunId(), c.GetLeaseToken()
	_, repeated, err := call(ctx, func(ctx context.Context) (*recoursev1.BeginSendResponse, error) {
		return w.rpc.Recovery.BeginSend(ctx, &recoursev1.BeginSendRequest{RunId: run, LeaseToken: token})
	})
	// Only this worker has the token: "already granted" then means to it.
	if err != nil && (!repeated || fault.From(err).Reason != fault.ReasonStaleVersion) {
		return "", ctx.Err()
	}
	earlier, err := readLedger(w.Ledger, w.Wakeup)
	if err != nil {
		return "", err
	}
	line := entry{Kind: "delivered", Wakeup: w.Wakeup, Run: run, Send: strings.TrimPrefix(c.GetRun().GetSend().String(), "SEND_KIND_")}
	if err := w.write(line); err != nil {
		return "", err
	}
	_, _, err = call(ctx, func(ctx context.Context) (*recoursev1.MarkDeliveredResponse, error) {
		return w.rpc.Recovery.MarkDelivered(ctx, &recoursev1.MarkDeliveredRequest{RunId: run, LeaseToken: token})
	})
	if err == nil {
		line.Kind = "MarkDelivered"
		if err := w.write(line); err != nil {
			return "", err
		}
	}
	return w.report(ctx, c, line, len(deliveries(earlier)) == 0)
}

// report tells of a failure without effects for the first delivery, and of a
// success for the next.
func (w *worker) report(ctx context.Context, c *recoursev1.Claim, line entry, fails bool) (ended string, err error) {
	line.Kind = "ReportSuccess"
	if fails {
		line.Kind = "ReportFailure"
		_, _, err = call(ctx, func(ctx context.Context) (*recoursev1.ReportFailureResponse, error) {
			return w.rpc.Recovery.ReportFailure(ctx, overload(c, "fail-"+line.Run))
		})
	} else {
		_, _, err = call(ctx, func(ctx context.Context) (*recoursev1.ReportSuccessResponse, error) {
			return w.rpc.Recovery.ReportSuccess(ctx, &recoursev1.ReportSuccessRequest{RunId: line.Run, LeaseToken: c.GetLeaseToken(), RequestId: "ok-" + line.Run})
		})
	}
	if err != nil {
		return string(fault.From(err).Reason), ctx.Err()
	}
	if err := w.write(line); err != nil {
		return "", err
	}
	switch {
	case !fails:
		return "completed", nil
	case w.UntilFailed:
		return "failed", nil
	}
	return "", nil
}
