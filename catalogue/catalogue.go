// Package catalogue turns the rule files into a classifier. The files are
// embedded; an operator may lay further files over them at start, which are held
// to the same proofs.
package catalogue

import (
	"embed"
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

// overlaid is what the version of a catalogue with overlays adds: a build, by
// the rules of semantic versions. The digest says which.
const overlaid = "+overlay"

// Catalogue is a set of rule files with the classifier made of them.
type Catalogue struct {
	Classifier *classification.Classifier
	entries    []entry
}

// Embedded gives the classifier of the embedded rules; it is compiled once.
func Embedded() (*classification.Classifier, error) {
	c, err := Plain()
	if err != nil {
		return nil, err
	}
	return c.Classifier, nil
}

// Plain is the catalogue of the embedded rules alone; it is read once.
func Plain() (*Catalogue, error) { return plain() }

var plain = sync.OnceValues(func() (*Catalogue, error) { return Read(Files()) })

// Files are the embedded rule files.
func Files() fs.FS {
	sub, err := fs.Sub(files, "rules")
	if err != nil {
		panic(err) // the folder is part of the binary
	}
	return sub
}

// Load reads rule files and the overlays over them, and proves them. Whatever is
// wrong is in the error, a Findings: each names the file, the rule and the fixture.
func Load(base fs.FS, overlays ...fs.FS) (*Catalogue, error) {
	c, findings := read(base, overlays)
	if c.Classifier != nil { // what could be read is proved even if something else could not
		findings = append(findings, Lint(c)...)
	}
	if len(findings) > 0 {
		return nil, findings
	}
	return c, nil
}

// Read reads and compiles rule files without proving them; its error is a Findings.
func Read(base fs.FS, overlays ...fs.FS) (*Catalogue, error) {
	c, findings := read(base, overlays)
	if len(findings) > 0 {
		return nil, findings
	}
	return c, nil
}

// read compiles what it can; the classifier is nil if it can compile nothing.
func read(base fs.FS, overlays []fs.FS) (*Catalogue, Findings) {
	c, sum := &Catalogue{}, newDigest()
	var findings Findings
	for i, fsys := range append([]fs.FS{base}, overlays...) {
		entries, wrong := readFiles(fsys, sum, i > 0)
		c.entries = append(c.entries, entries...)
		findings = append(findings, wrong...)
	}
	c.entries, findings = sound(c.entries, findings)
	version := Version
	if len(overlays) > 0 {
		version += overlaid
	}
	compiled, err := classification.Compile(version, sum.hex(), compiledRules(c.entries), zone.Find)
	if err != nil {
		return c, append(findings, Finding{Message: err.Error()})
	}
	c.Classifier = compiled
	return c, findings
}

func compiledRules(entries []entry) []classification.Rule {
	rules := make([]classification.Rule, len(entries))
	for i, e := range entries {
		rules[i] = e.compiled
	}
	return rules
}
