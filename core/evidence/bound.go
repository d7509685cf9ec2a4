package evidence

import "strings"

// headSignals are kept from the front of a long list, the rest from its end.
const headSignals = 8

// Limits of what hangs on a signal beside its texts.
const (
	maxHeaders     = 24
	maxHeaderName  = 64  // bytes
	maxHeaderValue = 256 // bytes
	maxLabelBytes  = 64  // of an event, an exit signal or the name of who ended the process
	// minShare is what a text keeps of an envelope that is too large, whatever
	// its rank. With the limits above it keeps any envelope below MaxEnvelopeBytes.
	minShare = 128
)

// Bound cuts the envelope to the limits of the contract, in place. The list of
// signals is replaced, never written to.
func (e *Envelope) Bound() { *e = Bounded(*e) }

// Bounded returns e normalised and cut to the limits of the contract: at most MaxSignals
// signals, MaxTextBytes a text, MaxEnvelopeBytes altogether. The last error,
// result and exit are never dropped, and lose their text last. It shares
// nothing with e that it changes, and is idempotent.
func Bounded(e Envelope) Envelope {
	kept, dropped := Trim(e.Signals)
	e.DroppedSignals += dropped
	out := make([]Signal, len(kept))
	for i, s := range kept {
		out[i] = boundSignal(normalSignal(s), MaxTextBytes)
	}
	e.Signals = shrink(out)
	return e
}

// Trim drops signals from the middle until at most MaxSignals are left: the
// first 8 and the last 56 stay, and so do the last error, the last result and
// the last exit. It returns the count of those dropped. signals is not changed.
func Trim(signals []Signal) ([]Signal, int) {
	excess := len(signals) - MaxSignals
	if excess <= 0 {
		return signals, 0
	}
	pinned := pins(signals)
	kept := make([]Signal, 0, MaxSignals)
	for i, s := range signals {
		if excess > 0 && i >= headSignals && !pinned[i] {
			excess--
			continue
		}
		kept = append(kept, s)
	}
	return kept, len(signals) - len(kept)
}

// pins returns the indexes of the last error, the last result and the last exit.
func pins(signals []Signal) map[int]bool {
	last := map[string]int{}
	for i, s := range signals {
		if group := pinGroup(s); group != "" {
			last[group] = i
		}
	}
	pinned := make(map[int]bool, len(last))
	for _, i := range last {
		pinned[i] = true
	}
	return pinned
}

// pinGroup names the groups of which the last one is never dropped.
func pinGroup(s Signal) string {
	if s.Foreign {
		return ""
	}
	switch s.Kind {
	case KindProcessExit:
		return "exit"
	case KindACPResult:
		return "result"
	case KindResultEvent:
		if s.Prose || s.InFlight {
			return ""
		}
		return "result_event"
	case KindACPError, KindHTTP:
		return "error"
	case KindACPUpdate, KindStderr, KindStdout:
		return ""
	}
	return ""
}

// normalSignal makes every text of s fit for matching and for redaction, which
// both see nothing in a text that is broken up by what does not print.
func normalSignal(s Signal) Signal {
	s.CutBytes += max(0, len(s.Text)-maxInputBytes) + max(0, len(s.Data)-maxInputBytes)
	s.Text, s.Data, s.Event = Normalise(s.Text), Normalise(s.Data), Normalise(s.Event)
	s.ExitSignal, s.EndedBy = Normalise(s.ExitSignal), Normalise(s.EndedBy)
	s.Headers = normalHeaders(s.Headers)
	return s
}

// boundSignal cuts every text of s to limit bytes.
func boundSignal(s Signal, limit int) Signal {
	var cut int
	s.Text, cut = Cut(s.Text, limit)
	s.CutBytes += cut
	s.Data, cut = Cut(s.Data, limit)
	s.CutBytes += cut
	s.Event, s.ExitSignal, s.EndedBy = boundLabel(s.Event), boundLabel(s.ExitSignal), boundLabel(s.EndedBy)
	s.Headers = boundHeaders(s.Headers)
	return s
}

// boundLabel keeps the head of a label that is too long, and of that what may
// stand in a name: the rest could be half of anything.
func boundLabel(label string) string {
	if len(label) <= maxLabelBytes {
		return label
	}
	label = headOf(label, maxLabelBytes)
	if i := strings.IndexAny(label, " \n\t\"'\\{}[]()=,;"); i >= 0 {
		return label[:i]
	}
	return label
}

// shrink cuts texts until all together fit MaxEnvelopeBytes: prose first, then
// the agent's own retries and foreign signals, then the rest, the pinned ones last.
func shrink(signals []Signal) []Signal {
	pinned := pins(signals)
	total := 0
	for _, s := range signals {
		total += weight(s)
	}
	for rank := 0; rank <= rankPinned && total > MaxEnvelopeBytes; rank++ {
		var members []int
		for i, s := range signals {
			if rankOf(s, pinned[i]) == rank {
				members = append(members, i)
			}
		}
		total = shrinkMembers(signals, members, rank, total)
	}
	return signals
}

// shrinkMembers cuts the texts of the signals at members to the largest length
// that makes everything fit, and returns the new total.
func shrinkMembers(signals []Signal, members []int, rank, total int) int {
	var lengths []int
	for _, i := range members {
		total -= weight(signals[i])
		if rank < rankPinned {
			signals[i].Headers = nil
		}
		fixed := weight(signals[i]) - len(signals[i].Text) - len(signals[i].Data)
		total += fixed
		lengths = append(lengths, len(signals[i].Text), len(signals[i].Data))
	}
	share := fairShare(lengths, MaxEnvelopeBytes-total)
	for _, i := range members {
		signals[i] = boundSignal(signals[i], share)
		total += len(signals[i].Text) + len(signals[i].Data)
	}
	return total
}

// fairShare returns the largest share for which the lengths, each cut to it,
// sum to at most room; at least minShare.
func fairShare(lengths []int, room int) int {
	low, high := minShare, MaxTextBytes
	for low < high {
		mid := (low + high + 1) / 2
		sum := 0
		for _, n := range lengths {
			sum += min(n, mid)
		}
		if sum <= room {
			low = mid
		} else {
			high = mid - 1
		}
	}
	return low
}

// The order in which signals lose text when the envelope is too large.
const (
	rankProse = iota
	rankAside
	rankPlain
	rankPinned
)

// rankOf orders signals by what is lost when their text is cut.
func rankOf(s Signal, pinned bool) int {
	switch {
	case pinned:
		return rankPinned
	case s.Prose:
		return rankProse
	case s.InFlight || s.Foreign:
		return rankAside
	}
	return rankPlain
}

// weight is the count of bytes that s adds to its envelope.
func weight(s Signal) int {
	n := len(s.Text) + len(s.Data) + len(s.Event) + len(s.ExitSignal) + len(s.EndedBy)
	for k, v := range s.Headers {
		n += len(k) + len(v)
	}
	return n
}
