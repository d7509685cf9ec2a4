package classification

import (
	"strings"
	"unicode/utf8"

	"github.com/recourse-dev/recourse/core/evidence"
)

// MaxExcerpt is the size in bytes of a result's excerpt.
const MaxExcerpt = 500

// excerptRoom is read around a match: enough that redaction sees whole words.
const (
	excerptBefore = 160
	excerptAfter  = 560
)

// around gives the text about a place of the loaded signal, cut between words.
func (v *view) around(at int32) string {
	text, raw := v.signal.Text, v.folded.Raw(int(at))
	if text == "" || raw > len(text) {
		if raw > len(text) {
			raw -= len(text)
		}
		text = v.signal.Data
	}
	return window(text, raw)
}

func window(text string, at int) string {
	at = min(at, len(text))
	from, to := max(0, at-excerptBefore), min(len(text), at+excerptAfter)
	part := text[from:to]
	if from > 0 {
		if i := strings.IndexAny(part, " \n\t"); i >= 0 && i < excerptBefore {
			part = part[i+1:]
		}
	}
	if to < len(text) {
		if i := strings.LastIndexAny(part, " \n\t"); i > excerptBefore {
			part = part[:i]
		}
	}
	return part
}

// safeExcerpt redacts and bounds an excerpt.
func safeExcerpt(text string) string {
	text = strings.TrimSpace(evidence.Redact(evidence.Normalise(strings.ToValidUTF8(text, ""))))
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
