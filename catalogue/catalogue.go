// Package catalogue turns the rule files into a classifier. The files are
// embedded; an operator may lay further files over them at start, which are held
// to the same proofs.
package catalogue

import (
	"embed"
	"fmt"
	"io/fs"
	"sync"

	"github.com/recourse-dev/recourse/catalogue/zone"
	"github.com/recourse-dev/recourse/core/classification"
)

//go:generate go test . -run "^(TestSchemaIsCurrent|TestIDsArePublished)$" -update

//go:embed rules/*.yaml
var files embed.FS

// Version of the embedded rules. Raise the minor number when a rule is added and
// the major one when a case changes its code.
const Version = "1.0.0"

// Catalogue is a set of rule files with the classifier made of them.
type Catalogue struct {
	Classifier *classification.Classifier
	entries    []entry
}

// Embedded gives the classifier of the embedded rules; it is compiled once.
func Embedded() (*classification.Classifier, error) { return embedded() }

var embedded = sync.OnceValues(func() (*classification.Classifier, error) {
	c, err := Read(Files())
	if err != nil {
		return nil, err
	}
	return c.Classifier, nil
})

// Files are the embedded rule files.
func Files() fs.FS {
	sub, err := fs.Sub(files, "rules")
	if err != nil {
		panic(err) // the folder is part of the binary
	}
	return sub
}

// Load reads rule files and the overlays over them, and proves them: every
// finding of Lint is an error that names the file, the rule and the fixture.
func Load(base fs.FS, overlays ...fs.FS) (*Catalogue, error) {
	c, err := Read(base, overlays...)
	if err != nil {
		return nil, err
	}
	if findings := Lint(c); len(findings) > 0 {
		return nil, fmt.Errorf("catalogue: %d findings, the first: %s", len(findings), findings[0])
	}
	return c, nil
}

// Read reads and compiles rule files without proving them.
func Read(base fs.FS, overlays ...fs.FS) (*Catalogue, error) {
	c := &Catalogue{}
	sum := newDigest()
	for _, fsys := range append([]fs.FS{base}, overlays...) {
		entries, err := readFiles(fsys, sum)
		if err != nil {
			return nil, err
		}
		c.entries = append(c.entries, entries...)
	}
	rules := make([]classification.Rule, len(c.entries))
	from := map[string]string{}
	for i, e := range c.entries {
		rules[i] = e.compiled
		if other, twice := from[e.compiled.ID]; twice {
			return nil, fmt.Errorf("catalogue: %s: rule %q: %s has it already", e.file, e.compiled.ID, other)
		}
		from[e.compiled.ID] = e.file
	}
	var err error
	c.Classifier, err = classification.Compile(Version, sum.hex(), rules, zone.Find)
	if err != nil {
		return nil, fmt.Errorf("catalogue: %w", err)
	}
	return c, nil
}
