package recovery

import (
	"errors"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/work"
)

// policyField is where a prompt's policy stands in the request.
const policyField = "profile.policy"

// checkPolicy refuses what no decision could go by.
func (s *Service) checkPolicy(p work.PolicyChoice) error {
	bounds := s.settings.Policy
	switch p.Preset {
	case "", work.PresetInteractive:
	case work.PresetPatient:
		if p.MaxWait != 0 && (p.MaxWait < bounds.MinWait || p.MaxWait > bounds.MaxWait) {
			return fault.Invalid(policyField+".max_wait", "must be between %s and %s", bounds.MinWait, bounds.MaxWait)
		}
	default:
		return fault.Invalid(policyField+".preset", "must be %s or %s", work.PresetInteractive, work.PresetPatient)
	}
	return under(policyField+".consent", p.Consent.Validate(bounds, s.settings.Zones))
}

// under says where the field stands that an error names.
func under(parent string, err error) error {
	var f *fault.Error
	if !errors.As(err, &f) || len(f.Violations) == 0 {
		return err
	}
	v := f.Violations[0]
	return fault.Invalid(parent+"."+v.Field, "%s", v.Description)
}
