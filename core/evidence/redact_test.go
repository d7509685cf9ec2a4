package evidence_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestRedactSecrets(t *testing.T) {
	t.Parallel()
	for _, s := range secrets {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			text := strings.Replace(s.text, "%s", s.value, 1)
			got := evidence.Redact(text)
			assert.Equal(t, s.want, got)
			assert.NotContains(t, got, s.value)
			assert.Equal(t, got, evidence.Redact(got), "redacting again changes the text")
			if s.hasJSON {
				assert.True(t, json.Valid([]byte(text)), "the test's own JSON is broken")
				assert.True(t, json.Valid([]byte(got)), "%s is no longer JSON", got)
			}
		})
	}
}

// harmless are texts that rules match, or names that look like credentials.
var harmless = []string{
	"model gpt-5.3-codex-spark claude-haiku-4-5-20251001 models/gemini-2.5-flash deepseek-r1-0528 grok-4-fast-reasoning",
	"anthropic.claude-sonnet-4-5-20250929-v1:0 accounts/fireworks/models/kimi-k2-instruct gpt-oss:20b qwen3-coder-480b-a35b-instruct",
	"@ai-sdk/openai-compatible@1.0.22 @anthropic-ai/claude-code react@18.2.0 sk-toggleable__content sk-learn task-1234567890 risk-assessment-2026",
	"Invalid API key · Please run /login", "API key not valid. Please pass a valid API key.", "Missing bearer or basic authentication in header",
	"Invalid 'refresh_token': empty string. Expected a string with minimum length 1", "token: expired", "password: incorrect", "authorization: required",
	`{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"},"request_id":""}`,
	`"max_tokens": 16384, "input_tokens": 213462, "output_tokens":20`, "error_code=refresh_token_reused", "Used 28211, Requested 5289. Please try again in 7s.",
	`"resets_at":1775317531,"resets_in_seconds":602705`, "Claude AI usage limit reached|1753441200", "retry-after: 135734", "2026-11-30T15:24:39.236045Z ERROR codex_acp::thread: Unhandled",
	"http://127.0.0.1:8080/v1/responses ECONNREFUSED ::1:443 0.0.0.0", "Chrome/120.0.0.0 v1.2.3.4 std::io::Error dead::beef 12:34:56", "(os error 10061)",
	"git@github.com: Permission denied (publickey).", "git@gitlab.example:group/repo.git", "fatal: '/srv/src/repo' already exists",
	"You have reached your specified API usage limits. You will regain access on 2025-12-01 at 00:00 UTC.", "$OPENAI_API_KEY is not set, export OPENAI_API_KEY=$KEY",
	"sha 9fceb02d0ae598e95dc970b74767f19372d61af8 sha256:9fceb02d0ae598e95dc970b74767f19372d61af89fceb02d0ae598e95dc970b7",
	"Rate limit reached for gpt-5 in organization org-x on tokens per min (TPM): Limit 30000", "Enable JavaScript and cookies to continue", "https://claude.ai/settings/usage?tab=plan",
	"You've hit your session limit · resets 4:20pm (Asia/Tbilisi)", "account: suspended", "the --token option --password required --api-key-file", "project: unknown", "key: value", "state=closed code=429 user=none",
}

func TestRedactKeepsWhatRulesMatch(t *testing.T) {
	t.Parallel()
	for _, text := range harmless {
		assert.Equal(t, text, evidence.Redact(text))
	}
}

