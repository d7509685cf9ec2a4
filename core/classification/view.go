package classification

import (
	"slices"

	"github.com/recourse-dev/recourse/core/classification/hint"
	"github.com/recourse-dev/recourse/core/classification/scan"
	"github.com/recourse-dev/recourse/core/evidence"
)

// Bounds of what one signal may cost, whatever it holds.
const (
	hitBlock     = 512       // a literal is noted at most twice in so many bytes
	maxAnchors   = 64        // stated times looked at
	maxFieldHint = 16        // fields with stated times looked at
	maxStatuses  = 16        // statuses noted
	regexpBudget = 256 << 10 // bytes that expressions may read for one envelope
)

// view is one signal as rules see it. It is reused from signal to signal and
// from call to call; nothing of it outlives a call.
type view struct {
	signal   evidence.Signal
	channel  uint32
	folded   scan.Folded
	head     []int32 // literal → 1 + index of its last hit
	hits     []hit
	touched  []int32
	atoms    []bool
	set      []int32 // atoms that are true
	statuses []int
	anchors  []anchorHit
	stated   []fieldHint
	queued   []bool
	queue    []int32 // rules that may match
	times    []hint.Stated
	timed    bool // times is filled in

	seen     []bool // rules that matched this envelope
	budget   int
	nameBuf  [2][]byte
	keys     []string
	trusting bool
}

type hit struct {
	start, end int32
	next       int32 // 1 + index of the one before
}

type anchorHit struct{ anchor, end int32 }

type fieldHint struct {
	name, key, value string // name is the key as names are compared
	header           bool
}

func newView(literals, rules, atoms int) *view {
	return &view{
		head: make([]int32, literals), atoms: make([]bool, atoms),
		queued: make([]bool, rules), seen: make([]bool, rules),
		nameBuf: [2][]byte{make([]byte, 0, 64), make([]byte, 0, 128)},
	}
}

// maxKept is the largest buffer that is kept for the next envelope, in bytes.
const maxKept = 256 << 10

// release lets go of the envelope and reports whether the view is worth keeping.
func (v *view) release() bool {
	v.signal, v.keys = evidence.Signal{}, v.keys[:0]
	clear(v.stated[:cap(v.stated)])
	clear(v.times[:cap(v.times)])
	return cap(v.folded.B) <= maxKept && cap(v.hits) <= maxKept/16
}

// begin prepares for a new envelope.
func (v *view) begin() {
	clear(v.seen)
	v.budget = regexpBudget
}

// load reads a signal. Of prose that nothing vouches for, fields are read from
// the structured part around the text only.
func (v *view) load(c *Classifier, s evidence.Signal, trusted bool) {
	v.reset()
	v.signal, v.channel, v.trusting = s, channelBit(s.Kind), trusted
	v.foldTexts(s)
	c.literals.Find(v.folded.B, func(h scan.Hit) bool { v.note(c, h); return true })
	if trusted {
		v.textStatuses(c)
		v.pairs(c, s.Text)
	}
	v.pairs(c, s.Data)
	v.addStatus(c, s.Status)
	v.ownFields(c, s)
	for _, r := range c.always {
		v.enqueue(r)
	}
}

func (v *view) foldTexts(s evidence.Signal) {
	v.folded.Reset()
	v.folded.Append(s.Text, 0)
	if s.Data != "" && (s.Text == "" || s.Kind == evidence.KindACPError) {
		v.folded.Append(s.Data, len(s.Text))
	}
}

func (v *view) reset() {
	for _, id := range v.touched {
		v.head[id] = 0
	}
	for _, id := range v.set {
		v.atoms[id] = false
	}
	for _, id := range v.queue {
		v.queued[id] = false
	}
	v.folded.Reset()
	v.touched, v.set, v.queue, v.hits = v.touched[:0], v.set[:0], v.queue[:0], v.hits[:0]
	v.statuses, v.anchors, v.stated, v.times, v.timed = v.statuses[:0], v.anchors[:0], v.stated[:0], v.times[:0], false
}

// note records a literal if it stands as it must.
func (v *view) note(c *Classifier, h scan.Hit) {
	b := v.folded.B
	for _, id := range c.variants[h.Literal] {
		info := &c.literal[id]
		start := h.End - info.size
		if !info.openLeft && start > 0 && isWordByte(b[start-1]) || !info.openRight && int(h.End) < len(b) && isWordByte(b[h.End]) {
			continue
		}
		if int(id) < len(c.anchorOf) && c.anchorOf[id] != 0 {
			v.noteAnchor(c.anchorOf[id]-1, h.End)
			continue
		}
		last := v.head[id]
		if last != 0 && v.full(v.hits[last-1], start) {
			v.hits[last-1].start, v.hits[last-1].end = start, h.End
			continue
		}
		if last == 0 {
			v.touched = append(v.touched, id)
		}
		v.hits = append(v.hits, hit{start, h.End, last})
		v.head[id] = int32(len(v.hits))
		for _, r := range info.triggers {
			v.enqueue(r)
		}
	}
}

// full reports whether the block of an offset has its two hits of one literal,
// the first and the latest; h is the latest.
func (v *view) full(h hit, start int32) bool {
	block := start / hitBlock
	return h.start/hitBlock == block && h.next != 0 && v.hits[h.next-1].start/hitBlock == block
}

// noteAnchor keeps the last anchors: the last stated time wins.
func (v *view) noteAnchor(anchor, end int32) {
	if len(v.anchors) == maxAnchors {
		copy(v.anchors, v.anchors[1:])
		v.anchors = v.anchors[:maxAnchors-1]
	}
	v.anchors = append(v.anchors, anchorHit{anchor, end})
}

func (v *view) enqueue(rule int32) {
	if !v.queued[rule] {
		v.queued[rule] = true
		v.queue = append(v.queue, rule)
	}
}

// textStatuses notes the statuses that the text states, but not those on lines
// about something else.
func (v *view) textStatuses(c *Classifier) {
	tries := 0
	scan.Statuses(v.folded.B, func(n, at int) {
		if tries == maxStatuses || slices.Contains(v.statuses, n) {
			return
		}
		tries++
		if !v.silenced(c, hit{start: int32(at), end: int32(at + 3)}) {
			v.addStatus(c, n)
		}
	})
}

func (v *view) addStatus(c *Classifier, n int) {
	if n < 100 || n > 599 || len(v.statuses) == maxStatuses {
		return
	}
	if slices.Contains(v.statuses, n) {
		return
	}
	v.statuses = append(v.statuses, n)
	for _, r := range c.status[n] {
		v.enqueue(r)
	}
}

func channelBit(k evidence.Kind) uint32 {
	for i, known := range channels {
		if k == known {
			return 1 << i
		}
	}
	return 0
}

var channels = []evidence.Kind{
	evidence.KindHTTP, evidence.KindACPError, evidence.KindACPUpdate, evidence.KindACPResult, evidence.KindStderr,
	evidence.KindStdout, evidence.KindResultEvent, evidence.KindProcessExit,
}
