package profile

import (
	"errors"
	"fmt"

	"github.com/recourse-dev/recourse/core/fault"
)

// problems collects what is wrong, so that a person mends it all at once.
type problems struct{ found []fault.Violation }

func (p *problems) add(field, format string, args ...any) {
	p.found = append(p.found, fault.Violation{Field: field, Description: fmt.Sprintf(format, args...)})
}

// under takes in what another rule says about a part of the profile.
func (p *problems) under(parent string, err error) {
	var f *fault.Error
	if errors.As(err, &f) {
		for _, v := range f.Violations {
			p.add(parent+"."+v.Field, "%s", v.Description)
		}
	}
}

// err is nil, or one fault that names each field.
func (p *problems) err() error {
	if len(p.found) == 0 {
		return nil
	}
	f := fault.Invalid(p.found[0].Field, "%s", p.found[0].Description)
	if more := len(p.found) - 1; more > 0 {
		f.Message += fmt.Sprintf("; and %d more", more)
	}
	f.Violations = p.found
	return f
}

// Under says where in a request the profile stands whose fields an error
// names. Other errors are left as they are.
func Under(parent string, err error) error {
	var p problems
	if p.under(parent, err); len(p.found) == 0 {
		return err
	}
	return p.err()
}
