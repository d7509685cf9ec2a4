package secret

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode/utf16"

	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// quoted is a text inside a JSON string.
func quoted(text string) string {
	out, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(out)
}

// A wrapping is what stands around a secret.
type wrapping struct {
	name string
	wrap func(r *rand.Rand, p planted) string
}

var wrappings = []wrapping{
	{"sentence", func(_ *rand.Rand, p planted) string { return "Error: the call with " + p.text + "\nwas refused" }},
	{"behind a cause", func(_ *rand.Rand, p planted) string {
		return p.text + "\nError: You've hit your usage limit. Try again in 3 hours."
	}},
	{"before a cause", func(_ *rand.Rand, p planted) string { return "API Error: 529 Overloaded (" + p.text + ")" }},
	{"json", func(_ *rand.Rand, p planted) string {
		return `{"type":"error","error":{"type":"authentication_error","message":` + quoted("invalid credential "+p.text+" given") + `}}`
	}},
	{"escaped json", func(_ *rand.Rand, p planted) string {
		return `{"raw":` + quoted(`{"error":{"code":429,"message":`+quoted("limit of "+p.text)+`}}`) + `}`
	}},
	{"json escaped three times", func(_ *rand.Rand, p planted) string {
		return quoted(quoted(`{"body":` + quoted(`{"note":`+quoted(p.text)+`}`) + `}`))
	}},
	{"truncated json", func(_ *rand.Rand, p planted) string {
		return `{"error":{"type":"rate_limit_error","message":` + strings.TrimSuffix(quoted("exceeded for "+p.text), `"`)
	}},
	{"terminal colours inside", func(r *rand.Rand, p planted) string {
		at := r.IntN(len(p.text))
		return "key \x1b[31m" + p.text[:at] + "\x1b[1m\x1b]8;;\x07" + p.text[at:] + "\x1b[0m failed"
	}},
	{"what prints nothing inside", func(r *rand.Rand, p planted) string {
		at := r.IntN(len(p.text))
		return "key " + p.text[:at] + []string{"\x00", "\u200b", "\x7f", "\ufeff"}[r.IntN(4)] + p.text[at:] + " failed"
	}},
	{"UTF-16", func(_ *rand.Rand, p planted) string {
		var b strings.Builder
		for _, unit := range utf16.Encode([]rune("the key " + p.text + " failed")) {
			b.WriteByte(byte(unit))
			b.WriteByte(byte(unit >> 8))
		}
		return b.String()
	}},
	{"wrapped by a terminal", func(r *rand.Rand, p planted) string {
		if p.words {
			return p.text
		}
		at := len(p.text) - len(p.hide) + 12 + r.IntN(max(1, len(p.hide)-24))
		return "key \x1b[31m" + p.text[:at] + "\x1b[0m\r\n\x1b[31m" + p.text[at:] + "\x1b[0m\r\nfailed"
	}},
	{"over the cut of a long text", func(r *rand.Rand, p planted) string {
		line := "2026-06-01 INFO all is well with the request\n"
		half := strings.Repeat(line, 182)[:8180-r.IntN(len(p.text)+40)]
		return half + " " + p.text + " " + strings.Repeat(line, 300)
	}},
	{"before the tail of a long text", func(r *rand.Rand, p planted) string {
		line := "2026-06-01 INFO all is well with the request\n"
		tail := strings.Repeat(line, 182)[:8188-r.IntN(len(p.text)+20)]
		return strings.Repeat(line, 300) + " " + p.text + " " + tail
	}},
}

// A channel puts a text into one signal.
type channel struct {
	name string
	put  func(text string) *recoursev1.Signal
}

func httpSignal(h *recoursev1.HttpSignal) *recoursev1.Signal {
	return &recoursev1.Signal{Channel: &recoursev1.Signal_Http{Http: h}}
}

