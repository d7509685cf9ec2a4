// Package classification names failures for callers that store nothing, and
// shows the catalogue that it does so with.
package classification

import (
	"encoding/base64"
	"slices"
	"strings"
	"time"

	core "github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/fault"
)

const defaultPage = 100

// Service is safe for concurrent use.
type Service struct {
	classifier *core.Classifier
	now        func() time.Time
	rules      []Rule // by id
}

// Rule is one rule of the catalogue with what its file says about it.
type Rule struct {
	core.RuleInfo
	Description
}

// Description is what a rule's file says about it to a reader.
type Description struct {
	Dialect    string // what the file is for, as "claude"
	About      string // the family of messages that it is for
	Provenance string // where its facts come from, and when they were seen
}

// New makes a service on one catalogue. descriptions are those of its rules by
// id; now dates evidence that has no date.
func New(classifier *core.Classifier, descriptions map[string]Description, now func() time.Time) *Service {
	var rules []Rule
	for _, info := range classifier.Rules() {
		rules = append(rules, Rule{RuleInfo: info, Description: descriptions[info.ID]})
	}
	slices.SortFunc(rules, func(a, b Rule) int { return strings.Compare(a.ID, b.ID) })
	return &Service{classifier: classifier, now: now, rules: rules}
}

// Classify names the cause that an envelope shows. What the result quotes is redacted.
func (s *Service) Classify(e evidence.Envelope, explain bool) core.Result {
	if e.ObservedAt.IsZero() {
		e.ObservedAt = s.now().UTC()
	}
	return s.classifier.Classify(evidence.Bounded(e), core.Options{Explain: explain})
}

// Version returns the catalogue's version and digest.
func (s *Service) Version() (version, digest string) {
	return s.classifier.Version(), s.classifier.Digest()
}

// RuleCount returns how many rules the catalogue has.
func (s *Service) RuleCount() int { return len(s.rules) }

// RuleQuery asks for one page of rules.
type RuleQuery struct {
	PageSize  int // 1 to 1000; 100 if 0
	PageToken string
	Code      core.Code // all if ""
	Dialect   string    // all if ""
}

// Rules returns a page of rules by id, and the token of the next page. It fails
// with PAGE_TOKEN_INVALID.
func (s *Service) Rules(q RuleQuery) ([]Rule, string, error) {
	after, err := base64.RawURLEncoding.DecodeString(q.PageToken)
	if err != nil {
		return nil, "", fault.New(fault.InvalidArgument, fault.ReasonPageTokenInvalid, "the page token is damaged or belongs to another list")
	}
	size := q.PageSize
	if size == 0 {
		size = defaultPage
	}
	var page []Rule
	for _, rule := range s.rules {
		if rule.ID <= string(after) || (q.Code != "" && rule.Code != q.Code) || (q.Dialect != "" && rule.Dialect != q.Dialect) {
			continue
		}
		if len(page) == size {
			return page, base64.RawURLEncoding.EncodeToString([]byte(page[size-1].ID)), nil
		}
		page = append(page, rule)
	}
	return page, "", nil
}

// Rule returns one rule; it fails with RULE_NOT_FOUND.
func (s *Service) Rule(id string) (Rule, error) {
	i, ok := slices.BinarySearchFunc(s.rules, id, func(r Rule, id string) int { return strings.Compare(r.ID, id) })
	if !ok {
		return Rule{}, fault.New(fault.NotFound, fault.ReasonRuleNotFound, "there is no rule %q", id).With("rule_id", id)
	}
	return s.rules[i], nil
}
