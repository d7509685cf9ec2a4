package evidence_test

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"github.com/recourse-dev/recourse/core/evidence"
)

// What prints nothing goes where JSON spells it out, too.
func TestNormaliseWhatIsSpelledOut(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"m":"\u001b[1;31mError\u001b[0m"}`:         `{"m":"Error"}`,
		`{"m":"\\u001b[31mError\\u001b[0m"}`:         `{"m":"Error"}`,
		`'\x1b[31mError\x1b[0m'`:                     `'Error'`,
		`{"m":"\u001b]8;;https://x.test\u0007link"}`: `{"m":"link"}`,
		`{"m":"k\u0000e\u0000y\u200b"}`:              `{"m":"key"}`,
		`C\u0000:\u0000\\\u0000U\u0000`:              `C:\\U`,
		`{"m":"a\nb\t\u00e4\\nc\u0020d"}`:            `{"m":"a\nb\t\u00e4\\nc\u0020d"}`,
		`\u00\u00001b[31m`:                           `\u00\u00001b[31m`,
		`\\\u0000u001b[31m`:                          `\\\u0000u001b[31m`,
		`a \u12`:                                     `a \u12`,
		`\`:                                          `\`,
	} {
		if got := evidence.Normalise(in); got != want {
			t.Errorf("%s became %s, want %s", in, got, want)
		}
	}
}

func TestNormaliseKeepsJSONAndIsIdempotent(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom([]string{`\`, `\\`, `\u0000`, `\u001b`, `\x1b`, `[31m`, `]8;;`, `\u0007`, `u`, `u0`, `x`, `001b`, `00`, `"`, `\"`, `{`, `a`, `\n`, "\x1b[1m", "\x00", ` `})
	rapid.Check(t, func(t *rapid.T) {
		text := ""
		for _, p := range rapid.SliceOfN(piece, 0, 14).Draw(t, "pieces") {
			text += p
		}
		once := evidence.Normalise(text)
		if again := evidence.Normalise(once); again != once {
			t.Fatalf("%q became %q, then %q", text, once, again)
		}
		quoted, err := json.Marshal(map[string]string{"k": text})
		if err != nil {
			t.Fatal(err)
		}
		if got := evidence.Normalise(string(quoted)); !json.Valid([]byte(got)) {
			t.Fatalf("%s became %s", quoted, got)
		}
	})
}
