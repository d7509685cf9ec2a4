package scan_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/recourse-dev/recourse/core/classification/scan"
)

func TestFold(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"case and blanks", "  You've  HIT\t your\r\n   limit ", "you've hit your\nlimit "},
		{"curly quotes", "You\u2019ve hit \u201climit\u201d", `you've hit "limit"`},
		{"colours", "\x1b[1;31mError:\x1b[0m no", "error: no"},
		{"hyperlink", "\x1b]8;;http://x\x1b\\limit\x1b]8;;\x07 reached", "limit reached"},
		{"unterminated control string", "\x1b]limit reached", "limit reached"},
		{"escapes of any depth", `a\nb\\nc\\\"d\\\\\"`, "a\nb\nc\"d\""},
		{"unicode escape", `You\u2019ve \u00b7 x`, "you've \u00b7 x"},
		{"box drawing", "│ limit │\n│ reached │", "limit\nreached "},
		{"utf-16 leftovers", "l\x00i\x00m\x00i\x00t", "limit"},
		{"invalid bytes", "li\xffmit", "limit"},
		{"dots", "Retrying\u2026 \u2219 now", "retrying... \u00b7 now"},
		{"other scripts stay", "余额不足 Ä", "余额不足 Ä"},
		{"trailing slash", `end\`, "end"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := scan.FoldString(c.in); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// Folding twice changes nothing, except that text whose escapes had escapes may
// lose a further level, which the generator avoids.
func TestFoldIsIdempotent(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := strings.ReplaceAll(rapid.String().Draw(t, "text"), `\`, "")
		once := scan.FoldString(text)
		if twice := scan.FoldString(once); twice != once && strings.TrimLeft(once, " \n") == once {
			t.Fatalf("%q became %q", once, twice)
		}
	})
}

func TestFoldKeepsPlaces(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("\x1b[31mword \x1b[0m", 200) + "needle"
	var f scan.Folded
	f.Fold(text)
	at := strings.Index(string(f.B), "needle")
	raw := f.Raw(at)
	if near := text[raw:]; !strings.Contains(near, "needle") || len(near) > 64*16 {
		t.Errorf("raw place %d of %d is not near the needle", raw, len(text))
	}
}

func TestAutomatonFindsWhatContainsFinds(t *testing.T) {
	t.Parallel()
	word := rapid.StringMatching(`[ab \n]{1,6}`)
	rapid.Check(t, func(t *rapid.T) {
		literals := slices.Compact(slices.Sorted(slices.Values(
			rapid.SliceOfN(rapid.StringMatching(`[abc ]{1,4}`), 1, 20).Draw(t, "literals"))))
		text := strings.Join(rapid.SliceOfN(word, 0, 30).Draw(t, "text"), "")
		a := scan.NewAutomaton(literals)
		var got, want []string
		a.Find([]byte(text), func(h scan.Hit) bool {
			got = append(got, fmt.Sprintf("%d@%d", h.Literal, h.End))
			return true
		})
		flat := text
		if strings.Contains(strings.Join(literals, ""), " ") {
			flat = strings.ReplaceAll(text, "\n", " ")
		}
		for end := 1; end <= len(flat); end++ {
			for id, lit := range literals {
				if strings.HasSuffix(flat[:end], lit) {
					want = append(want, fmt.Sprintf("%d@%d", id, end))
				}
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("literals %q in %q: got %v, want %v", literals, text, got, want)
		}
	})
}

// More literals than dense rows: the sparse part of the automaton must agree too.
func TestAutomatonBeyondItsDenseStates(t *testing.T) {
	t.Parallel()
	var literals []string
	for i := range 3000 {
		literals = append(literals, fmt.Sprintf("cause %d of the failure", i*7919%100000))
	}
	a := scan.NewAutomaton(literals)
	text := strings.Join(literals, "; ") + " cause 12 of the fail cause"
	seen := map[int32]int{}
	a.Find([]byte(text), func(h scan.Hit) bool {
		seen[h.Literal]++
		if got := text[int(h.End)-a.Len(h.Literal) : h.End]; got != literals[h.Literal] {
			t.Fatalf("hit says %q, text has %q", literals[h.Literal], got)
		}
		return true
	})
	if len(seen) != len(literals) {
		t.Errorf("found %d of %d literals", len(seen), len(literals))
	}
}

func TestAutomatonStops(t *testing.T) {
	t.Parallel()
	hits := 0
	scan.NewAutomaton([]string{"a"}).Find([]byte("aaaa"), func(scan.Hit) bool { hits++; return hits < 2 })
	if hits != 2 {
		t.Errorf("%d hits after asking to stop at 2", hits)
	}
}

func all(text string) (out []string) {
	scan.Pairs(text, func(p scan.Pair) bool {
		out = append(out, strings.Join(p.Path, ".")+"="+p.Value)
		return true
	})
	return out
}

func TestPairs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"plain", `{"type":"error","error":{"type":"overloaded_error","n":5,"ok":true}}`, []string{"type=error", "error.type=overloaded_error", "error.n=5", "error.ok=true"}},
		{"prefix and suffix", `API Error: 529 {"type":"x"} · Retrying`, []string{"type=x"}},
		{"in a string", `{"raw":"{\"error\":{\"code\":429,\"message\":\"a \\\"b\\\" c\"}}","after":1}`, []string{"raw.error.code=429", `raw.error.message=a \\\"b\\\" c`, "after=1"}},
		{"twice in a string", `{"a":"{\"b\":\"{\\\"c\\\":\\\"d\\\"}\",\"e\":2}","f":3}`, []string{"a.b.c=d", "a.e=2", "f=3"}},
		{"pretty in a string", `{"message":"{\n  \"error\": {\n    \"code\": 429\n  }\n}"}`, []string{"message.error.code=429"}},
		{"cut short", `{"error":{"type":"rate_limit_error","message":"This req`, []string{"error.type=rate_limit_error", "error.message=This req"}},
		{"python", `Error code: 429 - {'error': {'message': "it's {x}", 'code': '429'}}`, []string{"error.message=it's {x}", "error.code=429"}},
		{"apostrophe in python", `{'error': {'message': 'You don't have it', 'code': None}}`, []string{"error.message=You don't have it", "error.code=None"}},
		{"inspect dump", `{ jsonrpc: '2.0', code: -32603, data: { errorName: 'APIError' } }`, []string{"jsonrpc=2.0", "code=-32603", "data.errorName=APIError"}},
		{"list", `{"errors":["a","b"],"details":[{"reason":"R"}]}`, []string{"errors=a", "errors=b", "details.reason=R"}},
		{"list in a string", `{"e":"[{\"r\":\"x\"}]"}`, []string{"e.r=x"}},
		{"escaped slash at the end", `{"p":"C:\\","q":1}`, []string{"p=C:", "q=1"}},
		{"no object", `type: error, "a": 1`, nil},
		{"braces only", `{{{{[[[["`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := all(c.in); !slices.Equal(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestPairsStops(t *testing.T) {
	t.Parallel()
	n := 0
	scan.Pairs(`{"a":1,"b":2}`, func(scan.Pair) bool { n++; return false })
	if n != 1 {
		t.Errorf("%d pairs after asking to stop at the first", n)
	}
}

func FuzzPairs(f *testing.F) {
	f.Add(`{"a":"{\"b\":'c'}"}`)
	f.Fuzz(func(t *testing.T, text string) {
		scan.Pairs(text, func(p scan.Pair) bool {
			if len(p.Path) == 0 || !strings.HasPrefix(text[p.Start:], p.Value) {
				t.Fatalf("pair %v is not where it says", p)
			}
			return true
		})
	})
}

func FuzzFold(f *testing.F) {
	f.Add("\x1b]8;;\\u2019\\\\n")
	f.Fuzz(func(t *testing.T, text string) {
		var folded scan.Folded
		folded.Fold(text)
		for i := range folded.B {
			if raw := folded.Raw(i); raw < 0 || raw > len(text) {
				t.Fatalf("byte %d has no place in the text", i)
			}
		}
	})
}

func TestPrintedGivesTheOriginalWords(t *testing.T) {
	t.Parallel()
	words := "Resets   3:48PM\u00a0(UTC)"
	for _, before := range []string{"", "x", "\n\n", strings.Repeat("Ab \u2022\u2026  c\\n", 40), strings.Repeat("\x1b[31m \u2500", 90)} {
		text := before + "You've hit it \u2219 " + words + " and more " + strings.Repeat("y", 100)
		var f scan.Folded
		f.Append("an earlier TEXT", 0)
		f.Append(text, 15)
		from := strings.Index(string(f.B), "resets")
		to := strings.Index(string(f.B), " and more")
		if got := f.Printed(text, 15, from, to); got != words {
			t.Errorf("behind %q: %q", before, got)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringN(0, 300, -1).Draw(t, "text")
		var f, again scan.Folded
		f.Fold(text)
		if len(f.B) == 0 {
			return
		}
		from := rapid.IntRange(0, len(f.B)-1).Draw(t, "from")
		to := rapid.IntRange(from+1, len(f.B)).Draw(t, "to")
		got := f.Printed(text, 0, from, to)
		again.Fold(got)
		if got != "" && (!strings.Contains(text, got) || !strings.Contains(string(f.B), strings.TrimSpace(string(f.B[from:to])))) {
			t.Fatalf("%q for %q of %q", got, f.B[from:to], text)
		}
		if got != "" && utf8.ValidString(string(f.B[from:to])) && !strings.Contains(string(again.B), strings.TrimSpace(string(f.B[from:to]))) {
			t.Fatalf("%q does not fold to %q", got, f.B[from:to])
		}
	})
}
