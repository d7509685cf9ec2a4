package dialect_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/evidence/dialect"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var allKinds = []string{
	"claude", "codex", "gemini", "qwen", "opencode", "copilot", "amp", "auggie", "cursor", "goose", "aider", "kiro", "cline", "grok", "", "other",
}

var allModes = []dialect.Mode{dialect.Text, dialect.JSON, dialect.StreamJSON, dialect.ACP, "nonsense"}

// feed gives each line of input to the channel that its first byte picks.
func feed(p dialect.Parser, input []byte) {
	for line := range bytes.Lines(input) {
		line = bytes.TrimSuffix(line, []byte("\n"))
		if len(line) == 0 {
			continue
		}
		switch rest := line[1:]; line[0] {
		case 'e':
			p.Stderr(rest)
		case 'i':
			p.ACP(dialect.Received, rest)
		case 't':
			p.ACP(dialect.Sent, rest)
		default:
			p.Stdout(rest)
		}
	}
}

// check proves what must be true of every state.
func check(t *testing.T, s dialect.State) {
	t.Helper()
	if len(s.Signals) > evidence.MaxSignals {
		t.Fatalf("%d signals", len(s.Signals))
	}
	if s.Succeeded && s.Failed {
		t.Fatal("succeeded and failed")
	}
	if s.Retrying && (s.Succeeded || s.Failed) {
		t.Fatal("retries after the end")
	}
	if s.RetryAfter < 0 || s.CostUSD < 0 {
		t.Fatalf("negative: %v, %v", s.RetryAfter, s.CostUSD)
	}
	for _, text := range []string{s.NativeSessionID, s.Model, s.Provider, s.AgentVersion, s.RetryCause} {
		checkLabel(t, text)
	}
	for _, signal := range s.Signals {
		if len(signal.Text) > evidence.MaxTextBytes || len(signal.Data) > evidence.MaxTextBytes {
			t.Fatalf("%s of %d and %d bytes", signal.Kind, len(signal.Text), len(signal.Data))
		}
		if !utf8.ValidString(signal.Text) || !utf8.ValidString(signal.Data) || strings.Contains(signal.Text, "\x1b") {
			t.Fatalf("%s is not normalised: %q %q", signal.Kind, signal.Text, signal.Data)
		}
		checkLabel(t, signal.Event)
	}
	if s.Phase != evidence.PhasePostOutput && (s.Effects.AssistantOutput == evidence.EffectSeen || s.Effects.ToolActivity == evidence.EffectSeen) {
		t.Fatalf("effects were seen in phase %q", s.Phase)
	}
}

func checkLabel(t *testing.T, text string) {
	t.Helper()
	if len(text) > 256 || !utf8.ValidString(text) || strings.ContainsAny(text, "\x00\x1b") {
		t.Fatalf("a label of %d bytes: %.80q", len(text), text)
	}
}

func FuzzDialect(f *testing.F) {
	paths, err := filepath.Glob("testdata/*/*.txt")
	require.NoError(f, err)
	for i, path := range paths {
		raw, err := os.ReadFile(path)
		require.NoError(f, err)
		script, _, _ := strings.Cut(string(raw), "====\n")
		head, body, _ := strings.Cut(script, "\n")
		kind, mode, _ := strings.Cut(head, " ")
		for k := range allKinds {
			if allKinds[k] == dialect.Kind(kind) {
				i = k
			}
		}
		m := 0
		for j := range allModes {
			if allModes[j] == dialect.Mode(mode) {
				m = j
			}
		}
		body = strings.NewReplacer("out ", "o", "err ", "e", "in ", "i", "to ", "t").Replace(body)
		f.Add(uint8(i%len(allKinds)), uint8(m), []byte(body), int16(len(body)%3))
	}
	f.Fuzz(func(t *testing.T, kind, mode uint8, input []byte, exit int16) {
		p := dialect.For(allKinds[int(kind)%len(allKinds)], allModes[int(mode)%len(allModes)])
		half := len(input) / 2
		feed(p, input[:half])
		before := p.State()
		check(t, before)
		feed(p, input[half:])
		if exit >= 0 {
			p.Exit(evidence.Exit{Code: int(exit % 256)})
		}
		after := p.State()
		check(t, after)
		if again := p.State(); !assert.ObjectsAreEqual(after, again) {
			t.Fatal("State changes what it reports")
		}
		if before.Effects.ToolActivity == evidence.EffectSeen && after.Effects.ToolActivity != evidence.EffectSeen {
			t.Fatal("a tool was seen, then not")
		}
	})
}

