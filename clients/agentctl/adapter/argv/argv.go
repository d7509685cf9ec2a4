// Package argv reads and edits the command lines of agent CLIs by a table of
// their options, so that a prompt can be told from the value of an option.
package argv

import "strings"

// Arity says how many of the words after an option belong to it.
type Arity int

// The arities. An option that a table lacks is Unknown.
const (
	Unknown  Arity = iota
	None           // a switch
	One            // exactly one value
	Optional       // the next word, unless it is an option
	Many           // every following word up to the next option
)

// Table maps each option, with its dashes, to its arity.
type Table map[string]Arity

// Word is one word of a command line.
type Word struct {
	Text string
	// Option names the option that this word is or belongs to, with its
	// dashes and without "=value"; "" for a positional.
	Option string
	// Value is true for a value that stands in a word of its own.
	Value bool
	// Doubtful marks a word after an option that the table lacks: it may be
	// its value or a positional.
	Doubtful bool
}

// Positional reports a word that belongs to no option.
func (w Word) Positional() bool { return w.Option == "" }

// Scan splits the words of a command line, without the program's name.
func Scan(words []string, table Table) []Word {
	out := make([]Word, 0, len(words))
	open, arity := "", None
	for i, text := range words {
		if text == "--" && arity != One {
			out = append(out, Word{Text: text, Option: text})
			for _, rest := range words[i+1:] {
				out = append(out, Word{Text: rest})
			}
			return out
		}
		if isOption(text) && arity != One {
			open, arity = optionOf(text, table)
			out = append(out, Word{Text: text, Option: open})
			continue
		}
		switch arity {
		case One, Optional:
			out = append(out, Word{Text: text, Option: open, Value: true})
			arity = None
		case Many:
			out = append(out, Word{Text: text, Option: open, Value: true})
		case Unknown:
			out = append(out, Word{Text: text, Option: open, Value: true, Doubtful: true})
			arity = None
		case None:
			out = append(out, Word{Text: text})
		}
	}
	return settleDoubts(out)
}

// settleDoubts reads the last doubtful word as a positional when there is no
// other: every supervised command line has one, its prompt.
func settleDoubts(words []Word) []Word {
	last := -1
	for i, w := range words {
		if w.Positional() {
			return words
		}
		if w.Doubtful {
			last = i
		}
	}
	if last >= 0 {
		words[last] = Word{Text: words[last].Text, Doubtful: true}
	}
	return words
}

// isOption refuses what no option parser would have for a name, so that a
// prompt that begins with a dash is not taken for one.
func isOption(text string) bool {
	name, _, _ := strings.Cut(strings.TrimPrefix(text, "-"), "=")
	name = strings.TrimPrefix(name, "-")
	if text == "" || text[0] != '-' || name == "" || !letter(name[0]) {
		return false
	}
	return strings.IndexFunc(name, func(c rune) bool {
		return c > 127 || !letter(byte(c)) && (c < '0' || c > '9') && c != '-' && c != '_' && c != '.'
	}) < 0
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// optionOf names the option of a word and what it still takes from the words after it.
func optionOf(text string, table Table) (string, Arity) {
	if name, _, found := strings.Cut(text, "="); found && strings.HasPrefix(text, "--") {
		return name, None
	}
	if arity, known := table[text]; known {
		return text, arity
	}
	if short := text[:2]; len(text) > 2 && text[1] != '-' && table[short] != Unknown {
		return short, None // a value glued to a short option, or a cluster of switches
	}
	if text[1] != '-' {
		return text[:2], Unknown // the rest may be a value: it names nothing
	}
	return text, Unknown
}

// Has reports whether one of the named options occurs.
func Has(words []Word, names ...string) bool {
	_, found := Find(words, names...)
	return found
}

// Find returns the value of the last of the named options; "" for a switch.
func Find(words []Word, names ...string) (value string, found bool) {
	for _, w := range words {
		if w.Option == "" || !oneOf(w.Option, names) {
			continue
		}
		found = true
		switch {
		case w.Value:
			value = w.Text
		case strings.HasPrefix(w.Text, w.Option+"="):
			value = strings.TrimPrefix(w.Text, w.Option+"=")
		case len(w.Text) > len(w.Option):
			value = w.Text[len(w.Option):]
		}
	}
	return value, found
}

// Positionals counts the words that belong to no option.
func Positionals(words []Word) int {
	return len(filter(words, Word.Positional))
}

// Prefix puts text before the one word that is a prompt; false where it is not
// the only positional, or where it may be the value of an unknown option.
func Prefix(words []Word, text string) ([]Word, bool) {
	at := -1
	for i, w := range words {
		if w.Doubtful || w.Positional() && at >= 0 {
			return nil, false
		}
		if w.Positional() {
			at = i
		}
	}
	if at < 0 {
		return nil, false
	}
	out := append([]Word(nil), words...)
	out[at].Text = text + out[at].Text
	return out, true
}

// Without drops the named options with their values.
func Without(words []Word, names ...string) []Word {
	return filter(words, func(w Word) bool { return w.Option == "" || !oneOf(w.Option, names) })
}

// WithoutPositionals drops every positional, and the "--" before them.
func WithoutPositionals(words []Word) []Word {
	return filter(words, func(w Word) bool { return !w.Positional() && w.Option != "--" })
}

// Texts gives the words back as a command line.
func Texts(words []Word) []string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.Text
	}
	return texts
}

// Limits of a shape.
const (
	MaxShapeWords = 64
	MaxShapeBytes = 128 // of one word
)

// Shape is the base name of the program and the names of its options: nothing
// of it can hold a prompt, a path or a credential. It is cut to 64 words of 128
// bytes.
func Shape(program string, words []Word) []string {
	shape := []string{cut(Base(program))}
	for _, w := range words {
		if w.Option != "" && !w.Value && w.Option != "--" && len(shape) < MaxShapeWords {
			shape = append(shape, cut(w.Option))
		}
	}
	return shape
}

func cut(text string) string { return strings.ToValidUTF8(text[:min(len(text), MaxShapeBytes)], "") }

// Base is the last element of a program's path without ".exe" and the like.
func Base(program string) string {
	if i := strings.LastIndexAny(program, `/\`); i >= 0 {
		program = program[i+1:]
	}
	for _, extension := range []string{".exe", ".cmd", ".bat", ".ps1"} {
		if cut, found := strings.CutSuffix(strings.ToLower(program), extension); found {
			return program[:len(cut)]
		}
	}
	return program
}

func filter(words []Word, keep func(Word) bool) []Word {
	var kept []Word
	for _, w := range words {
		if keep(w) {
			kept = append(kept, w)
		}
	}
	return kept
}

func oneOf(name string, names []string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}
