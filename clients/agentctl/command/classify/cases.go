package classify

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"time"

	"github.com/recourse-dev/recourse/catalogue"
	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence/corpus"
)

// Line is what --cases prints for each case. Every key is always there.
type Line struct {
	ID            string     `json:"id"`
	Code          string     `json:"code"`
	Class         string     `json:"class"`
	Confidence    string     `json:"confidence"`
	RuleID        string     `json:"rule_id"`
	RetryAfterS   *float64   `json:"retry_after_s"` // seconds, null if none was stated
	ResetAt       *time.Time `json:"reset_at"`      // UTC, null if none was stated
	AgentRetrying bool       `json:"agent_retrying"`
}

// batchSize is how many cases one worker takes at once.
const batchSize = 64

// maxCase bounds one line of the input in bytes.
const maxCase = 64 << 20

// batch is a run of lines and what came of them.
type batch struct {
	first int // number of its first line
	lines [][]byte
	out   bytes.Buffer
	bad   []string
	done  chan struct{}
}

// runCases classifies labelled failures with every core, and prints them in
// their order. A case that cannot be read is named on standard error and comes
// out unclassified, so that one bad line costs one case.
func (o *options) runCases(ctx context.Context, inv *cli.Invocation, args []string) error {
	if len(args) > 0 {
		return cli.Failf(cli.Usage, "--cases FILE takes no other file")
	}
	if o.server != "" {
		return cli.Failf(cli.Usage, "--cases works offline only")
	}
	in, closeInput, err := input(inv, []string{o.cases})
	if err != nil {
		return err
	}
	defer closeInput()
	classifier, err := catalogue.Embedded()
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	workers := runtime.GOMAXPROCS(0)
	work, order := make(chan *batch, workers), make(chan *batch, 4*workers)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for b := range work {
				b.run(classifier)
			}
		})
	}
	readErr := make(chan error, 1)
	go func() {
		defer close(order)
		defer close(work)
		readErr <- split(ctx, in, work, order)
	}()
	bad, err := drain(order, inv)
	stop()
	group.Wait()
	if err = errors.Join(err, <-readErr); err != nil {
		return err
	}
	if bad > 0 {
		return cli.Failf(cli.General, "%d cases could not be read", bad)
	}
	return nil
}

// split cuts the input into batches.
func split(ctx context.Context, in io.Reader, work, order chan<- *batch) error {
	scanner := bufio.NewScanner(in)
	scanner.Buffer(make([]byte, 0, 1<<20), maxCase)
	b := &batch{first: 1, done: make(chan struct{})}
	send := func() bool {
		if len(b.lines) == 0 {
			return true
		}
		for _, to := range []chan<- *batch{order, work} {
			select {
			case to <- b:
			case <-ctx.Done():
				return false
			}
		}
		return true
	}
	n := 0
	for scanner.Scan() {
		n++
		b.lines = append(b.lines, bytes.Clone(scanner.Bytes()))
		if len(b.lines) == batchSize {
			if !send() {
				return nil
			}
			b = &batch{first: n + 1, done: make(chan struct{})}
		}
	}
	send()
	return scanner.Err()
}

// drain prints the batches in their order and counts the bad cases.
func drain(order <-chan *batch, inv *cli.Invocation) (bad int, err error) {
	out := bufio.NewWriterSize(inv.Out, 256<<10)
	for b := range order {
		<-b.done
		for _, text := range b.bad {
			bad++
			fmt.Fprintf(inv.Err, "agentctl: %s\n", cli.Clean(text))
		}
		if _, err := out.Write(b.out.Bytes()); err != nil {
			return bad, err
		}
	}
	return bad, out.Flush()
}

func (b *batch) run(classifier *classification.Classifier) {
	defer close(b.done)
	encoder := json.NewEncoder(&b.out)
	encoder.SetEscapeHTML(false)
	for i, line := range b.lines {
		err := corpus.Read(bytes.NewReader(line), func(c corpus.Case) error {
			return encoder.Encode(lineOf(c.ID, classifier.Classify(c.Envelope(), classification.Options{})))
		})
		if err != nil {
			b.bad = append(b.bad, fmt.Sprintf("line %d: %v", b.first+i, err))
			_ = encoder.Encode(lineOf(idOf(line), classification.Result{
				Code: classification.Unclassified, Class: classification.ClassUnclassified, Confidence: classification.Low,
			})) // a buffer takes everything
		}
	}
}

func lineOf(id string, r classification.Result) Line {
	line := Line{
		ID: id, Code: string(r.Code), Class: string(r.Class), Confidence: string(r.Confidence),
		RuleID: r.RuleID, AgentRetrying: r.AgentRetrying,
	}
	after, at, stated := hint(r)
	if stated {
		seconds := after.Seconds()
		line.RetryAfterS, line.ResetAt = &seconds, &at
	}
	return line
}

// hint gives a stated time both ways: as a wait from when it was said, and as
// an instant. What was stated goes before what follows from it.
func hint(r classification.Result) (after time.Duration, at time.Time, stated bool) {
	after, at = r.RetryAfter, r.HintAt().UTC()
	if !r.RetryAfterSet && !r.ResetAt.IsZero() {
		after = max(r.ResetAt.Sub(r.OccurredAt), 0)
	}
	return after, at, r.RetryAfterSet || !r.ResetAt.IsZero()
}

// idOf finds the id of a case that cannot be read otherwise.
func idOf(line []byte) string {
	var c struct {
		ID any `json:"id"`
	}
	if json.Unmarshal(line, &c) != nil || c.ID == nil {
		return ""
	}
	return fmt.Sprint(c.ID)
}
