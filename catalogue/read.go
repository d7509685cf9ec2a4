package catalogue

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io/fs"
	"path"
	"slices"
	"strings"

	"buf.build/go/protoyaml"

	"github.com/recourse-dev/recourse/catalogue/zone"
	"github.com/recourse-dev/recourse/core/classification"
	cataloguev1 "github.com/recourse-dev/recourse/gen/go/recourse/catalogue/v1"
)

// entry is one rule with where it was written.
type entry struct {
	file     string // as it is shown
	overlay  bool
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

// readFiles reads the rule files of a folder in the order of their names. An
// entry that cannot be converted is a finding, and left out.
func readFiles(fsys fs.FS, sum digest, overlay bool) (out []entry, findings Findings) {
	names, err := ruleFiles(fsys)
	if err != nil {
		return nil, Findings{{File: shown(fsys, "."), Message: err.Error()}}
	}
	for _, name := range names {
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			findings = append(findings, Finding{File: shown(fsys, name), Message: err.Error()})
			continue
		}
		fmt.Fprintf(sum, "%s %d\n%s", name, len(data), data)
		entries, wrong := readFile(shown(fsys, name), data, overlay)
		out, findings = append(out, entries...), append(findings, wrong...)
	}
	return out, findings
}

// ruleFiles lists the rule files of a folder. Hidden ones are an editor's.
func ruleFiles(fsys fs.FS) (names []string, err error) {
	inside, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, err
	}
	for _, f := range inside {
		ext := path.Ext(f.Name())
		if (ext == ".yaml" || ext == ".yml") && !strings.HasPrefix(f.Name(), ".") {
			names = append(names, f.Name())
		}
	}
	slices.Sort(names)
	return names, nil
}

func readFile(name string, data []byte, overlay bool) (out []entry, findings Findings) {
	var file cataloguev1.File
	if err := (protoyaml.UnmarshalOptions{}).Unmarshal(data, &file); err != nil {
		return nil, Findings{{File: name, Message: strings.TrimSpace(err.Error())}}
	}
	for _, r := range file.GetRules() {
		if r.Provenance == nil {
			r.Provenance = file.GetProvenance()
		}
		compiled, err := convert(r)
		if err != nil {
			findings = append(findings, Finding{File: name, Rule: r.GetId(), Message: err.Error()})
			continue
		}
		out = append(out, entry{file: name, overlay: overlay, source: r, compiled: compiled})
	}
	return out, findings
}

// sound leaves out the entries that no classifier can be made of, each with its
// finding: an id that is taken, an expression that is no RE2, a rule to come
// after that does not exist.
func sound(entries []entry, findings Findings) ([]entry, Findings) {
	from := map[string]string{}
	for _, e := range entries {
		if _, known := from[e.compiled.ID]; !known {
			from[e.compiled.ID] = e.file
		}
	}
	kept, seen := make([]entry, 0, len(entries)), map[string]bool{}
	for _, e := range entries {
		id := e.compiled.ID
		switch wrong := fault(e.compiled, from); {
		case seen[id]:
			findings = append(findings, Finding{File: e.file, Rule: id, Message: fmt.Sprintf("%s has this id already", from[id])})
		case wrong != "":
			findings = append(findings, Finding{File: e.file, Rule: id, Message: wrong})
		default:
			kept = append(kept, e)
		}
		seen[id] = true
	}
	return kept, findings
}

// fault tells why a rule cannot be compiled, or "".
func fault(r classification.Rule, known map[string]string) string {
	for _, id := range r.When.After {
		if known[id] == "" {
			return fmt.Sprintf("after names %q, which is no rule", id)
		}
	}
	r.When.After = nil // they are known, but not to this compilation
	if _, err := classification.Compile("", "", []classification.Rule{r}, nil); err != nil {
		return strings.TrimPrefix(err.Error(), fmt.Sprintf("rule %q: ", r.ID))
	}
	return ""
}
