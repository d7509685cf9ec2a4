package events

import (
	"context"
	"slices"
	"time"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/work"
)

// Watch sends every event after the cursor once and in order, and a sign of
// life at the start and at each heartbeat, until ctx ends or send fails. It
// fails with CURSOR_EXPIRED, STREAM_TOO_SLOW and SHUTTING_DOWN; after the last
// two a reader goes on with its last cursor.
func (s *Stream) Watch(ctx context.Context, in work.WatchEvents, send func(work.Watched) error) error {
	w := watcher{stream: s, in: in, send: send}
	if err := w.begin(ctx); err != nil {
		return err
	}
	defer func() { w.leave() }()
	if err := w.heartbeat(); err != nil {
		return err
	}
	ticker := time.NewTicker(s.cfg.Heartbeat)
	defer ticker.Stop()
	for {
		if err := w.drain(ctx); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return fault.Wrap(ctx.Err(), fault.Canceled, fault.ReasonCanceled, "the caller went away")
		case <-s.closed:
			return fault.New(fault.Unavailable, fault.ReasonShuttingDown, "the server is stopping").With("cursor", cursorAt(w.at)).After(time.Second)
		case <-w.reader.news:
		case <-ticker.C:
			if err := w.heartbeat(); err != nil {
				return err
			}
		}
	}
}

// watcher is one stream.
type watcher struct {
	stream *Stream
	in     work.WatchEvents
	send   func(work.Watched) error
	reader *reader
	leave  func()
	at     int64 // everything up to here has been sent
	from   int64 // everything after it comes through the reader
}

func (w *watcher) begin(ctx context.Context) error {
	if err := w.join(ctx); err != nil {
		return err
	}
	w.at = w.from
	if w.in.Cursor == "" {
		return nil
	}
	err := w.resume(ctx)
	if err != nil {
		w.leave()
	}
	return err
}

func (w *watcher) resume(ctx context.Context) error {
	at, err := readCursor(w.in.Cursor)
	if err != nil {
		return err
	}
	head, err := w.stream.store.EventHead(ctx, w.in.WorkspaceID)
	if err != nil {
		return err
	}
	w.at = at
	return check(at, head)
}

func (w *watcher) join(ctx context.Context) (err error) {
	w.reader, w.from, w.leave, err = w.stream.join(ctx, w.in.WorkspaceID)
	return err
}

// drain sends all there is: first from the tables, up to where the reader
// begins, then from the reader.
func (w *watcher) drain(ctx context.Context) error {
	for {
		caughtUp := w.at < w.from
		if err := w.catchUp(ctx); err != nil {
			return err
		}
		events, overflow := w.reader.take()
		if !overflow {
			return w.sendAll(events)
		}
		if !caughtUp {
			return fault.New(fault.ResourceExhausted, fault.ReasonStreamTooSlow, "the reader fell behind: watch again from the cursor").
				With("cursor", cursorAt(w.at))
		}
		// The buffer was too small for what happened during a long catch-up;
		// that is not the reader's doing.
		w.leave()
		if err := w.join(ctx); err != nil {
			w.leave = func() {}
			return err
		}
	}
}

func (w *watcher) catchUp(ctx context.Context) error {
	for w.at < w.from {
		batch, err := w.stream.store.ReadEvents(ctx, w.in.WorkspaceID, w.at, readBatch)
		if err != nil {
			return err
		}
		if len(batch) == 0 || batch[0].Seq != w.at+1 {
			return w.gone(ctx)
		}
		if err := w.sendAll(batch); err != nil {
			return err
		}
	}
	return nil
}

// gone is for events that were pruned while the reader was on its way to them.
func (w *watcher) gone(ctx context.Context) error {
	head, err := w.stream.store.EventHead(ctx, w.in.WorkspaceID)
	if err != nil {
		return err
	}
	return expired(head)
}

func (w *watcher) sendAll(events []work.Event) error {
	for i := range events {
		e := &events[i]
		if e.Seq <= w.at {
			continue
		}
		w.at = e.Seq
		if len(w.in.Types) > 0 && !slices.Contains(w.in.Types, e.Type) {
			continue
		}
		if err := w.send(work.Watched{Event: e, Cursor: cursorAt(e.Seq)}); err != nil {
			return err
		}
	}
	return nil
}

func (w *watcher) heartbeat() error {
	return w.send(work.Watched{Cursor: cursorAt(w.at), ServerTime: w.stream.cfg.Now().UTC()})
}
