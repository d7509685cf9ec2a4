package scan

import "strings"

// Pair is one key with a scalar value, wherever it stood: in JSON, in JSON inside
// a string of JSON at any depth of escaping, inside prose, cut short, or in the
// object syntax of Python and JavaScript dumps.
type Pair struct {
	Path  []string // enclosing keys from the outermost to the key itself, as written
	Value string   // as written, without its quotes; escapes are left in place
	Start int      // offset of the value in the text
}

// Key is the last part of the path.
func (p Pair) Key() string { return p.Path[len(p.Path)-1] }

// Limits of a walk: deeper objects and longer keys are read past, not reported.
const (
	maxPath     = 12
	maxKey      = 64
	maxPairText = 2048
)

// pairs walks a text once. It holds no copy of it.
type pairs struct {
	text  string
	depth int             // of brackets, may exceed maxPath
	path  [maxPath]string // keys of the open objects
	embed [maxPath]int    // at that depth, 1 + slashes of the string that an object was entered through
	key   string          // a key waiting for its value
	args  [maxPath]string // the path handed out
}

// Pairs calls yield for each pair in order until it returns false. A yielded
// path is valid only during the call. Text outside of braces is skipped.
func Pairs(text string, yield func(Pair) bool) {
	p := pairs{text: text}
	for i := 0; i < len(text); {
		switch c := text[i]; c {
		case '{', '[':
			p.push()
			i++
		case '}', ']':
			p.pop()
			i++
		case '"', '\'', '\\':
			next, ok := p.quoted(i, yield)
			if !ok {
				return
			}
			i = next
		case ',':
			p.key = ""
			i++
		default:
			next, ok := p.bare(i, yield)
			if !ok {
				return
			}
			i = next
		}
	}
}

func (p *pairs) push() {
	if p.depth < maxPath {
		p.path[p.depth] = p.key
	}
	p.depth++
	p.key = ""
}

func (p *pairs) pop() {
	if p.depth > 0 {
		p.depth--
	}
	p.key = ""
}

// quoted reads a string, as a key if a colon follows it and as a value else. A
// string that holds an object is entered instead.
func (p *pairs) quoted(i int, yield func(Pair) bool) (int, bool) {
	slashes := 0
	for i < len(p.text) && p.text[i] == '\\' {
		slashes++
		i++
	}
	if i == len(p.text) {
		return i, true
	}
	quote := p.text[i]
	if quote != '"' && quote != '\'' {
		return i, true // an escape that quotes nothing; i has moved on
	}
	if p.depth == 0 || quote == '\'' && !p.mayOpen(i-slashes) {
		return i + 1, true
	}
	body := i + 1
	if p.leaves(slashes) {
		return body, true
	}
	if p.key != "" && p.depth < maxPath && opensObject(p.text, body) {
		p.embed[p.depth] = slashes + 1
		return body, true
	}
	end, next := closing(p.text, body, quote, slashes)
	if key := p.text[body:end]; p.key == "" && len(key) <= maxKey && colonAt(p.text, next) >= 0 {
		p.key = strings.Trim(key, "\\")
		return colonAt(p.text, next) + 1, true
	}
	return next, p.emit(body, end, yield)
}

// leaves reports whether a quote ends the string that the object just read stood in.
func (p *pairs) leaves(slashes int) bool {
	if p.depth >= maxPath || p.embed[p.depth] != slashes+1 {
		return false
	}
	p.embed[p.depth] = 0
	return true
}

// mayOpen reports whether a single quote before offset i opens a string: it does
// after a bracket, comma or colon, and not inside a word.
func (p *pairs) mayOpen(i int) bool {
	for i--; i >= 0 && (p.text[i] == ' ' || p.text[i] == '\n'); i-- {
	}
	return i >= 0 && strings.IndexByte("{[,:(=", p.text[i]) >= 0
}

// bare reads a number, a word or an unquoted key of an inspect dump.
func (p *pairs) bare(i int, yield func(Pair) bool) (int, bool) {
	j := i
	for j < len(p.text) && wordByte[p.text[j]] {
		j++
	}
	if j == i {
		return i + 1, true
	}
	if p.depth == 0 {
		return j, true
	}
	if p.key != "" {
		return j, p.emit(i, j, yield)
	}
	if j < len(p.text) && p.text[j] == ':' && j-i <= maxKey {
		p.key = p.text[i:j]
		return j + 1, true
	}
	return j, true
}

func (p *pairs) emit(start, end int, yield func(Pair) bool) bool {
	key := p.key
	p.key = ""
	if p.depth > maxPath {
		return true
	}
	n := 0
	for _, k := range p.path[:p.depth] {
		if k != "" {
			p.args[n] = k
			n++
		}
	}
	if key == "" && n == 0 || n == maxPath {
		return true
	}
	if key != "" {
		p.args[n] = key
		n++
	}
	return yield(Pair{Path: p.args[:n], Value: p.text[start:min(end, start+maxPairText)], Start: start})
}

// closing finds the end of a string whose quotes carry the given number of
// backslashes: other quotes are content. A string cut short ends with the text.
func closing(text string, i int, quote byte, slashes int) (end, next int) {
	for {
		k := strings.IndexByte(text[i:], quote)
		if k < 0 {
			return len(text), len(text)
		}
		i += k
		n := 0
		for i-n-1 >= 0 && text[i-n-1] == '\\' {
			n++
		}
		if (n <= slashes || n%(2*slashes+2) == slashes) && (quote == '"' || endsValue(text, i+1)) {
			return i - n, i + 1
		}
		i++
	}
}

// endsValue reports whether what follows shows that a single-quoted string ended.
func endsValue(text string, i int) bool {
	for i < len(text) && (text[i] == ' ' || text[i] == '\n') {
		i++
	}
	return i == len(text) || strings.IndexByte(",:}])", text[i]) >= 0
}

// colonAt gives the offset of a colon at i or behind blanks, or -1.
func colonAt(text string, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t') {
		i++
	}
	if i < len(text) && text[i] == ':' {
		return i
	}
	return -1
}

// opensObject reports whether a string's content starts with an object or list.
func opensObject(text string, i int) bool {
	for i < len(text) && (text[i] == ' ' || text[i] == '\n') {
		i++
	}
	if i >= len(text) || text[i] != '{' && text[i] != '[' {
		return false
	}
	for i++; i < len(text) && i < 64; i++ {
		switch text[i] {
		case ' ', '\n', '\\', '\t':
			continue
		case 'n', 'r':
			if text[i-1] == '\\' {
				continue
			}
		case '"', '\'', '{':
			return true
		}
		return false
	}
	return false
}

var wordByte = wordTable()

func wordTable() (t [256]bool) {
	for c := range 256 {
		b := byte(c)
		t[c] = b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z' || b == '_' || b == '-' || b == '.' || b == '+'
	}
	return t
}
