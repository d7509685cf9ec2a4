package profiles

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"buf.build/go/protovalidate"
	"buf.build/go/protoyaml"
	"google.golang.org/protobuf/proto"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/rulebook"
	"github.com/recourse-dev/recourse/core/fault"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// maxProfile bounds a profile's file in bytes.
const maxProfile = 256 << 10

// readProfile reads a profile; JSON is YAML too. What the contract itself
// forbids is named with its line and field.
func readProfile(inv *cli.Invocation, name string) (*v1.Profile, error) {
	if name == "" {
		return nil, cli.Failf(cli.Usage, "give the profile: -f FILE, or -f - for standard input")
	}
	in, closeInput, err := rulebook.Open(inv, name)
	if err != nil {
		return nil, err
	}
	defer closeInput()
	text, err := io.ReadAll(io.LimitReader(in, maxProfile+1))
	if err != nil {
		return nil, err
	}
	switch {
	case len(text) > maxProfile:
		return nil, cli.Failf(cli.Usage, "%s is no profile: longer than %d bytes", shown(name), maxProfile)
	case len(strings.TrimSpace(string(text))) == 0:
		return nil, cli.Failf(cli.Usage, "%s is no profile: it is empty", shown(name))
	}
	rules, err := protovalidate.New()
	if err != nil {
		return nil, err
	}
	out := &v1.Profile{}
	if err := (protoyaml.UnmarshalOptions{Path: shown(name), Validator: validator{rules}}).Unmarshal(text, out); err != nil {
		return nil, cli.Failf(cli.Usage, "%s is no profile: %s", shown(name), strings.TrimSpace(err.Error()))
	}
	return out, nil
}

// validator checks a message by the rules that its schema carries.
type validator struct{ rules protovalidate.Validator }

// Validate implements protoyaml.Validator.
func (v validator) Validate(m proto.Message) error { return v.rules.Validate(m) }

func shown(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}

func (w *writing) name() string { return shown(w.file) }

// named says of every field that the server refuses where it stands in the
// file, one a line. Other errors are left as they are.
func (w *writing) named(err error) error {
	var f *fault.Error
	if !errors.As(err, &f) || len(f.Violations) == 0 {
		return err
	}
	var lines []string
	for _, v := range f.Violations {
		lines = append(lines, fmt.Sprintf("%s: %s: %s", w.name(), strings.TrimPrefix(v.Field, "profile."), v.Description))
	}
	return cli.Failf(cli.Code(f), "%s (%s)", strings.Join(lines, "\n"), f.Reason)
}
