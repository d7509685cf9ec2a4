package classification

import (
	"time"

	"github.com/recourse-dev/recourse/core/classification/hint"
	"github.com/recourse-dev/recourse/core/evidence"
)

// statedTimes lists the times that the loaded signal states, the one that counts
// most first: its fields by rank, its text from the end, then its headers.
func (v *view) statedTimes(c *Classifier, e *evidence.Envelope) []hint.Stated {
	if v.timed {
		return v.times
	}
	v.timed = true
	ctx := hint.Context{Now: e.ObservedAt, HostZone: e.HostZone, Zones: c.zones}
	v.fieldTimes(ctx, false)
	for i := len(v.anchors) - 1; i >= 0; i-- {
		a := v.anchors[i]
		if s, ok := hint.Text(v.folded.B, int(a.end), c.anchors[a.anchor], ctx); ok {
			s.Source = v.printed(s)
			v.times = append(v.times, s)
		}
	}
	v.fieldTimes(ctx, true)
	return v.times
}

func (v *view) fieldTimes(ctx hint.Context, header bool) {
	for rank := 9; rank > 0; rank-- {
		for i := len(v.stated) - 1; i >= 0; i-- {
			f := v.stated[i]
			if f.header != header || hint.Rank(f.name) != rank {
				continue
			}
			if s, ok := hint.Field(f.name, f.value, ctx); ok {
				s.Source = source(f)
				v.times = append(v.times, s)
			}
		}
	}
}

// printed gives the words of a stated time as they were printed.
func (v *view) printed(s hint.Stated) string {
	words := v.folded.Printed(v.signal.Text, 0, s.From, s.To)
	if words == "" {
		words = v.folded.Printed(v.signal.Data, len(v.signal.Text), s.From, s.To)
	}
	if words != "" {
		return hint.Quote(evidence.Redact(clean(words)))
	}
	return s.Source
}

// source gives a field as it was written. It is redacted before it is made one
// bounded line: half of an address hides nothing any more.
func source(f fieldHint) string {
	words := f.key + " " + f.value[:min(len(f.value), maxSourceValue)]
	if f.header {
		words = "header " + words
	}
	return hint.Quote(evidence.Redact(clean(words)))
}

const maxSourceValue = 512

// wait is the first acceptable wait that the loaded signal states, 0 if none.
func (v *view) wait(c *Classifier, e *evidence.Envelope) time.Duration {
	for _, s := range v.statedTimes(c, e) {
		if s.Check(hint.MaxQuotaWait) == "" {
			return s.After
		}
	}
	return 0
}

// ownTimer is the wait of the agent's own retry that the loaded signal states.
func (v *view) ownTimer(c *Classifier, e *evidence.Envelope) time.Duration {
	for _, s := range v.statedTimes(c, e) {
		if s.Reason == hint.OwnTimer && s.After > 0 {
			return s.After
		}
	}
	return 0
}