func TestRedactEnvelope(t *testing.T) {
	t.Parallel()
	key := "sk-" + "ant-api03-" + fill(30)
	before := evidence.Envelope{
		WorkspaceID: "ws_1", SessionID: "s_1", Model: "claude-sonnet-4-5",
		Signals: []evidence.Signal{{
			Kind: evidence.KindHTTP, Text: "bad " + key, Data: `{"k":"` + key + `"}`, Event: "error", Status: 401,
			Headers: map[string]string{"authorization": "x", "cookie": "y", "retry-after": "7", "x-note": key, "request-id": "z"},
		}},
	}
	got := evidence.RedactEnvelope(before)
	want := before
	want.Signals = []evidence.Signal{{
		Kind: evidence.KindHTTP, Text: "bad [redacted:api_key]", Data: `{"k":"[redacted:api_key]"}`, Event: "error", Status: 401,
		Headers: map[string]string{"authorization": "[redacted:token]", "cookie": "[redacted:cookie]", "retry-after": "7", "x-note": "[redacted:api_key]", "request-id": "[redacted:request_id]"},
	}}
	assert.Equal(t, want, got)
	assert.Equal(t, "x", before.Signals[0].Headers["authorization"], "the caller's envelope was changed")
}

// separators stand between a secret and what surrounds it.
var separators = []string{" ", "\n", "\t", "(", "[", "<", ", ", "; ", " — ", "\u00a0", " \u201c"}

func TestRedactFindsSecretsAmongNoise(t *testing.T) {
	t.Parallel()
	around := rapid.OneOf(rapid.SampledFrom(harmless), rapid.StringMatching(`[a-z ,.:=/"'{}-]{0,40}`))
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SampledFrom(secrets).Draw(t, "secret")
		left := rapid.SampledFrom(separators).Draw(t, "left")
		text := around.Draw(t, "before") + left + strings.Replace(s.text, "%s", s.value, 1) + "\n" + around.Draw(t, "after")
		got := evidence.Redact(text)
		if strings.Contains(got, s.value) {
			t.Fatalf("%s survives in %q", s.name, got)
		}
		if again := evidence.Redact(got); again != got {
			t.Fatalf("not idempotent:\n%q\n%q", got, again)
		}
	})
}

func FuzzRedact(f *testing.F) {
	for i, s := range secrets {
		f.Add(s.text, uint8(i), harmless[i%len(harmless)])
	}
	f.Fuzz(func(t *testing.T, before string, which uint8, after string) {
		// A credential that is known by its own shape is found wherever it
		// stands, whatever is around it.
		s := secrets[int(which)%len(secrets)]
		text := before + "\n" + strings.Replace(s.text, "%s", s.value, 1) + "\n" + after
		got := evidence.Redact(text)
		if standsAlone(s) && strings.Count(got, s.value) > strings.Count(before, s.value)+strings.Count(after, s.value) {
			t.Fatalf("%s survives in %q", s.name, got)
		}
		if again := evidence.Redact(got); again != got {
			t.Fatalf("not idempotent:\n%q\n%q", got, again)
		}
		if json.Valid([]byte(before)) && !json.Valid([]byte(evidence.Redact(before))) {
			t.Fatalf("JSON is broken: %q became %q", before, evidence.Redact(before))
		}
	})
}

// standsAlone reports secrets that need no context to be recognised.
func standsAlone(s secret) bool {
	return strings.Contains(evidence.Redact("\n"+s.value+"\n"), "[redacted:")
}

func BenchmarkRedact(b *testing.B) {
	clean := strings.Repeat(strings.Join(harmless, "\n")+"\n", 2)
	var dirty strings.Builder
	for _, s := range secrets {
		dirty.WriteString(strings.Replace(s.text, "%s", s.value, 1) + "\n" + harmless[0] + "\n")
	}
	for name, text := range map[string]string{
		"clean": clean, "secrets": dirty.String(),
		"equals10MB": strings.Repeat("=", 10<<20), "hex10MB": strings.Repeat("0a:", 10<<20/3), "pem1MB": strings.Repeat("-----BEGIN "+"PRIVATE KEY-----.", 1<<20/28),
		"quotes1MB": strings.Repeat(`password":"\`, 1<<20/12), "at1MB": strings.Repeat("a@a.", 1<<20/4),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				evidence.Redact(text)
			}
		})
	}
}
