package classification_test

import (
	"strings"
	"testing"
	"time"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
)

type (
	rule = classification.Rule
	when = classification.Condition
)

// limit is a rule that most tests start from.
func limit(id string, priority int, w when) rule {
	return rule{ID: id, Code: classification.QuotaLimited, Confidence: classification.High, Scope: classification.ScopeAccount, Priority: priority, When: w}
}

func words(groups ...string) [][]string {
	out := make([][]string, len(groups))
	for i, g := range groups {
		out[i] = strings.Split(g, "|")
	}
	return out
}

func compile(t *testing.T, rules ...rule) *classification.Classifier {
	t.Helper()
	c, err := classification.Compile("1.2.3", "sha256:test", rules, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func stderr(text string) evidence.Signal {
	return evidence.Signal{Kind: evidence.KindStderr, Text: text}
}

func envelope(signals ...evidence.Signal) evidence.Envelope {
	return evidence.Envelope{AgentKind: "claude", Provider: "anthropic", Phase: evidence.PhasePreOutput, ObservedAt: time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC), Signals: signals}
}

func exit(code int, by string) evidence.Signal {
	return evidence.Signal{Kind: evidence.KindProcessExit, ExitCode: &code, EndedBy: by}
}

var conditionCases = []struct {
	name string
	when when
	in   evidence.Signal
	want bool
}{
	{"whole word", when{Text: words("limit")}, stderr("the limit."), true},
	{"longer word", when{Text: words("limit")}, stderr("limitless"), false},
	{"word inside", when{Text: words("limit")}, stderr("unlimit"), false},
	{"underscore continues a word", when{Text: words("limit")}, stderr("rate_limit"), false},
	{"star opens the end", when{Text: words("limit*")}, stderr("limitless"), true},
	{"any case, any blanks", when{Text: words("usage limit")}, stderr("USAGE\n   Limit"), true},
	{"escaped text", when{Text: words(`"usage limit"`)}, stderr(`{\"m\":\"usage limit\"}`), true},
	{"both groups", when{Text: words("usage|session", "reached")}, stderr("session limit reached"), true},
	{"one group only", when{Text: words("usage", "reached")}, stderr("usage limit"), false},
	{"too far apart", when{Text: words("usage", "reached"), Within: 20}, stderr("usage " + strings.Repeat("x ", 40) + "reached"), false},
	{"near enough at the second place", when{Text: words("usage", "reached"), Within: 20}, stderr("usage " + strings.Repeat("x ", 400) + "usage is reached"), true},
	{"excluded", when{Text: words("usage"), None: []string{"docs"}}, stderr("usage docs"), false},
	{"exclusion out of reach", when{Text: words("usage"), None: []string{"docs"}, Within: 20}, stderr("usage" + strings.Repeat(" x", 40) + " docs"), true},
	{"expression", when{Text: words("limit"), Regexp: []string{`limit (is )?reached`}}, stderr("limit is reached"), true},
	{"expression fails", when{Text: words("limit"), Regexp: []string{`limit (is )?reached`}}, stderr("limit was reached"), false},
	{"begins the line", when{Text: words("you've hit"), Sentence: true}, stderr("x\n  ■ You've hit it"), true},
	{"begins behind a colon", when{Text: words("you've hit"), Sentence: true}, stderr("Error: you've hit it"), true},
	{"begins a value", when{Text: words("you've hit"), Sentence: true}, stderr(`{"m":"You’ve hit it"}`), true},
	{"inside a sentence", when{Text: words("you've hit"), Sentence: true}, stderr("it says you've hit it"), false},
	{"alone", when{Text: words("limit"), Alone: 10}, stderr("limit"), true},
	{"not alone", when{Text: words("limit"), Alone: 10}, stderr("limit and much more"), false},
	{"status of the signal", when{Status: []classification.StatusRange{{From: 429, To: 429}}}, evidence.Signal{Kind: evidence.KindHTTP, Status: 429}, true},
	{"status in the text", when{Status: []classification.StatusRange{{From: 500, To: 599}}}, stderr("HTTP 503"), true},
	{"status in a field", when{Status: []classification.StatusRange{{From: 401, To: 401}}}, evidence.Signal{Kind: evidence.KindACPError, Code: -32603, Data: `{"a":{"httpStatusCode":401}}`}, true},
	{"a number is no status", when{Status: []classification.StatusRange{{From: 503, To: 503}}}, stderr("read 503 rows"), false},
	{"field", when{Fields: []classification.Field{{Paths: []string{"error.type"}, Values: []string{"overloaded_error"}}}}, stderr(`x {"error":{"type":"OverloadedError"}}`), true},
	{"field under another key", when{Fields: []classification.Field{{Paths: []string{"error.type"}, Values: []string{"overloaded"}}}}, stderr(`{"warning":{"type":"overloaded"}}`), false},
	{"field in a string of a string", when{Fields: []classification.Field{{Paths: []string{"code"}, Values: []string{"x1"}}}}, stderr(`{"raw":"{\"e\":\"{\\\"code\\\":\\\"x1\\\"}\"}"}`), true},
	{"any value", when{Fields: []classification.Field{{Paths: []string{"list.name"}}}}, stderr(`{"list":[{"name":"n"}]}`), true},
	{"no value", when{Fields: []classification.Field{{Paths: []string{"name"}}}}, stderr(`{"name":null}`), false},
	{"field must not be", when{Text: words("limit"), Fields: []classification.Field{{Paths: []string{"retry"}, Values: []string{"true"}, Not: true}}}, stderr(`limit {"retry":true}`), false},
	{"field is not", when{Text: words("limit"), Fields: []classification.Field{{Paths: []string{"retry"}, Values: []string{"true"}, Not: true}}}, stderr(`limit {"retry":false}`), true},
	{"channel", when{Text: words("limit"), Channels: []evidence.Kind{evidence.KindStdout}}, stderr("limit"), false},
	{"agent", when{Text: words("limit"), Agents: []string{"codex"}}, stderr("limit"), false},
	{"provider excluded", when{Text: words("limit"), Providers: []string{"!anthropic"}}, stderr("limit"), false},
	{"another excluded", when{Text: words("limit"), Providers: []string{"!none"}}, stderr("limit"), true},
	{"phase", when{Text: words("limit"), Phases: []evidence.Phase{evidence.PhasePostOutput}}, stderr("limit"), false},
	{"long wait", when{Text: words("limit"), MinWait: time.Hour}, stderr("limit, try again in 2 hours"), true},
	{"short wait", when{Text: words("limit"), MinWait: time.Hour}, stderr("limit, try again in 2 minutes"), false},
	{"no wait", when{Text: words("limit"), MaxWait: time.Hour}, stderr("limit"), false},
	{"unconfirmed", when{Text: words("limit"), Confirmed: true}, stderr("limit"), false},
	{"prose", when{Text: words("limit")}, evidence.Signal{Kind: evidence.KindACPUpdate, Text: "limit", Prose: true}, false},
	{"foreign", when{Text: words("limit")}, evidence.Signal{Kind: evidence.KindStderr, Text: "limit", Foreign: true}, false},
	{"in flight", when{Text: words("limit")}, evidence.Signal{Kind: evidence.KindStderr, Text: "limit", InFlight: true}, false},
}

func TestConditions(t *testing.T) {
	t.Parallel()
	for _, c := range conditionCases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := compile(t, limit("a.b", 10, c.when)).Classify(envelope(c.in), classification.Options{Explain: true})
			if got := r.Code == classification.QuotaLimited; got != c.want {
				t.Errorf("matched %v, want %v; %+v", got, c.want, r.Explain.Candidates)
			}
		})
	}
}

