package catalogue

import (
	"fmt"
	"strings"
)

// Finding is one thing that is wrong with a catalogue.
type Finding struct {
	File    string // the rule's file; of an overlay folder the whole path
	Rule    string // "" if the file itself is wrong
	Fixture string // as "match 0", "" if the rule itself is wrong
	Message string
}

// String names the place and what is wrong.
func (f Finding) String() string {
	var place []string
	for _, part := range []string{f.File, f.Rule, f.Fixture, f.Message} {
		if part != "" {
			place = append(place, part)
		}
	}
	return strings.Join(place, ": ")
}

// Findings are all that is wrong with a catalogue; as an error, one a line.
type Findings []Finding

// Error lists every finding.
func (f Findings) Error() string {
	var b strings.Builder
	noun := "findings"
	if len(f) == 1 {
		noun = "finding"
	}
	fmt.Fprintf(&b, "the catalogue is not sound, %d %s:", len(f), noun)
	for _, finding := range f {
		b.WriteString("\n  " + finding.String())
	}
	return b.String()
}
