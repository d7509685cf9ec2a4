package profile

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
)

// Whole is the path of everything that can be changed.
const Whole = "*"

// field is what a path of an update mask stands for.
type field struct {
	kind Kind // of the profiles that have it; "" is all
	copy func(to *Profile, from Profile)
}

var fields = map[string]field{
	"display_name": {"", func(to *Profile, from Profile) { to.DisplayName = from.DisplayName }},
	"labels":       {"", func(to *Profile, from Profile) { to.Labels = from.Labels }},

	"concrete":                   {KindConcrete, func(to *Profile, from Profile) { to.Concrete = from.Concrete }},
	"concrete.agent_kind":        ofConcrete(func(to *Concrete, from Concrete) { to.AgentKind = from.AgentKind }),
	"concrete.command":           ofConcrete(func(to *Concrete, from Concrete) { to.Command = from.Command }),
	"concrete.working_directory": ofConcrete(func(to *Concrete, from Concrete) { to.Directory = from.Directory }),
	"concrete.environment":       ofConcrete(func(to *Concrete, from Concrete) { to.Environment = from.Environment }),
	"concrete.provider":          ofConcrete(func(to *Concrete, from Concrete) { to.Provider = from.Provider }),
	"concrete.model":             ofConcrete(func(to *Concrete, from Concrete) { to.Model = from.Model }),
	"concrete.credential":        ofConcrete(func(to *Concrete, from Concrete) { to.Credential = from.Credential }),
	"concrete.resume_arguments":  ofConcrete(func(to *Concrete, from Concrete) { to.Resume = from.Resume }),
	"concrete.replay_safe":       ofConcrete(func(to *Concrete, from Concrete) { to.ReplaySafe = from.ReplaySafe }),

	"dynamic":                {KindDynamic, func(to *Profile, from Profile) { to.Dynamic = from.Dynamic }},
	"dynamic.candidates":     ofDynamic(func(to *Dynamic, from Dynamic) { to.Candidates = from.Candidates }),
	"dynamic.consent":        ofDynamic(func(to *Dynamic, from Dynamic) { to.Consent = from.Consent }),
	"dynamic.legacy_actions": ofDynamic(func(to *Dynamic, from Dynamic) { to.Legacy = from.Legacy }),
}

func ofConcrete(set func(*Concrete, Concrete)) field {
	return field{KindConcrete, func(to *Profile, from Profile) {
		var c, patch Concrete
		if to.Concrete != nil {
			c = *to.Concrete
		}
		if from.Concrete != nil {
			patch = *from.Concrete
		}
		set(&c, patch)
		to.Concrete = &c
	}}
}

func ofDynamic(set func(*Dynamic, Dynamic)) field {
	return field{KindDynamic, func(to *Profile, from Profile) {
		var d, patch Dynamic
		if to.Dynamic != nil {
			d = *to.Dynamic
		}
		if from.Dynamic != nil {
			patch = *from.Dynamic
		}
		set(&d, patch)
		to.Dynamic = &d
	}}
}

// Paths lists what an update mask may name.
func Paths() []string { return append([]string{Whole}, slices.Sorted(maps.Keys(fields))...) }

// paths are those of the mask; without one, what the patch has set.
func (in Update) paths() []string {
	if len(in.Paths) > 0 && !slices.Contains(in.Paths, Whole) {
		return in.Paths
	}
	all, spec := len(in.Paths) > 0, string(in.Profile.Kind())
	var out []string
	if all || in.Profile.DisplayName != "" {
		out = append(out, "display_name")
	}
	if all || len(in.Profile.Labels) > 0 {
		out = append(out, "labels")
	}
	if spec != "" {
		out = append(out, spec)
	}
	return out
}

// merged is before with what the mask names of the patch.
func (in Update) merged(before Profile) (Profile, error) {
	if err := in.CheckMask(); err != nil {
		return before, err
	}
	var wrong problems
	switch patch := in.Profile; {
	case patch.ID != "" && patch.ID != before.ID:
		wrong.add("profile_id", "must be the profile that is changed: an id is for good")
	case patch.Kind() != "" && patch.Kind() != before.Kind():
		wrong.add(string(patch.Kind()), "must not be set: the profile is %s, and keeps its kind", before.Kind())
	case slices.Contains(in.Paths, Whole) && patch.Kind() == "":
		wrong.add(string(before.Kind()), "must be set: the whole profile is replaced")
	}
	if len(wrong.found) > 0 {
		return before, wrong.err()
	}
	after := before
	for _, path := range in.paths() {
		f := fields[path]
		switch {
		case f.kind != "" && f.kind != before.Kind():
			wrong.add(path, "must not be changed: the profile is %s", before.Kind())
		case path == string(f.kind) && in.Profile.Kind() == "":
			wrong.add(path, "must be set")
		default:
			f.copy(&after, in.Profile)
		}
	}
	return after, wrong.err()
}

// CheckMask refuses a path that no profile has. The error names update_mask,
// which is a field of the request and not of the profile.
func (in Update) CheckMask() error {
	for _, path := range in.Paths {
		if _, known := fields[path]; !known && path != Whole {
			return fault.Invalid("update_mask", "%q is none of %s", path, strings.Join(Paths(), ", "))
		}
	}
	return nil
}

// versioned gives each candidate's policies their version: that of the profile
// in which they were written last.
func versioned(before, after Profile, version int64) Profile {
	if after.Dynamic == nil {
		return after
	}
	d := *after.Dynamic
	d.Candidates = slices.Clone(d.Candidates)
	for i, c := range d.Candidates {
		d.Candidates[i].Policies.Version = int(version)
		if old, known := before.policiesOf(c.ProfileID); known && samePolicies(old, c.Policies) {
			d.Candidates[i].Policies.Version = old.Version
		}
	}
	after.Dynamic = &d
	return after
}

func (p Profile) policiesOf(candidateID string) (recovery.ClassPolicies, bool) {
	if p.Dynamic != nil {
		for _, c := range p.Dynamic.Candidates {
			if c.ProfileID == candidateID {
				return c.Policies, true
			}
		}
	}
	return recovery.ClassPolicies{}, false
}

func samePolicies(a, b recovery.ClassPolicies) bool {
	a.Version = b.Version
	return a == b
}

// same says that two profiles say the same.
func same(a, b Profile) bool {
	first, err := json.Marshal(a)
	second, otherErr := json.Marshal(b)
	return err == nil && otherErr == nil && bytes.Equal(first, second)
}