func TestManySignals(t *testing.T) {
	t.Parallel()
	quota := limit("q.quota", 50, when{Text: words("quota")})
	auth, minor := rule{ID: "a.auth", Code: classification.AuthRequired, Confidence: classification.High, Priority: 50, When: when{Text: words("token")}}, rule{ID: "n.net", Code: classification.NetworkUnavailable, Confidence: classification.Medium, Priority: 10, When: when{Text: words("socket")}}
	clean := rule{ID: "o.clean", Effect: classification.EffectRecovered, Clears: []evidence.Kind{evidence.KindStderr}, When: when{Fields: []classification.Field{{Paths: []string{"exit.code"}, Values: []string{"0"}}}}}
	won := rule{ID: "o.won", Effect: classification.EffectRecovered, When: when{Fields: []classification.Field{{Paths: []string{"event"}, Values: []string{"done"}}}}}
	noise, retry := rule{ID: "o.noise", Effect: classification.EffectNoise, When: when{Text: words("warning")}}, rule{ID: "o.retry", Effect: classification.EffectRetrying, When: when{Text: words("retrying")}}
	vouch := rule{ID: "o.vouch", Effect: classification.EffectVouch, When: when{Fields: []classification.Field{{Paths: []string{"status.type"}, Values: []string{"systemError"}}}}}
	mark := rule{ID: "o.mark", Effect: classification.EffectMark, When: when{Text: words("prelude"), Prose: true}}
	sequel := rule{ID: "s.sequel", Code: classification.ModelCapacity, Confidence: classification.High, Priority: 90, When: when{Text: words("sequel"), After: []string{"o.mark"}}}
	sticky := rule{ID: "t.sticky", Code: classification.TaskError, Confidence: classification.High, Priority: 40, Sticky: true, When: when{Text: words("lies")}}
	c := compile(t, quota, auth, minor, clean, won, noise, retry, vouch, mark, sequel, sticky)
	said := func(text, data string) evidence.Signal {
		return evidence.Signal{Kind: evidence.KindACPUpdate, Text: text, Data: data, Prose: true}
	}
	done := evidence.Signal{Kind: evidence.KindResultEvent, Event: "done"}
	for _, x := range []struct {
		name    string
		signals []evidence.Signal
		code    classification.Code
		rule    string
	}{
		{"the higher priority wins", []evidence.Signal{stderr("quota"), stderr("socket")}, classification.QuotaLimited, "q.quota"},
		{"of equals the later wins", []evidence.Signal{stderr("quota"), stderr("token")}, classification.AuthRequired, "a.auth"},
		{"equals in one signal conflict", []evidence.Signal{stderr("quota token")}, classification.Unclassified, "a.auth"},
		{"a success takes all back", []evidence.Signal{stderr("quota"), done}, classification.Unclassified, ""},
		{"what follows a success counts", []evidence.Signal{done, stderr("quota")}, classification.QuotaLimited, "q.quota"},
		{"a clean exit takes printed lines back", []evidence.Signal{stderr("quota"), exit(0, "")}, classification.Unclassified, ""},
		{"it leaves other channels", []evidence.Signal{{Kind: evidence.KindHTTP, Text: "quota"}, exit(0, "")}, classification.QuotaLimited, "q.quota"},
		{"it leaves what sticks", []evidence.Signal{stderr("lies"), exit(0, "")}, classification.TaskError, "t.sticky"},
		{"a success takes even that", []evidence.Signal{stderr("lies"), done}, classification.Unclassified, ""},
		{"noise is left out", []evidence.Signal{stderr("warning: quota")}, classification.Unclassified, ""},
		{"noise hides no other signal", []evidence.Signal{stderr("warning: quota"), stderr("socket")}, classification.NetworkUnavailable, "n.net"},
		{"a retry is no failure", []evidence.Signal{stderr("quota, retrying in 7s")}, classification.Unclassified, ""},
		{"cut short by the supervisor it is", []evidence.Signal{stderr("quota, retrying in 7s"), exit(143, "supervisor")}, classification.QuotaLimited, "q.quota"},
		{"in a child that is gone it is", []evidence.Signal{stderr("quota, retrying in 7s"), exit(1, "")}, classification.QuotaLimited, "q.quota"},
		{"in a child that ended well it is not", []evidence.Signal{{Kind: evidence.KindResultEvent, Text: "quota", InFlight: true}, exit(0, "")}, classification.Unclassified, ""},
		{"stopped by a person it is not", []evidence.Signal{stderr("quota, retrying in 7s"), exit(143, "user")}, classification.Unclassified, ""},
		{"prose is nothing", []evidence.Signal{said("quota", "")}, classification.Unclassified, ""},
		{"prose that is vouched for counts", []evidence.Signal{{Kind: evidence.KindACPUpdate, Data: `{"status":{"type":"systemError"}}`}, said("quota", "")}, classification.QuotaLimited, "q.quota"},
		{"vouched for in the same signal", []evidence.Signal{said("quota", `{"status":{"type":"systemError"}}`)}, classification.QuotaLimited, "q.quota"},
		{"prose vouches for nothing itself", []evidence.Signal{said(`quota {"status":{"type":"systemError"}}`, "")}, classification.Unclassified, ""},
		{"nor what a tool was given", []evidence.Signal{said("quota", `{"tool_input":{"status":{"type":"systemError"}}}`)}, classification.Unclassified, ""},
		{"a sequence", []evidence.Signal{said("prelude", ""), stderr("sequel")}, classification.ModelCapacity, "s.sequel"},
		{"its end alone is nothing", []evidence.Signal{stderr("sequel")}, classification.Unclassified, ""},
		{"its order matters", []evidence.Signal{stderr("sequel"), said("prelude", "")}, classification.Unclassified, ""},
		{"nothing at all", nil, classification.Unclassified, ""},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			r := c.Classify(envelope(x.signals...), classification.Options{})
			if r.Code != x.code || r.RuleID != x.rule {
				t.Errorf("got %s by %q, want %s by %q", r.Code, r.RuleID, x.code, x.rule)
			}
			if r.Class != classification.ClassOf(r.Code) {
				t.Errorf("class %s does not belong to %s", r.Class, r.Code)
			}
		})
	}
}

