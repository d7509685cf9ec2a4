package classification

import (
	"slices"
	"strconv"
	"strings"

	"github.com/recourse-dev/recourse/core/classification/scan"
	"github.com/recourse-dev/recourse/core/evidence"
)

// pairs looks at every field of a text that may hold JSON.
func (v *view) pairs(c *Classifier, text string) {
	if text == "" {
		return
	}
	scan.Pairs(text, func(p scan.Pair) bool {
		if v.trusting || !inProse(p.Path) {
			v.field(c, p.Path, p.Value, fromBody)
		}
		return true
	})
}

// inProse reports whether a path leads into what a model wrote.
func inProse(path []string) bool {
	for _, k := range path {
		switch k {
		case "content", "text", "tool_input", "input", "rawInput", "rawOutput", "message":
			return true
		}
	}
	return false
}

// ownFields adds what a signal states outside of texts.
func (v *view) ownFields(c *Classifier, s evidence.Signal) {
	switch s.Kind {
	case evidence.KindHTTP:
		v.keys = v.keys[:0]
		for name := range s.Headers {
			v.keys = append(v.keys, name)
		}
		slices.Sort(v.keys)
		for _, name := range v.keys {
			v.field(c, []string{"header", name}, s.Headers[name], headerSource(s.Headers, name))
		}
	case evidence.KindACPError:
		v.field(c, []string{"acp", "code"}, strconv.Itoa(s.Code), fromBody)
		v.addStatus(c, s.Code)
	case evidence.KindProcessExit:
		if s.ExitCode != nil {
			v.field(c, []string{"exit", "code"}, exitCode(*s.ExitCode), fromBody)
		}
		v.field(c, []string{"exit", "signal"}, s.ExitSignal, fromBody)
	}
	if s.EndedBy != "" {
		v.field(c, []string{"exit", "by"}, s.EndedBy, fromBody)
	}
	if s.Event != "" {
		v.field(c, []string{"event"}, s.Event, fromBody)
	}
}

// exitCode spells an exit code; a negative one, which is a signal's number, as sigN.
func exitCode(n int) string {
	if n < 0 {
		return "sig" + strconv.Itoa(-n)
	}
	return strconv.Itoa(n)
}

// statusKeys are the fields whose value may be an HTTP status.
var statusKeys = []string{
	"status", "statuscode", "httpstatuscode", "httpstatus", "code", "errorstatus", "apierrorstatus", "errorcode", "httpcode",
}

// fieldSource says where a field stood, and whether a time in it may count.
type fieldSource int

const (
	fromBody fieldSource = iota
	fromHeader
	fromOpenWindow // a header about a window that still has room: its reset is no hint
)

// windowFlags are the headers that say whether a window is the one that blocks:
// what replaces the end of the reset's name, and the value that blocks.
var windowFlags = []struct{ reset, flag, blocked string }{
	{"-reset", "-status", "rejected"},
	{"-reset-at", "-used-percent", "100"},
	{"-reset-after-seconds", "-used-percent", "100"},
}

func headerSource(headers map[string]string, name string) fieldSource {
	for _, w := range windowFlags {
		if window, ok := strings.CutSuffix(name, w.reset); ok {
			if flag, told := headers[window+w.flag]; told && flag != w.blocked {
				return fromOpenWindow
			}
		}
	}
	return fromHeader
}

func (v *view) field(c *Classifier, path []string, value string, source fieldSource) {
	name := appendNormal(v.nameBuf[0], path[len(path)-1], 64)
	entry, known := c.fields.byKey[string(name)]
	if !known {
		return
	}
	if entry.status && len(value) == 3 {
		if n, err := strconv.Atoi(value); err == nil && n >= 400 {
			v.addStatus(c, n)
		}
	}
	if entry.hint && source != fromOpenWindow && len(v.stated) < maxFieldHint {
		v.stated = append(v.stated, fieldHint{string(name), path[len(path)-1], value, source == fromHeader})
	}
	if len(entry.atoms) == 0 {
		return
	}
	norm := appendNormal(v.nameBuf[1], value, 128)
	for _, id := range entry.atoms {
		if a := &c.fields.atoms[id]; !v.atoms[id] && a.satisfied(path, norm) {
			v.atoms[id] = true
			v.set = append(v.set, id)
			for _, r := range a.triggers {
				v.enqueue(r)
			}
		}
	}
}