// TestUnreadableOutputProvesNothing breaks the first event that shows an
// effect in every place: no break may make the effect vanish into "none".
func TestUnreadableOutputProvesNothing(t *testing.T) {
	t.Parallel()
	for kind, lines := range map[string][2]string{
		"claude":   {`{"type":"system","subtype":"init","session_id":"s"}`, `{"type":"assistant","message":{"model":"m","content":[{"type":"tool_use","name":"Bash"}]}}`},
		"qwen":     {`{"type":"system","subtype":"init","session_id":"s"}`, `{"type":"assistant","message":{"model":"m","content":[{"type":"tool_use","name":"Bash"}]}}`},
		"codex":    {`{"type":"turn.started"}`, `{"type":"item.started","item":{"id":"i","type":"command_execution","command":"make"}}`},
		"gemini":   {`{"type":"init","session_id":"s"}`, `{"type":"tool_use","tool_name":"run_shell_command"}`},
		"copilot":  {`{"type":"user.message","data":{}}`, `{"type":"tool.execution_start","data":{"toolName":"bash"}}`},
		"cline":    {`{"type":"hook_event","hookEventName":"agent_start"}`, `{"type":"agent_event","event":{"type":"content_start","contentType":"tool"}}`},
		"goose":    {`{"type":"notification"}`, `{"type":"message","message":{"role":"assistant","content":[{"type":"toolRequest"}]}}`},
		"opencode": {`{"type":"step_start","sessionID":"s"}`, `{"type":"tool_use","sessionID":"s","part":{"state":{"output":"x"}}}`},
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			for cut := 1; cut < len(lines[1]); cut++ {
				p := dialect.For(kind, dialect.StreamJSON)
				p.Stdout([]byte(lines[0]))
				p.Stdout([]byte(lines[1][:cut]))
				p.Exit(evidence.Exit{Signal: "SIGKILL"})
				if s := p.State(); s.Effects.ToolActivity == evidence.EffectNone {
					t.Errorf("%s proves that no tool ran", lines[1][:cut])
				}
			}
			p := dialect.For(kind, dialect.StreamJSON)
			p.Stdout([]byte(lines[0]))
			p.Stdout([]byte(lines[1]))
			assert.Equal(t, evidence.EffectSeen, p.State().Effects.ToolActivity)
		})
	}
}

func TestManyGluedEvents(t *testing.T) {
	t.Parallel()
	text := `{"type":"assistant","message":{"model":"m","content":[{"type":"text","text":"x"}]}}`
	tool := `{"type":"assistant","message":{"model":"m","content":[{"type":"tool_use","name":"Bash"}]}}`
	p := dialect.For("claude", dialect.StreamJSON)
	p.Stdout([]byte(strings.Repeat(text, 40) + tool))
	assert.Equal(t, evidence.EffectSeen, p.State().Effects.ToolActivity, "one of 41 events is lost")

	p = dialect.For("claude", dialect.StreamJSON)
	p.Stdout([]byte(strings.Repeat(text, 400) + tool))
	assert.NotEqual(t, evidence.EffectNone, p.State().Effects.ToolActivity, "nobody read to the end, yet no tool is proved")
}

