package profile

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/recourse-dev/recourse/core/recovery"
)

// The bounds of a profile. Lengths are in bytes.
const (
	MaxCandidates = 16

	maxID          = 63
	maxDisplayName = 200
	maxLabels      = 16
	maxLabelKey    = 63
	maxLabelValue  = 256
)

// Validate checks a profile that Normalise has gone over, but for what its
// candidates are. The error is a *fault.Error of kind InvalidArgument that names
// every field that breaks a rule; it never quotes what may be a secret.
func (p Profile) Validate(s recovery.Settings) error {
	var wrong problems
	if !validID(p.ID) {
		wrong.add("profile_id", "must be a lower-case letter, then letters, digits and hyphens, at most %d in all", maxID)
	}
	if len(p.DisplayName) > maxDisplayName || !printable(p.DisplayName) {
		wrong.add("display_name", "must be one line of at most %d bytes", maxDisplayName)
	}
	p.validateLabels(&wrong)
	switch {
	case p.Concrete != nil && p.Dynamic != nil:
		wrong.add("dynamic", "must not be set together with concrete")
	case p.Concrete != nil:
		p.Concrete.validate(&wrong)
	case p.Dynamic != nil:
		p.Dynamic.validate(p.ID, s, &wrong)
	default:
		wrong.add("concrete", "must be set, unless dynamic is")
	}
	return wrong.err()
}

func (p Profile) validateLabels(wrong *problems) {
	if len(p.Labels) > maxLabels {
		wrong.add("labels", "must be at most %d", maxLabels)
	}
	for _, key := range slices.Sorted(maps.Keys(p.Labels)) {
		value := p.Labels[key]
		field := fmt.Sprintf("labels[%q]", key)
		switch {
		case key == "" || len(key) > maxLabelKey || !printable(key):
			wrong.add(field, "must have a key of one line, 1 to %d bytes", maxLabelKey)
		case len(value) > maxLabelValue || !printable(value):
			wrong.add(field, "must be one line of at most %d bytes", maxLabelValue)
		case holdsCredential(value) || holdsCredential(key+": "+value):
			wrong.add(field, "looks like a secret")
		}
	}
}

func (d *Dynamic) validate(own string, s recovery.Settings, wrong *problems) {
	if n := len(d.Candidates); n < 1 || n > MaxCandidates {
		wrong.add("dynamic.candidates", "must be between 1 and %d", MaxCandidates)
	}
	seen := map[string]int{}
	for i, c := range d.Candidates {
		field := fmt.Sprintf("dynamic.candidates[%d]", i)
		first, twice := seen[c.ProfileID]
		switch {
		case !validID(c.ProfileID):
			wrong.add(field+".profile_id", "must be the id of a concrete profile")
		case c.ProfileID == own:
			wrong.add(field+".profile_id", "must not be the profile itself")
		case twice:
			wrong.add(field+".profile_id", "is candidate %d already", first)
		default:
			seen[c.ProfileID] = i
		}
		wrong.under(field+".policies", c.Policies.Validate(s.Policy))
	}
	wrong.under("dynamic.consent", d.Consent.Validate(s.Policy, s.Zones))
}

// Found says what the profiles are that exist, by id.
type Found map[string]Kind

// CheckCandidates holds the candidates against the workspace's profiles.
func (p Profile) CheckCandidates(found Found) error {
	var wrong problems
	for i, id := range p.CandidateIDs() {
		field := fmt.Sprintf("dynamic.candidates[%d].profile_id", i)
		switch found[id] {
		case KindConcrete:
		case KindDynamic:
			wrong.add(field, "%s is a dynamic profile: candidates must be concrete", id)
		default:
			wrong.add(field, "there is no profile %s in this workspace", id)
		}
	}
	return wrong.err()
}

func validID(id string) bool {
	return id != "" && len(id) <= maxID && id[0] >= 'a' && id[0] <= 'z' &&
		strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// printable says that a text is one line that can be shown.
func printable(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
	})
}
