package routing

import (
	"fmt"
	"strings"

	"github.com/recourse-dev/recourse/core/evidence"
)

// section is one part of a continuation: a text, or notes from the newest on.
type section struct {
	title  string
	weight int
	body   string
	notes  []string
	older  int // notes that were not even looked at
	room   int // bytes that render may use
}

// leftOutRoom is kept for the line that says what was left out.
const leftOutRoom = 64

// fit shares the room out: each section is sure of its share, and what one does
// not need goes to the others, by the same shares.
func fit(sections []*section, room int) {
	open := append([]*section(nil), sections...)
	for len(open) > 0 {
		weights := 0
		for _, s := range open {
			weights += s.weight
		}
		var still []*section
		share, left := max(room, 0), room
		for _, s := range open {
			if need := s.need(); need <= share*s.weight/weights {
				s.room = need
				left -= need
				continue
			}
			still = append(still, s)
		}
		if len(still) == len(open) {
			for _, s := range open {
				s.room = share * s.weight / weights
			}
			return
		}
		open, room = still, left
	}
}

// need is the length of the section with all that it has.
func (s *section) need() int {
	n := len(s.head())
	if s.body != "" {
		return n + len(s.body) + len("\n\n")
	}
	for _, note := range s.notes {
		n += len(noteLine(note))
	}
	return n + len("\n")
}

func (s *section) head() string { return "## " + s.title + "\n" }

func noteLine(note string) string { return "- " + note + "\n" }

// render is the section in its room: a text loses its middle, notes lose the oldest.
func (s *section) render() string {
	if s.need() <= s.room {
		if s.body != "" {
			return s.head() + s.body + "\n\n"
		}
		var b strings.Builder
		b.WriteString(s.head())
		for _, note := range s.notes {
			b.WriteString(noteLine(note))
		}
		return b.String() + "\n"
	}
	room := s.room - len(s.head()) - leftOutRoom
	if room < leftOutRoom {
		return ""
	}
	if s.body != "" {
		body, cut := evidence.Cut(s.body, room)
		return s.head() + body + "\n" + fmt.Sprintf("[left out: %d bytes from the middle]\n\n", cut)
	}
	return s.head() + s.newest(room) + "\n"
}

// newest are as many notes as fit. The newest one is cut rather than left out.
func (s *section) newest(room int) string {
	var b strings.Builder
	for i, note := range s.notes {
		line := noteLine(note)
		cut := 0
		if len(line) > room-b.Len() && i == 0 {
			note, cut = evidence.Cut(note, room-len(noteLine("")))
			line = noteLine(note)
		}
		if len(line) > room-b.Len() {
			fmt.Fprintf(&b, "[left out: %d older]\n", len(s.notes)-i+s.older)
			return b.String()
		}
		b.WriteString(line)
		if cut > 0 {
			fmt.Fprintf(&b, "[left out: %d bytes of it, %d older]\n", cut, len(s.notes)-1+s.older)
			return b.String()
		}
	}
	return b.String()
}