func TestConflictNamesBoth(t *testing.T) {
	t.Parallel()
	c := compile(t, limit("a.one", 10, when{Text: words("quota")}),
		rule{ID: "b.two", Code: classification.AuthRequired, Confidence: classification.High, Priority: 10, When: when{Text: words("token")}})
	r := c.Classify(envelope(stderr("quota and token")), classification.Options{Explain: true})
	if both := r.RuleID + " " + r.ConflictsWith; both != "b.two a.one" && both != "a.one b.two" {
		t.Errorf("named %q", both)
	}
	if r.Code != classification.Unclassified || r.Confidence != classification.Low {
		t.Errorf("a conflict is %s at %s", r.Code, r.Confidence)
	}
	ties := map[string]string{"a.one": "ties with b.two", "b.two": "ties with a.one"}
	for _, k := range r.Explain.Candidates {
		if k.Won || k.Lost != ties[k.RuleID] {
			t.Errorf("%s won %v, lost because %q", k.RuleID, k.Won, k.Lost)
		}
		delete(ties, k.RuleID)
	}
	if len(ties) > 0 {
		t.Errorf("the explanation does not show %v", ties)
	}
}

func TestOwnRetryIsReported(t *testing.T) {
	t.Parallel()
	c := compile(t, limit("a.one", 10, when{Text: words("quota")}))
	s := stderr("quota, retrying in 35 seconds")
	s.InFlight = true
	r := c.Classify(envelope(s), classification.Options{})
	if !r.AgentRetrying || r.AgentRetryAfter != 35*time.Second || r.RetryAfterSet {
		t.Errorf("retrying %v after %v, hint %v", r.AgentRetrying, r.AgentRetryAfter, r.RetryAfterSet)
	}
}

