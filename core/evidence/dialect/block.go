package dialect

import (
	"strings"

	"github.com/recourse-dev/recourse/core/evidence"
)

// class says what a printed line or a chunk of text is.
type class int

const (
	plain    class = iota // a failure channel
	inFlight              // the agent's own retry
	prose                 // said by a model, a tool or a user
	foreign               // of a background request
)

// block gathers lines of one channel and class into one signal: the sentences
// that rules look for are often wrapped over several lines.
type block struct {
	kind  evidence.Kind
	event string
	class class
	text  []byte
	cut   int
	open  bool
	// glue joins pieces without a newline between them: chunks of a message.
	glue bool
}

// line appends one printed line.
func (t *tracker) line(kind evidence.Kind, c class, text string) {
	t.piece(kind, "", c, text, false)
}

// chunk appends a piece of a streamed message.
func (t *tracker) chunk(kind evidence.Kind, event string, c class, text string) {
	t.piece(kind, event, c, text, true)
}

func (t *tracker) piece(kind evidence.Kind, event string, c class, text string, glue bool) {
	b := &t.block
	if b.open && (b.kind != kind || b.event != event || b.class != c || b.glue != glue) {
		t.flush()
	}
	if !b.open {
		if !glue && strings.TrimSpace(text) == "" {
			return // a block does not begin with an empty line
		}
		*b = block{kind: kind, event: event, class: c, text: b.text[:0], open: true, glue: glue}
	} else if !glue {
		b.text = append(b.text, '\n')
		// The last line says most: it must fit into the tail that a cut keeps, with its beginning.
		var cut int
		text, cut = evidence.Cut(text, b.limit()/4)
		b.cut += cut
	}
	b.text = append(b.text, text...)
	if limit := b.limit(); len(b.text) > 4*limit {
		b.shorten(2 * limit)
	}
}

// limit is how many bytes the finished block keeps.
func (b *block) limit() int {
	switch b.class {
	case prose:
		return maxProse
	case inFlight:
		return maxInFlight
	case plain, foreign:
	}
	return evidence.MaxTextBytes
}

// shorten cuts the middle; cutting only when the text has doubled keeps the cost linear.
func (b *block) shorten(limit int) {
	text, cut := evidence.Cut(string(b.text), limit)
	b.text = append(b.text[:0], text...)
	b.cut += cut
}

// flush turns the open block into a signal.
func (t *tracker) flush() {
	b := &t.block
	if !b.open {
		return
	}
	b.open = false
	text := strings.TrimRight(string(b.text), " \t\r\n")
	if text == "" {
		return
	}
	t.add(evidence.Signal{
		Kind: b.kind, Event: b.event, Text: text, CutBytes: b.cut,
		Prose: b.class == prose, InFlight: b.class == inFlight, Foreign: b.class == foreign,
	})
}

// finalText is what a text-mode user would have seen, bounded.
type finalText struct{ text []byte }

// set replaces the text.
func (f *finalText) set(text string) {
	text, _ = evidence.Cut(text, maxFinal)
	f.text = append(f.text[:0], text...)
}

// add appends to the text.
func (f *finalText) add(text string) {
	f.text = append(f.text, text...)
	if len(f.text) > 2*maxFinal {
		f.set(string(f.text))
	}
}

func (f *finalText) String() string {
	text, _ := evidence.Cut(string(f.text), maxFinal)
	return text
}
