// Package wording has the English words for codes, decisions and next steps.
// Everything else speaks in enums.
package wording

import (
	"fmt"
	"strings"
	"time"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/recovery"
)

// Cause is one line: what failed, in words, with its stable code.
func Cause(s recovery.Summary) string {
	if s.Code == "" {
		return string(s.Reason) + ": " + Why(s) // nothing failed that could be named
	}
	what := meaning(s.Code)
	if who := subject(s); who != "" {
		what += " (" + who + ")"
	}
	return fmt.Sprintf("%s: %s", s.Code, what)
}

// forPeople replaces meanings that are written for whoever makes rules.
var forPeople = map[classification.Code]string{
	classification.Unclassified:         "what failed is not known; the agent's own output says more",
	classification.UnknownProviderError: "the provider refused or failed, for a reason that is not known",
}

func meaning(code classification.Code) string {
	if text, replaced := forPeople[code]; replaced {
		return text
	}
	for _, info := range classification.Codes() {
		if info.Code == code {
			return strings.TrimSuffix(info.Meaning, ".")
		}
	}
	return "no cause was given"
}

func subject(s recovery.Summary) string {
	var parts []string
	for _, part := range []string{s.Provider, s.Model} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ", ")
}

// Until is one line: until when, and who said so.
func Until(s recovery.Summary, now time.Time) string {
	if s.Until.IsZero() {
		return "nobody said until when; " + Why(s)
	}
	return fmt.Sprintf("%s, %s; %s", Instant(s.Until, now), saidBy(s.Receipt), Why(s))
}

func saidBy(r recovery.Receipt) string {
	switch r.Kind {
	case recovery.ReceiptStated:
		return "as stated by " + quoted(r.Source)
	case recovery.ReceiptEstimated:
		return "estimated by " + quoted(r.Source)
	case recovery.ReceiptPerson:
		return "set by " + quoted(r.Source)
	}
	return "nobody said by whom"
}

func quoted(source string) string {
	if source == "" {
		return "an unnamed source"
	}
	return fmt.Sprintf("%q", source)
}

// Instant shows a time on this host's clock with what is left of it.
func Instant(at, now time.Time) string {
	local := at.Local()
	layout := "15:04:05 MST"
	if y, m, d := local.Date(); !sameDay(now.Local(), y, m, d) {
		layout = "Mon 2 Jan 15:04 MST"
	}
	text := local.Format(layout)
	if left := at.Sub(now); left > 0 {
		text += " (in " + Span(left) + ")"
	}
	return text
}

func sameDay(t time.Time, year int, month time.Month, day int) bool {
	y, m, d := t.Date()
	return y == year && m == month && d == day
}

// Span is a duration for people: two units at most.
func Span(d time.Duration) string {
	switch {
	case d < 0:
		return "0s"
	case d < time.Minute:
		return fmt.Sprintf("%ds", int((d+time.Second-1)/time.Second))
	case d < time.Hour:
		return fmt.Sprintf("%dm %02ds", int(d/time.Minute), int(d%time.Minute/time.Second))
	case d < 24*time.Hour:
		return fmt.Sprintf("%dh %02dm", int(d/time.Hour), int(d%time.Hour/time.Minute))
	}
	return fmt.Sprintf("%dd %02dh", int(d/(24*time.Hour)), int(d%(24*time.Hour)/time.Hour))
}

// Ago says how long ago an instant was.
func Ago(at, now time.Time) string {
	if d := now.Sub(at); d >= time.Second {
		return Span(d) + " ago"
	}
	return "now"
}
