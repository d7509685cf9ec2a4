package argv_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/recourse-dev/recourse/clients/agentctl/adapter/argv"
)

var table = argv.Table{
	"-p": argv.None, "--print": argv.None, "--model": argv.One, "-m": argv.One,
	"--resume": argv.Optional, "--tools": argv.Many,
}

func TestScanTellsPromptsFromValues(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, line  string
		positionals []string
	}{
		{"prompt after a switch", "-p|hello", []string{"hello"}},
		{"prompt before options", "hello|-p|--model|opus", []string{"hello"}},
		{"value of a known option", "--model|opus|-p|hello", []string{"hello"}},
		{"value glued", "--model=opus|-mopus|-p|hello", []string{"hello"}},
		{"many values end at an option", "--tools|Bash|Edit|-p|hello", []string{"hello"}},
		{"optional value is taken", "--resume|abc|-p|hello", []string{"hello"}},
		{"optional value is absent", "--resume|-p|hello", []string{"hello"}},
		{"unknown option before the only word", "--new-switch|hello", []string{"hello"}},
		{"unknown option with a prompt elsewhere", "--new-option|x|-p|hello", []string{"hello"}},
		{"prompt that begins with a dash", "-p|- first do this", []string{"- first do this"}},
		{"prompt that looks like an option with words", "-p|--delete everything", []string{"--delete everything"}},
		{"after a double dash", "-p|--|--model", []string{"--model"}},
		{"value that is a double dash", "--model|--|-p|hello", []string{"hello"}},
		{"nothing", "-p", nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, w := range argv.Scan(strings.Split(c.line, "|"), table) {
				if w.Positional() {
					got = append(got, w.Text)
				}
			}
			if !slices.Equal(got, c.positionals) {
				t.Errorf("positionals = %q, want %q", got, c.positionals)
			}
		})
	}
}

func TestScanKeepsEveryWord(t *testing.T) {
	t.Parallel()
	line := []string{"-p", "x", "--model=a", "--tools", "A", "B", "--strange", "y", "--", "-z", ""}
	if got := argv.Texts(argv.Scan(line, table)); !slices.Equal(got, line) {
		t.Errorf("got %q, want %q", got, line)
	}
}

func TestFindTakesTheLastValue(t *testing.T) {
	t.Parallel()
	words := argv.Scan([]string{"--model", "a", "--model=b", "-mc", "-p"}, table)
	if got, _ := argv.Find(words, "--model"); got != "b" {
		t.Errorf("--model = %q, want b", got)
	}
	if got, _ := argv.Find(words, "-m"); got != "c" {
		t.Errorf("-m = %q, want c", got)
	}
	if _, found := argv.Find(words, "--tools"); found {
		t.Error("--tools was found")
	}
}

func TestShapeHoldsNoValues(t *testing.T) {
	t.Parallel()
	secret := "s3cr3t" + "value"
	line := []string{"-p", "do " + secret, "--model", secret, "--key=" + secret, "-k" + secret, "--new", secret, "-" + secret + " x", "--", "--" + secret + " y"}
	shape := argv.Shape("/home/someone/"+"bin/claude.exe", argv.Scan(line, table))
	if joined := strings.Join(shape, " "); strings.Contains(joined, secret) || strings.Contains(joined, "someone") {
		t.Errorf("shape leaks: %s", joined)
	}
	if want := []string{"claude", "-p", "--model", "--key", "-k", "--new"}; !slices.Equal(shape, want) {
		t.Errorf("shape = %q, want %q", shape, want)
	}
}

func TestShapeIsBounded(t *testing.T) {
	t.Parallel()
	line := slices.Repeat([]string{"--" + strings.Repeat("x", 500)}, 200)
	shape := argv.Shape(strings.Repeat("p", 500), argv.Scan(line, table))
	if len(shape) != argv.MaxShapeWords {
		t.Errorf("%d words, want %d", len(shape), argv.MaxShapeWords)
	}
	for _, word := range shape {
		if len(word) > argv.MaxShapeBytes {
			t.Errorf("a word of %d bytes", len(word))
		}
	}
}
