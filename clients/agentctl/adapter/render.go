package adapter

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Event reports whether a line of output is one of an agent's events, also
// when it was cut or two were glued together. Other lines are for people.
func Event(line []byte) bool {
	line = bytes.TrimSpace(line)
	if len(line) < 2 || line[0] != '{' {
		return false
	}
	var event struct {
		Type *string `json:"type"`
	}
	if json.Unmarshal(line, &event) == nil {
		return event.Type != nil
	}
	return bytes.Contains(line, []byte(`"type":"`))
}

// Renderer prints what an adapted agent's text mode would have printed while
// it works. The final text is not its business: whether there is one is known
// only when the run has ended for good.
type Renderer struct {
	kind string
	out  io.Writer
	err  io.Writer
}

// Renderer prints to the given streams.
func (p Plan) Renderer(out, err io.Writer) *Renderer {
	return &Renderer{kind: p.Kind, out: out, err: err}
}

// Stdout takes one line of the agent's standard output. Lines that are no
// event pass through as they are.
func (r *Renderer) Stdout(line []byte, torn bool) {
	if !Event(line) {
		_, _ = r.out.Write(line)
		if !torn {
			_, _ = r.out.Write([]byte{'\n'})
		}
		return
	}
	if r.kind == "codex" {
		r.codex(line)
	}
}

// codex shows the commands that run, as Codex's text mode does on standard error.
func (r *Renderer) codex(line []byte) {
	var event struct {
		Type string `json:"type"`
		Item struct {
			Type     string `json:"type"`
			Command  string `json:"command"`
			ExitCode *int   `json:"exit_code"`
		} `json:"item"`
	}
	if json.Unmarshal(line, &event) != nil || event.Item.Type != "command_execution" {
		return
	}
	switch event.Type {
	case "item.started":
		fmt.Fprintf(r.err, "exec %s\n", oneLine(event.Item.Command))
	case "item.completed":
		if code := event.Item.ExitCode; code != nil && *code != 0 {
			fmt.Fprintf(r.err, "exited %d: %s\n", *code, oneLine(event.Item.Command))
		}
	}
}

// oneLine keeps a command from drawing on the terminal.
func oneLine(text string) string {
	const most = 200
	text = strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f || c >= 0x80 && c < 0xa0 {
			return ' '
		}
		return c
	}, text)
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
