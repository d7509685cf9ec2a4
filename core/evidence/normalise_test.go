package evidence_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/recourse-dev/recourse/core/evidence"
	"pgregory.net/rapid"
)

func TestNormalise(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ in, want string }{
		"plain text is untouched":          {"429 Too Many Requests\n\ttry later", "429 Too Many Requests\n\ttry later"},
		"colours":                          {"\x1b[91m\x1b[1mError: \x1b[0mOverloaded", "Error: Overloaded"},
		"256 colours and cursor moves":     {"\x1b[38;5;196mlimit\x1b[0m\x1b[2K\x1b[1G!", "limit!"},
		"hyperlink keeps its text":         {"\x1b]8;;https://example.com\x1b\\status\x1b]8;;\x1b\\", "status"},
		"title set with a bell":            {"\x1b]0;agent\x07ready", "ready"},
		"charset selection":                {"\x1b(Bok", "ok"},
		"C1 introducer":                    {"\u009b31mred\u009b0m", "red"},
		"unterminated sequence":            {"tail\x1b[31", "tail"},
		"unterminated string keeps text":   {"\x1b]0;limit reached\nnext", "0;limit reached\nnext"},
		"broken sequence ends where it is": {"\x1b[3\nlimit", "\nlimit"},
		"lone escape":                      {"a\x1bb", "a"},
		"CRLF":                             {"one\r\ntwo\r\n", "one\ntwo\n"},
		"progress line":                    {"10%\r20%\rdone", "10%\n20%\ndone"},
		"byte-order mark":                  {"\ufeff{\"a\":1}", "{\"a\":1}"},
		"NUL and bells":                    {"rate\x00 limit\x07", "rate limit"},
		"zero-width characters":            {"rate\u200b limit\u00ad ed\u202e", "rate limit ed"},
		"typography stays":                 {"You’ve hit your limit · resets 2am ∙ 5-hour", "You’ve hit your limit · resets 2am ∙ 5-hour"},
		"other scripts stay":               {"由于目标计算机积极拒绝，无法连接。 (os error 10061)", "由于目标计算机积极拒绝，无法连接。 (os error 10061)"},
		"a cut rune among UTF-8":           {"límite\xe2\x82", "límite"},
		"windows-1252":                     {"acc\xe8s refus\xe9 \x80 (os error 5)", "accès refusé € (os error 5)"},
		"code page with ASCII code":        {"\xd3\xc9\xd3\xda (os error 10061)", "ÓÉÓÚ (os error 10061)"},
		"UTF-16 little endian with BOM":    {"\xff\xfe4\x002\x009\x00", "429"},
		"UTF-16 big endian with BOM":       {"\xfe\xff\x004\x002\x009", "429"},
		"UTF-16 without BOM":               {"l\x00i\x00m\x00i\x00t\x00 \x004\x002\x009\x00", "limit 429"},
		"empty":                            {"", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := evidence.Normalise(tt.in); got != tt.want {
				t.Errorf("Normalise(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

// noise generates text as terminals and broken pipes give it.
func noise() *rapid.Generator[string] {
	piece := rapid.OneOf(
		rapid.String(),
		rapid.SampledFrom([]string{"\x1b", "\x1b[", "\x1b]8;;", "\x1b\\", "\u009b", "\r", "\r\n", "\x00", "\xff", "\xe2\x82", "\ufeff", "é", "𝄞", "[0m", "limit"}),
		rapid.Custom(func(t *rapid.T) string { return string(rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "bytes")) }),
	)
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(piece, 0, 12).Draw(t, "pieces"), "")
	})
}

func TestNormaliseProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := noise().Draw(t, "in")
		out := evidence.Normalise(in)
		checkNormal(t, out)
		if again := evidence.Normalise(out); again != out {
			t.Fatalf("not idempotent: %q, then %q", out, again)
		}
	})
}

// fataler is what testing.T, testing.B and rapid.T share.
type fataler interface {
	Fatalf(format string, args ...any)
}

func checkNormal(t fataler, out string) {
	if !utf8.ValidString(out) {
		t.Fatalf("invalid UTF-8: %q", out)
	}
	for _, r := range out {
		if r < 0x20 && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r == 0xfeff {
			t.Fatalf("control character %U is left in %q", r, out)
		}
	}
}

func TestNormaliseBoundsItsInput(t *testing.T) {
	t.Parallel()
	in := "first words " + strings.Repeat("\x1b[0m", 2<<20) + " last words"
	out := evidence.Normalise(in)
	if !strings.HasPrefix(out, "first words") || !strings.HasSuffix(out, "last words") {
		t.Errorf("head or tail is lost: %.40q … %q", out, out[max(0, len(out)-40):])
	}
	if len(out) > 1<<20 {
		t.Errorf("%d bytes are left, want at most 1 MiB", len(out))
	}
}

func FuzzNormalise(f *testing.F) {
	for _, seed := range []string{"\x1b[31mred\x1b[0m", "\x1b]8;;x\x1b\\y", "a\r\nb\rc", "\xff\xfe4\x002\x00", "acc\xe8s", "\ufeff{}", "\u009b1m"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		out := evidence.Normalise(in)
		checkNormal(t, out)
		if again := evidence.Normalise(out); again != out {
			t.Fatalf("not idempotent: %q, then %q", out, again)
		}
	})
}