// TestMemoryStaysBounded prints far more than is kept, on every channel.
func TestMemoryStaysBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("limit reached ", 700)
	for _, kind := range allKinds {
		for _, mode := range allModes {
			t.Run(fmt.Sprintf("%s %s", kind, mode), func(t *testing.T) {
				t.Parallel()
				p := dialect.For(kind, mode)
				for i := range 120 {
					p.Stdout(fmt.Appendf(nil, `{"type":"error","message":"%d %s"}`, i, long))
					p.Stderr(fmt.Appendf(nil, "ERROR: %d %s", i, long))
					p.ACP(dialect.Received, fmt.Appendf(nil, `{"id":%d,"method":"session/request_permission","params":{"x":"%s"}}`, i, long))
					p.ACP(dialect.Sent, fmt.Appendf(nil, `{"id":%d,"method":"session/prompt"}`, i))
				}
				s := p.State()
				check(t, s)
				total := len(s.FinalText)
				for _, signal := range s.Signals {
					total += len(signal.Text) + len(signal.Data)
				}
				assert.Less(t, total, 4<<20)
				first, last := s.Signals[0], s.Signals[len(s.Signals)-1]
				assert.True(t, strings.Contains(first.Text+first.Data, "0 limit"), "the head is lost")
				assert.True(t, strings.Contains(last.Text+last.Data, "119 "), "the tail is lost")
			})
		}
	}
}

// hostile are lines that make careless parsers slow or crash.
func hostile(size int) map[string]string {
	return map[string]string{
		"long text":            strings.Repeat("x", size),
		"long JSON string":     `{"type":"assistant","message":{"content":"` + strings.Repeat("y", size) + `"}}`,
		"deep objects":         strings.Repeat(`{"a":`, size/5),
		"deep arrays":          strings.Repeat("[", size),
		"deep closed":          strings.Repeat(`{"a":`, 9000) + "1" + strings.Repeat("}", 9000),
		"too deep closed":      strings.Repeat(`{"type":`, 10500) + "1" + strings.Repeat("}", 10500),
		"many openings":        strings.Repeat(`{"type":"`, size/9),
		"many small objects":   strings.Repeat(`{"type":"x"}`, size/12),
		"many broken objects":  strings.Repeat(`{"type":x}`, size/10),
		"many escapes":         `{"type":"` + strings.Repeat(`\"`, size/2),
		"many keys":            "{" + strings.Repeat(`"a":1,`, size/6) + `"b":2}`,
		"many ANSI":            strings.Repeat("\x1b[31m", size/5),
		"many braces in prose": strings.Repeat("} { ", size/4),
		"retry words":          strings.Repeat("Retrying 1 ", size/11),
	}
}

func TestHostileLines(t *testing.T) {
	t.Parallel()
	for name, line := range hostile(256 << 10) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, kind := range []string{"claude", "codex", "other"} {
				for _, mode := range allModes {
					p := dialect.For(kind, mode)
					p.Stdout([]byte(line))
					p.Stderr([]byte(line))
					p.ACP(dialect.Received, []byte(line))
					check(t, p.State())
				}
			}
		})
	}
}

func BenchmarkDialect(b *testing.B) {
	benchmarks := map[string]struct {
		kind string
		mode dialect.Mode
		line string
	}{
		"claude assistant": {"claude", dialect.StreamJSON, `{"type":"assistant","message":{"model":"claude-sonnet-4-5","id":"msg_1","role":"assistant","content":[{"type":"text","text":"` + strings.Repeat("All tests pass now. ", 50) + `"}],"usage":{"input_tokens":1200,"output_tokens":20}},"session_id":"s","uuid":"u"}`},
		"claude api_retry": {"claude", dialect.StreamJSON, `{"type":"system","subtype":"api_retry","attempt":8,"max_retries":10,"retry_delay_ms":34786,"error_status":529,"error":"overloaded","session_id":"s"}`},
		"codex item":       {"codex", dialect.JSON, `{"type":"item.completed","item":{"id":"item_1","type":"agent_message","text":"` + strings.Repeat("All tests pass now. ", 50) + `"}}`},
		"acp chunk":        {"gemini", dialect.ACP, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"word "}}}}`},
		"plain text":       {"other", dialect.Text, strings.Repeat("compiling package ", 5)},
	}
	for name, line := range hostile(10 << 20) {
		benchmarks["10MB "+name] = struct {
			kind string
			mode dialect.Mode
			line string
		}{"claude", dialect.StreamJSON, line}
	}
	for name, bb := range benchmarks {
		b.Run(name, func(b *testing.B) {
			p := dialect.For(bb.kind, bb.mode)
			line := []byte(bb.line)
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			for b.Loop() {
				p.Stdout(line)
			}
		})
	}
}
