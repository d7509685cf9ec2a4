package profile

import (
	"fmt"
	"slices"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/recovery"
)

// Presets are the names of policies that a candidate may have.
func Presets() []string {
	return []string{recovery.PresetUnattended, recovery.PresetPatient, recovery.PresetStrict, recovery.PresetImmediate}
}

// preset gives the policies of a name.
func preset(name string, s recovery.Settings) (recovery.ClassPolicies, bool) {
	switch name {
	case recovery.PresetUnattended:
		return recovery.Unattended(s), true
	case recovery.PresetPatient:
		return recovery.Patient(s, 0), true
	case recovery.PresetStrict:
		return recovery.Strict(), true
	case recovery.PresetImmediate:
		return recovery.Immediate(), true
	}
	return recovery.ClassPolicies{}, false
}

// Normalise gives the one form in which a profile is kept: policies are written
// out, and what an older configuration says has become policies. Doing it again
// changes nothing. The error names both fields of a conflict.
func (p Profile) Normalise(s recovery.Settings) (Profile, error) {
	var wrong problems
	if p.Concrete != nil {
		c := *p.Concrete
		if c.Directory.Rule == "" {
			c.Directory.Rule = DirectoryCaller
		}
		p.Concrete = &c
	}
	if p.Dynamic != nil {
		d := *p.Dynamic
		said := d.Legacy.perClass(&wrong)
		d.Candidates = slices.Clone(d.Candidates)
		for i := range d.Candidates {
			d.Candidates[i].Policies = d.Candidates[i].settled(fmt.Sprintf("dynamic.candidates[%d]", i), said, s, &wrong)
		}
		d.Legacy = nil
		p.Dynamic = &d
	}
	return p, wrong.err()
}

// settled gives the candidate's policies in full.
func (c Candidate) settled(field string, said map[classification.Class]saying, s recovery.Settings, p *problems) recovery.ClassPolicies {
	version := max(c.Policies.Version, 1)
	policies, explicit := c.Policies, c.Policies.Name != "" || !unwritten(c.Policies)
	switch {
	case !explicit:
		policies = recovery.Unattended(s)
	case policies.Name != "":
		named, known := preset(policies.Name, s)
		if !known {
			p.add(field+".preset", "there is no such preset")
			return policies
		}
		policies = named
	}
	for _, class := range []classification.Class{classification.ClassTransient, classification.ClassHard} {
		if word, spoken := said[class]; spoken {
			policies = legacyInto(policies, class, word, explicit, field, s, p)
		}
	}
	policies.Version = version
	return policies
}

// unwritten says that nothing was given.
func unwritten(p recovery.ClassPolicies) bool {
	p.Version = 0
	return p == recovery.ClassPolicies{}
}

// legacyInto puts what an older configuration says in the place of a default,
// and compares it with what was written.
func legacyInto(p recovery.ClassPolicies, class classification.Class, word saying, explicit bool, field string, s recovery.Settings, wrong *problems) recovery.ClassPolicies {
	own := &p.Transient
	if class == classification.ClassHard {
		own = &p.Hard
	}
	want := legacyPolicy(word.action, s)
	if *own == want {
		return p
	}
	if !explicit {
		*own, p.Name = want, ""
		return p
	}
	written := fmt.Sprintf("%s.policies.%s", field, class)
	if p.Name != "" {
		written = field + ".preset"
	}
	wrong.add(written, "differs from %s, which says %s: give one of them", word.field, word.action)
	wrong.add(word.field, "says %s, which differs from %s: give one of them", word.action, written)
	return p
}
