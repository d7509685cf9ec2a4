package score_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/recourse-dev/recourse/catalogue"
	"github.com/recourse-dev/recourse/catalogue/score"
)

var update = flag.Bool("update", false, "write the board into README.md")

// Between these lines README.md shows the board of the project's own corpus.
const (
	readme = "../../README.md"
	begin  = "<!-- board: made by go generate ./catalogue/score -->\n<pre>\n"
	end    = "</pre>\n<!-- end of the board -->\n"
)

// A README that boasts must not be able to go stale.
func TestREADMEShowsTheBoard(t *testing.T) {
	t.Parallel()
	classifier, err := catalogue.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../cases/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	b := score.NewBoard()
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Run(classifier, bytes.NewReader(text), nil); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	if err := b.Passes(); err != nil {
		t.Error(err)
	}
	var printed bytes.Buffer
	b.Print(&printed, false)
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begin)
	shown, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("README.md has no board: between %q and %q", begin, end)
	}
	if *update {
		shown = printed.String()
		if err := os.WriteFile(readme, []byte(before+begin+shown+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if shown != printed.String() {
		t.Errorf("README.md shows another board; run go generate ./catalogue/score. It is now:\n%s", printed.String())
	}
}
