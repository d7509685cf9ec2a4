package classification

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"gopkg.in/yaml.v3"
)

// Description is what a rule file says about a rule to a reader.
type Description struct {
	Dialect    string // the file that holds the rule, as "claude"
	About      string // the family of messages that it is for
	Provenance string // where its facts come from, and when they were seen
}

// Describe reads the descriptions of every rule in a catalogue's files, by id.
// The loader of the catalogue has proved the files; here only words are read.
func Describe(files fs.FS) (map[string]Description, error) {
	names, err := fs.Glob(files, "*.yaml")
	if err != nil {
		return nil, err
	}
	out := map[string]Description{}
	for _, name := range names {
		if err := describeFile(files, name, out); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return out, nil
}

type provenance struct {
	Source string `yaml:"source"`
	Date   string `yaml:"date"`
}

func (p provenance) String() string {
	if p.Date == "" {
		return p.Source
	}
	return p.Source + " (" + p.Date + ")"
}

func describeFile(files fs.FS, name string, out map[string]Description) error {
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return err
	}
	var file struct {
		Provenance provenance `yaml:"provenance"`
		Rules      []struct {
			ID         string      `yaml:"id"`
			About      string      `yaml:"about"`
			Provenance *provenance `yaml:"provenance"`
		} `yaml:"rules"`
	}
	if err := yaml.Unmarshal(text, &file); err != nil {
		return err
	}
	for _, rule := range file.Rules {
		d := Description{Dialect: dialectOf(name), About: rule.About, Provenance: file.Provenance.String()}
		if rule.Provenance != nil {
			d.Provenance = rule.Provenance.String()
		}
		out[rule.ID] = d
	}
	return nil
}

// dialectOf takes the dialect out of a file's name: "60-claude.yaml" is claude's.
func dialectOf(name string) string {
	name = strings.TrimSuffix(path.Base(name), path.Ext(name))
	if _, rest, ok := strings.Cut(name, "-"); ok {
		return rest
	}
	return name
}
