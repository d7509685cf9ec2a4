package classify

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/connection"
	"github.com/recourse-dev/recourse/clients/agentctl/rulebook"
)

// Bounds of what is in memory at once.
const (
	batchLines = 64        // lines that one worker takes at once
	batchBytes = 512 << 10 // bytes of them, unless one line is longer
	maxCase    = 32 << 20  // bytes of one line; more of it is not read
)

// serverCalls is how many calls are under way at once with a server.
const serverCalls = 4

// runCases classifies labelled failures with every core, and prints them in
// their order. A case that cannot be read is named on standard error and comes
// out unclassified, so that one bad line costs one case.
func (o *options) runCases(ctx context.Context, inv *cli.Invocation, flags connection.Flags, args []string) error {
	switch {
	case len(args) > 0:
		return cli.Failf(cli.Usage, "--cases FILE takes no other file")
	case o.explain:
		return cli.Failf(cli.Usage, "--explain is for one failure, not for --cases")
	}
	in, closeInput, err := rulebook.Open(inv, o.cases)
	if err != nil {
		return err
	}
	defer closeInput()
	name, workers := namer(nil), runtime.GOMAXPROCS(0)
	if o.rules.Remote() {
		api, err := o.rules.API(inv, flags)
		if err != nil {
			return err
		}
		defer api.Close()
		name, workers = byServer(api), serverCalls
	} else {
		rules, err := o.rules.Catalogue(inv)
		if err != nil {
			return err
		}
		name = byRules(rules.Classifier)
	}
	bad, err := stream(ctx, in, inv, name, workers)
	if err != nil {
		return err
	}
	if bad > 0 {
		return cli.Failf(cli.General, "%d cases could not be read", bad)
	}
	return nil
}

// stream carries the lines through the workers and counts the bad ones.
func stream(ctx context.Context, in io.Reader, inv *cli.Invocation, name namer, workers int) (bad int, err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	work, order := make(chan *batch, workers), make(chan *batch, 2*workers)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for b := range work {
				b.run(ctx, name)
			}
		})
	}
	readErr := make(chan error, 1)
	go func() {
		defer close(order)
		defer close(work)
		readErr <- split(ctx, in, work, order)
	}()
	bad, err = drain(order, inv)
	stop()
	for b := range order { // what was begun when printing failed
		<-b.done
	}
	group.Wait()
	return bad, errors.Join(err, <-readErr)
}

// split cuts the input into batches.
func split(ctx context.Context, in io.Reader, work, order chan<- *batch) error {
	reader := bufio.NewReaderSize(in, 256<<10)
	b := newBatch(1)
	for number := 1; ; number++ {
		err := b.read(reader)
		if b.lines >= batchLines || len(b.text) >= batchBytes || err != nil && b.lines > 0 {
			for _, to := range []chan<- *batch{order, work} {
				select {
				case to <- b:
				case <-ctx.Done():
					b.give()
					return nil
				}
			}
			b = newBatch(number + 1)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
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
		if b.err != nil {
			return bad, errors.Join(b.err, out.Flush())
		}
	}
	return bad, out.Flush()
}