func TestCompileErrors(t *testing.T) {
	t.Parallel()
	ok := limit("a.ok", 1, when{Text: words("quota")})
	for name, r := range map[string]rule{
		"twice":             ok,
		"empty id":          limit("", 1, when{Text: words("quota")}),
		"everything":        limit("a.b", 1, when{}),
		"unknown code":      {ID: "a.b", Code: "nonsense", When: when{Text: words("quota")}},
		"code with effect":  {ID: "a.b", Code: classification.AuthRequired, Effect: classification.EffectNoise, When: when{Text: words("quota")}},
		"bad expression":    limit("a.b", 1, when{Text: words("quota"), Regexp: []string{"(?=x)"}}),
		"bare expression":   limit("a.b", 1, when{Channels: []evidence.Kind{evidence.KindHTTP}, Regexp: []string{"x"}}),
		"short literal":     limit("a.b", 1, when{Text: words("q")}),
		"empty group":       limit("a.b", 1, when{Text: [][]string{{}}}),
		"bad status":        limit("a.b", 1, when{Status: []classification.StatusRange{{From: 500, To: 400}}}),
		"unknown after":     limit("a.b", 1, when{Text: words("quota"), After: []string{"x.y"}}),
		"action upon prose": limit("a.b", 1, when{Text: words("quota"), Prose: true}),
	} {
		if _, err := classification.Compile("1", "d", []rule{ok, r}, nil); err == nil {
			t.Errorf("%s: compiled", name)
		} else if r.ID != "" && !strings.Contains(err.Error(), r.ID) {
			t.Errorf("%s: %v does not name the rule", name, err)
		}
	}
}

func TestEveryCodeHasAClassAndAMeaning(t *testing.T) {
	t.Parallel()
	seen := map[classification.Code]bool{}
	for _, i := range classification.Codes() {
		if i.Class == "" || i.Scope == "" || i.Meaning == "" || seen[i.Code] {
			t.Errorf("%+v is incomplete or listed twice", i)
		}
		seen[i.Code] = true
	}
	if classification.ClassOf("new_code") != classification.ClassUnclassified {
		t.Error("a code without a class is not unclassified")
	}
}