var channels = []channel{
	{"http body", func(x string) *recoursev1.Signal {
		return httpSignal(&recoursev1.HttpSignal{Status: 429, Body: x, Headers: map[string]string{"retry-after": "7"}})
	}},
	{"http header", func(x string) *recoursev1.Signal {
		return httpSignal(&recoursev1.HttpSignal{Status: 503, Headers: map[string]string{"X-Debug-Note": x, "retry-after": x}})
	}},
	{"acp message", func(x string) *recoursev1.Signal {
		return &recoursev1.Signal{Channel: &recoursev1.Signal_AcpError{AcpError: &recoursev1.AcpErrorSignal{Code: -32603, Message: x}}}
	}},
	{"acp data", func(x string) *recoursev1.Signal {
		return &recoursev1.Signal{Channel: &recoursev1.Signal_AcpError{AcpError: &recoursev1.AcpErrorSignal{Code: -32603, Message: "Internal error", Data: x}}}
	}},
	{"acp update", func(x string) *recoursev1.Signal {
		return &recoursev1.Signal{Prose: true, Channel: &recoursev1.Signal_AcpUpdate{AcpUpdate: &recoursev1.AcpUpdateSignal{Kind: "agent_message_chunk", Text: x, Data: quoted(x)}}}
	}},
	{"acp result", func(x string) *recoursev1.Signal {
		return &recoursev1.Signal{Channel: &recoursev1.Signal_AcpResult{AcpResult: &recoursev1.AcpResultSignal{StopReason: "end_turn", Data: x}}}
	}},
	{"stderr", func(x string) *recoursev1.Signal {
		return &recoursev1.Signal{Channel: &recoursev1.Signal_Stderr{Stderr: &recoursev1.TextSignal{Text: x}}}
	}},
	{"stdout", func(x string) *recoursev1.Signal {
		return &recoursev1.Signal{Channel: &recoursev1.Signal_Stdout{Stdout: &recoursev1.TextSignal{Text: x}}}
	}},
	{"result event", func(x string) *recoursev1.Signal {
		return &recoursev1.Signal{Channel: &recoursev1.Signal_ResultEvent{ResultEvent: &recoursev1.ResultEventSignal{Type: "turn.failed", Data: x, Text: x, Status: 429}}}
	}},
	{"labels", func(x string) *recoursev1.Signal {
		return &recoursev1.Signal{Channel: &recoursev1.Signal_ResultEvent{ResultEvent: &recoursev1.ResultEventSignal{Type: x}}}
	}},
	{"spawn error", func(x string) *recoursev1.Signal {
		return &recoursev1.Signal{Channel: &recoursev1.Signal_ProcessExit{ProcessExit: &recoursev1.ProcessExitSignal{SpawnError: x, Signal: x}}}
	}},
	{"in flight", func(x string) *recoursev1.Signal {
		return &recoursev1.Signal{InFlight: true, Channel: &recoursev1.Signal_Stderr{Stderr: &recoursev1.TextSignal{Text: "Retrying in 7 seconds after " + x}}}
	}},
	{"foreign", func(x string) *recoursev1.Signal {
		return &recoursev1.Signal{Foreign: true, Channel: &recoursev1.Signal_Stderr{Stderr: &recoursev1.TextSignal{Text: x}}}
	}},
}

// secretHeaders carry a value that no shape tells.
var secretHeaders = []string{
	"Authorization", "Proxy-Authorization", "X-Api-Key", "Cookie", "Set-Cookie", "X-Auth-Token", "X-Goog-Api-Key", "Api-Key",
	"X-Client-Secret", "X-Vault-Token", "Anthropic-Organization-Id", "Openai-Organization", "Request-Id", "X-Request-Id", "X-Amz-Security-Token",
}

// plant makes an envelope with a secret in every channel, and files what it planted.
func plant(r *rand.Rand, w *watch) *recoursev1.EvidenceEnvelope {
	e := &recoursev1.EvidenceEnvelope{
		AgentKind: []string{"claude", "codex", "gemini", "opencode", ""}[r.IntN(5)], Provider: "anthropic", Phase: recoursev1.Phase_PHASE_PRE_OUTPUT,
		Effects: &recoursev1.Effects{},
	}
	for _, c := range r.Perm(len(channels)) {
		p := shapes[r.IntN(len(shapes))](r)
		wrap := wrappings[r.IntN(len(wrappings))]
		w.hide(fmt.Sprintf("%s in %s of %s", p.shape, wrap.name, channels[c].name), p.hide)
		e.Signals = append(e.Signals, channels[c].put(wrap.wrap(r, p)))
	}
	headers := map[string]string{}
	for _, name := range secretHeaders {
		headers[name] = mixed(r, 30)
		w.hide("the header "+name, headers[name])
	}
	p := shapes[r.IntN(len(shapes))](r)
	w.hide(p.shape+" in a label", p.hide)
	e.Model = p.text[:min(len(p.text), 128)]
	e.Signals = append(e.Signals, httpSignal(&recoursev1.HttpSignal{Status: 401, Headers: headers}))
	return e
}
