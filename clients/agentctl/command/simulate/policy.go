package simulate

import (
	"io"
	"strconv"
	"strings"
	"time"

	"buf.build/go/protovalidate"
	"buf.build/go/protoyaml"
	"google.golang.org/protobuf/proto"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/clients/agentctl/rulebook"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// maxPolicy bounds a policy file in bytes.
const maxPolicy = 64 << 10

// readPolicy reads the policies of a candidate; JSON is YAML too. What is wrong
// is named with its line and field.
func readPolicy(inv *cli.Invocation, name string) (*v1.ClassPolicies, error) {
	in, closeInput, err := rulebook.Open(inv, name)
	if err != nil {
		return nil, err
	}
	defer closeInput()
	text, err := io.ReadAll(io.LimitReader(in, maxPolicy+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxPolicy {
		return nil, cli.Failf(cli.Usage, "%s is no policy: longer than %d bytes", name, maxPolicy)
	}
	rules, err := protovalidate.New()
	if err != nil {
		return nil, err
	}
	out := &v1.ClassPolicies{}
	if err := (protoyaml.UnmarshalOptions{Path: name, Validator: validator{rules}}).Unmarshal(text, out); err != nil {
		return nil, cli.Failf(cli.Usage, "%s is no policy: %s", name, strings.TrimSpace(err.Error()))
	}
	return out, nil
}

// validator checks a message by the rules that its schema carries.
type validator struct{ rules protovalidate.Validator }

// Validate implements protoyaml.Validator.
func (v validator) Validate(m proto.Message) error { return v.rules.Validate(m) }

// span is a duration that knows days.
type span time.Duration

// Set implements pflag.Value.
func (s *span) Set(text string) error {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		n, err := strconv.ParseUint(days, 10, 16)
		if err != nil {
			return cli.Failf(cli.Usage, "must be a time, as 90m, 24h or 7d")
		}
		*s = span(time.Duration(n) * 24 * time.Hour)
		return nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return cli.Failf(cli.Usage, "must be a time, as 90m, 24h or 7d")
	}
	*s = span(d)
	return nil
}

// String implements pflag.Value.
func (s *span) String() string {
	if *s == 0 {
		return ""
	}
	return time.Duration(*s).String()
}

// Type implements pflag.Value.
func (s *span) Type() string { return "time" }
