package classification

import (
	"strings"
	"unicode/utf8"

	"github.com/recourse-dev/recourse/core/evidence"
)

// MaxExcerpt is the size in bytes of a result's excerpt.
const MaxExcerpt = 500

// How much of a text is shown before and behind what matched in it.
const (
	excerptBefore = 160
	excerptAfter  = 560
)

// quote is the part of a text that an excerpt shows; the text around it stays,
// for it tells what in the part is secret.
type quote struct {
	text     string
	from, to int
}

// around gives the text about a place of the loaded signal, cut between words.
func (v *view) around(at int32) quote {
	text, raw := v.signal.Text, v.folded.Raw(int(at))
	if text == "" || raw > len(text) {
		if raw > len(text) {
			raw -= len(text)
		}
		text = v.signal.Data
	}
	return window(text, raw)
}

func window(text string, at int) quote {
	at = min(at, len(text))
	from, to := max(0, at-excerptBefore), min(len(text), at+excerptAfter)
	if from > 0 {
		if i := strings.IndexAny(text[from:to], " \n\t"); i >= 0 && i < excerptBefore {
			from += i + 1
		}
	}
	if to < len(text) {
		if i := strings.LastIndexAny(text[from:to], " \n\t"); i > excerptBefore {
			to = from + i
		}
	}
	return quote{text, from, to}
}

// What is read around a quote to redact it.
const (
	contextBefore = 2048
	keyBefore     = 8192 // a private key may begin so far before
	contextAfter  = 1024
)

// normal is the quote within its context, both normalised.
func (q quote) normal() quote {
	low, high := max(0, q.from-contextBefore), min(len(q.text), q.to+contextAfter)
	if far := max(0, q.from-keyBefore); strings.Contains(q.text[far:q.from], "-----BEGIN ") {
		low = far
	}
	before, part, after := clean(q.text[low:q.from]), clean(q.text[q.from:q.to]), clean(q.text[q.to:high])
	if len(before) == q.from-low && len(part) == q.to-q.from && len(after) == high-q.to {
		return quote{q.text[low:high], q.from - low, q.to - low}
	}
	return quote{before + part + after, len(before), len(before) + len(part)}
}

func clean(text string) string { return evidence.Normalise(strings.ToValidUTF8(text, "")) }

// safeExcerpt redacts and bounds an excerpt.
func safeExcerpt(q quote) string {
	q = q.normal()
	text := strings.TrimSpace(evidence.RedactPart(q.text, q.from, q.to))
	if len(text) <= MaxExcerpt {
		return text
	}
	cut := MaxExcerpt
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	if i := strings.LastIndexAny(text[:cut], " \n\t"); i > cut/2 {
		cut = i
	}
	return strings.TrimSpace(text[:cut])
}

// lastWords is the excerpt of an envelope that no rule matches: the end of the
// last text of a channel that may report failures.
func (p *pass) lastWords() string {
	for i := len(p.e.Signals) - 1; i >= 0; i-- {
		if s := p.e.Signals[i]; !s.Prose && !s.Foreign && !s.InFlight && strings.TrimSpace(s.Text) != "" {
			return safeExcerpt(window(s.Text, max(0, len(s.Text)-excerptAfter)))
		}
	}
	return ""
}
