package classify

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence/corpus"
)

// batch is a run of lines and what came of them.
type batch struct {
	first int    // number of its first line
	text  []byte // the lines
	lines int
	long  map[int]bool // lines of which not everything was read
	out   bytes.Buffer
	bad   []string
	err   error         // of the server: nothing more can be named
	done  chan struct{} // closed when all of it is there
	give  func()        // closes done
}

func newBatch(first int) *batch {
	b := &batch{first: first, done: make(chan struct{})}
	b.give = sync.OnceFunc(func() { close(b.done) })
	return b
}

// read takes one line. Of one that is longer than maxCase it keeps the
// beginning, where its id is.
func (b *batch) read(in *bufio.Reader) error {
	start := len(b.text)
	for {
		part, err := in.ReadSlice('\n')
		if room := maxCase - (len(b.text) - start); len(part) > room {
			part = part[:room]
			if b.long == nil {
				b.long = map[int]bool{}
			}
			b.long[b.lines] = true
		}
		b.text = append(b.text, part...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if len(b.text) > start {
			if b.text[len(b.text)-1] != '\n' {
				b.text = append(b.text, '\n')
			}
			b.lines++
		}
		return err
	}
}

// run names the failures of the batch.
func (b *batch) run(ctx context.Context, name namer) {
	defer b.give()
	encoder := json.NewEncoder(&b.out)
	encoder.SetEscapeHTML(false)
	cases, ok := b.whole()
	if ok {
		b.err = b.encode(ctx, encoder, cases, name)
		return
	}
	n := 0
	for line := range bytes.Lines(b.text) {
		one, err := parse(line)
		if b.long[n] {
			err = fmt.Errorf("longer than %d bytes", maxCase)
		}
		if err != nil {
			b.bad = append(b.bad, fmt.Sprintf("line %d: %v", b.first+n, err))
			_ = encoder.Encode(lineOf(idOf(line), unread)) // a buffer takes everything
		} else if b.err = b.encode(ctx, encoder, one, name); b.err != nil {
			return
		}
		n++
	}
}

var unread = classification.Result{
	Code: classification.Unclassified, Class: classification.ClassUnclassified, Confidence: classification.Low,
}

// whole reads every case at once; false if one of them cannot be read.
func (b *batch) whole() ([]corpus.Case, bool) {
	if len(b.long) > 0 {
		return nil, false
	}
	cases, err := parse(b.text)
	return cases, err == nil
}

func parse(text []byte) (cases []corpus.Case, err error) {
	err = corpus.Read(bytes.NewReader(text), func(c corpus.Case) error {
		cases = append(cases, c)
		return nil
	})
	// Its line number counts from the wrong place.
	if inner := errors.Unwrap(err); inner != nil {
		err = inner
	}
	return cases, err
}

func (b *batch) encode(ctx context.Context, to *json.Encoder, cases []corpus.Case, name namer) error {
	results, err := name(ctx, cases)
	if err != nil {
		return err
	}
	for i, r := range results {
		if err := to.Encode(lineOf(cases[i].ID, r)); err != nil {
			return err
		}
	}
	return nil
}
