package catalogue

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	cataloguev1 "github.com/recourse-dev/recourse/gen/go/recourse/catalogue/v1"
)

// clue is something in a failure's evidence that a rule can look for.
type clue struct {
	signal int    // where it stands
	path   string // of a field, "" for words
	raw    string // the value or the words as they stand
	score  int    // how telling words are
}

// String tells it to a person.
func (k clue) String() string {
	if k.path != "" {
		return fmt.Sprintf("the field %s with the value %q", k.path, k.raw)
	}
	return fmt.Sprintf("the words %q", k.raw)
}

// rule looks for the clue.
func (k clue) rule(w Wish, e evidence.Envelope, priority int) *cataloguev1.Rule {
	r := &cataloguev1.Rule{
		Id: w.ID, About: w.About, Code: string(w.Code), Priority: int32(priority), When: &cataloguev1.When{},
		Provenance: &cataloguev1.Provenance{Source: w.Source, Date: w.Date},
	}
	if r.Id == "" {
		r.Id = "own." + string(w.Code) + "." + slug(k.raw)
	}
	if r.About == "" {
		r.About = k.String()
	}
	switch w.Code {
	case classification.RateLimited:
		r.Throttle = string(classification.ThrottleShort)
	case classification.QuotaLimited:
		r.Throttle = string(classification.ThrottleLong)
	}
	if k.path != "" {
		r.When.Fields = []*cataloguev1.Field{{Path: []string{k.path}, Is: []string{k.raw}}}
		return r
	}
	r.When.Text = []*cataloguev1.AnyOf{{Any: []string{strings.ToLower(strings.Join(strings.Fields(k.raw), " "))}}}
	printed := e.Signals[k.signal].Kind == evidence.KindStderr || e.Signals[k.signal].Kind == evidence.KindStdout
	r.When.Confirmed = printed && slices.ContainsFunc(e.Signals, failedExit)
	return r
}

func failedExit(s evidence.Signal) bool {
	return s.Kind == evidence.KindProcessExit && (s.ExitCode == nil || *s.ExitCode != 0)
}

// mostClues bounds how many are tried.
const mostClues = 12

// telling are the signals that may carry a failure, the last one first.
func telling(e evidence.Envelope) (indexes []int) {
	for i, s := range slices.Backward(e.Signals) {
		if !s.Prose && !s.Foreign && !s.InFlight && s.Kind != evidence.KindProcessExit {
			indexes = append(indexes, i)
		}
	}
	return indexes
}

// causeKeys are the fields that name a cause, and causeValue is how a cause is named.
var (
	causeKeys  = []string{"type", "code", "reason", "status", "name", "kind", "error", "error_code", "errorcode", "error_type", "errortype", "codex_error_info"}
	causeValue = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*([_.:-][A-Za-z0-9]+)*$`)
)

// fieldClues finds the named causes in the structured parts.
func fieldClues(e evidence.Envelope) (clues []clue) {
	for _, i := range telling(e) {
		s := e.Signals[i]
		for _, text := range []string{s.Data, s.Text} {
			for _, f := range fieldsOf(text) {
				f.signal = i
				if f.raw != s.Event && !slices.ContainsFunc(clues, func(k clue) bool { return k.path == f.path && k.raw == f.raw }) {
					clues = append(clues, f)
				}
			}
		}
	}
	return clues[:min(len(clues), mostClues)]
}

// fieldsOf opens the first object in a text.
func fieldsOf(text string) (clues []clue) {
	at := strings.IndexByte(text, '{')
	if at < 0 {
		return nil
	}
	var value map[string]any
	if json.NewDecoder(strings.NewReader(text[at:])).Decode(&value) != nil {
		return nil
	}
	return walkFields(value, "", clues)
}

func walkFields(value any, path string, clues []clue) []clue {
	const least = 6 // bytes; shorter values name nothing
	switch v := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			below := key
			if path != "" {
				below = path + "." + key
			}
			clues = walkFields(v[key], below, clues)
		}
	case []any:
		for _, item := range v {
			clues = walkFields(item, path, clues)
		}
	case string:
		keys := strings.Split(path, ".")
		last := keys[max(0, len(keys)-2):]
		named := slices.Contains(causeKeys, strings.ToLower(last[len(last)-1]))
		if ofError := strings.Contains(strings.ToLower(path), "err"); named && ofError && len(v) >= least && causeValue.MatchString(v) {
			clues = append(clues, clue{path: strings.Join(last, "."), raw: v})
		}
	}
	return clues
}

// words are runs of plain words: no numbers, ids, paths or quotes, which change
// from one failure to the next.
var (
	words    = regexp.MustCompile(`[A-Za-z_][A-Za-z_'’-]*(?:[ \t]+[A-Za-z_][A-Za-z_'’-]*)*`)
	weighty  = regexp.MustCompile(`(?i)\b(error|fail\w*|limit\w*|quota|exceed\w*|denied|refus\w*|invalid|expired|unavailable|exhaust\w*|allowance|credit\w*|cannot|could not|not)\b`)
	mostWord = 8
)

// textClues finds the most telling words: long runs, in lines that speak of failure.
func textClues(e evidence.Envelope) (clues []clue) {
	for order, i := range telling(e) {
		for line := range strings.Lines(e.Signals[i].Text) {
			for _, at := range words.FindAllStringIndex(line, -1) {
				k := clue{signal: i, raw: shortened(line[at[0]:at[1]])}
				if !enough(k.raw) || cutByMore(line, at, k.raw) {
					continue
				}
				k.score = 2*len(strings.Fields(k.raw)) - order
				if weighty.MatchString(k.raw) {
					k.score += 6
				}
				if !strings.ContainsAny(k.raw, " \t") {
					k.score -= 6 // it may name a field, not a cause
				}
				clues = append(clues, k)
			}
		}
	}
	slices.SortStableFunc(clues, func(a, b clue) int { return cmp.Compare(b.score, a.score) })
	clues = slices.CompactFunc(clues, func(a, b clue) bool { return a.raw == b.raw })
	return clues[:min(len(clues), mostClues)]
}

// shortened keeps the first words of a long run.
func shortened(run string) string {
	rest, n := run, 0
	for i := range rest {
		if i > 0 && (rest[i] == ' ' || rest[i] == '\t') && rest[i-1] != ' ' && rest[i-1] != '\t' {
			if n++; n == mostWord {
				return rest[:i]
			}
		}
	}
	return run
}

// enough asks for several words, or for one that is a name.
func enough(run string) bool {
	const leastBytes = 10
	count := len(strings.Fields(run))
	return len(run) >= leastBytes && (count >= 3 || count == 2 && weighty.MatchString(run) || strings.Contains(strings.Trim(run, "_"), "_"))
}

// cutByMore says that a run is no statement: a JSON key, a placeholder, or cut
// out of a longer name.
func cutByMore(line string, at []int, run string) bool {
	before, after := line[:at[0]], line[at[0]+len(run):]
	return strings.HasPrefix(after, `":`) || strings.HasPrefix(after, `\":`) || strings.HasSuffix(before, "[") && strings.HasPrefix(run, "redacted") ||
		strings.HasSuffix(before, "[redacted:") || strings.HasSuffix(before, "/") || strings.HasPrefix(after, "/") || strings.HasSuffix(before, "@")
}
