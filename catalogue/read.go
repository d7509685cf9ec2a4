package catalogue

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io/fs"
	"slices"

	"buf.build/go/protoyaml"

	"github.com/recourse-dev/recourse/catalogue/zone"
	"github.com/recourse-dev/recourse/core/classification"
	cataloguev1 "github.com/recourse-dev/recourse/gen/go/recourse/catalogue/v1"
)

// entry is one rule with where it was written.
type entry struct {
	file     string
	source   *cataloguev1.Rule
	compiled classification.Rule
}

// digest covers all that results depend on: the rules and the zone database.
type digest struct{ hash.Hash }

func newDigest() digest {
	d := digest{sha256.New()}
	fmt.Fprintf(d, "zones %s\n", zone.Digest())
	return d
}

func (d digest) hex() string { return "sha256:" + hex.EncodeToString(d.Sum(nil)) }

// readFiles reads the *.yaml files of a folder in the order of their names.
func readFiles(fsys fs.FS, sum digest) ([]entry, error) {
	names, err := fs.Glob(fsys, "*.yaml")
	if err != nil {
		return nil, fmt.Errorf("catalogue: %w", err)
	}
	slices.Sort(names)
	var out []entry
	for _, name := range names {
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, fmt.Errorf("catalogue: %w", err)
		}
		fmt.Fprintf(sum, "%s %d\n%s", name, len(data), data)
		entries, err := readFile(name, data)
		if err != nil {
			return nil, err
		}
		out = append(out, entries...)
	}
	return out, nil
}

func readFile(name string, data []byte) ([]entry, error) {
	var file cataloguev1.File
	if err := (protoyaml.UnmarshalOptions{Path: name}).Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("catalogue: %s: %w", name, err)
	}
	var out []entry
	for _, r := range file.GetRules() {
		if r.Provenance == nil {
			r.Provenance = file.GetProvenance()
		}
		compiled, err := convert(r)
		if err != nil {
			return nil, fmt.Errorf("catalogue: %s: rule %q: %w", name, r.GetId(), err)
		}
		out = append(out, entry{file: name, source: r, compiled: compiled})
	}
	return out, nil
}
