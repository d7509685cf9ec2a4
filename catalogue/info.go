package catalogue

import (
	"fmt"
	"path/filepath"
	"strings"

	"buf.build/go/protoyaml"

	"github.com/recourse-dev/recourse/core/classification"
	cataloguev1 "github.com/recourse-dev/recourse/gen/go/recourse/catalogue/v1"
)

// Info is one rule with what its file says about it to a reader.
type Info struct {
	classification.Rule
	File    string // as "60-claude.yaml"; of an overlay folder the whole path
	Dialect string // what the file is for, as "claude"
	Overlay bool   // an operator's own rule
	About   string // the family of messages that it stands for
	Source  string // where its facts come from
	Date    string // when they were seen, YYYY-MM-DD
	Matches int    // how many fixtures it must decide
	Misses  int    // how many near misses it must leave alone
}

// Provenance is the source with its date, in one line.
func (i Info) Provenance() string {
	if i.Date == "" {
		return i.Source
	}
	return fmt.Sprintf("%s (%s)", i.Source, i.Date)
}

// Rules tells about every rule, in catalogue order.
func (c *Catalogue) Rules() []Info {
	out := make([]Info, len(c.entries))
	for i, e := range c.entries {
		p := e.source.GetProvenance()
		out[i] = Info{
			Rule: e.compiled, File: e.file, Dialect: dialectOf(e.file), Overlay: e.overlay, About: e.source.GetAbout(),
			Source: p.GetSource(), Date: p.GetDate(),
			Matches: len(e.source.GetFixtures().GetMatch()), Misses: len(e.source.GetFixtures().GetMiss()),
		}
	}
	return out
}

// YAML writes one rule as a rule file of its own; false if there is no such rule.
func (c *Catalogue) YAML(id string) ([]byte, bool) {
	for _, e := range c.entries {
		if e.compiled.ID == id {
			text, err := marshal(e.source)
			return text, err == nil
		}
	}
	return nil, false
}

func marshal(rules ...*cataloguev1.Rule) ([]byte, error) {
	return protoyaml.MarshalOptions{Indent: 2, UseProtoNames: true}.Marshal(&cataloguev1.File{Rules: rules})
}

// dialectOf takes the dialect out of a file's name: "60-claude.yaml" is claude's,
// "own.quota_limited.gateway.yaml" is own.
func dialectOf(file string) string {
	name, _, _ := strings.Cut(filepath.Base(file), ".")
	if number, rest, ok := strings.Cut(name, "-"); ok && strings.Trim(number, "0123456789") == "" {
		return rest
	}
	return name
}
