package evidence

import "strings"

// keyed finds a value that is secret because of the key before the separator at i.
func (r *redactor) keyed(i int) finding {
	keyFrom, keyTo, quote := r.keySpan(i)
	if keyTo-keyFrom < 2 {
		return finding{}
	}
	rule, ok := ruleOf(r.text[keyFrom:keyTo])
	if !ok || rule.query && !r.inQuery(keyFrom, i) {
		return finding{}
	}
	from := i + 1
	for from < len(r.text) && from-i < 8 && isSpace(r.text[from]) {
		from++
	}
	if from >= len(r.text) || strings.HasPrefix(r.text[from:], placeholderHead) {
		return finding{}
	}
	return r.value(i, from, rule, quote)
}

// flag finds the value after a command line's "--api-key" that begins at i.
func (r *redactor) flag(i int) finding {
	rest := r.text[i:]
	if !strings.HasPrefix(rest, "--") || i > 0 && r.text[i-1] == '-' {
		return finding{}
	}
	n := runLength(rest[2:min(len(rest), 2+maxKeyBytes)], isKeyNameChar)
	from := 2 + n + 1
	if n < 3 || from >= len(rest) || rest[from-1] != ' ' {
		return finding{}
	}
	rule, ok := ruleOf(rest[2 : 2+n])
	if !ok || rule.query || isIdentifier(rule.kind) {
		return finding{}
	}
	quote := len(quoteAt(rest[from:]))
	value := rest[from+quote:]
	value = value[:bareLength(value)]
	if len(value) < 4 || !looksRandom(value) {
		return finding{}
	}
	return finding{from: i + from + quote, to: i + from + quote + len(value), kind: rule.kind}
}

// inQuery reports that the key is a parameter of a URL or of a form: "?key=" or "&key=".
func (r *redactor) inQuery(keyFrom, separator int) bool {
	if r.text[separator] != '=' || keyFrom == 0 {
		return false
	}
	switch c := r.text[keyFrom-1]; {
	case c == '?' || c == '&' || c == ';' || c == '#':
		return true
	default: // "&amp;key=", "\u0026key="
		return strings.HasSuffix(r.text[:keyFrom], "u0026")
	}
}

// value decides about the value that begins at from.
func (r *redactor) value(separator, from int, rule keyRule, keyQuote string) finding {
	rest := r.text[from:]
	if quote := quoteAt(rest); quote != "" {
		return r.quotedValue(from+len(quote), quote, rule)
	}
	if rest[0] == '[' && keyQuote != "" {
		return listValue(rest, from, rule, keyQuote)
	}
	size := 0
	if rule.line {
		size = runLength(rest, func(c byte) bool { return c != '\n' && c != '\r' && c != '"' && c != '\\' && c != '\'' && c != '`' })
	} else {
		size = bareLength(rest)
	}
	bare := strings.TrimRight(rest[:size], " \t.")
	if rule.line {
		return lineValue(bare, from, rule)
	}
	if !rule.strict && !bareSecret(bare, rule.kind, r.text[separator] == '=') {
		return finding{}
	}
	f := finding{from: from, to: from + len(bare), kind: rule.kind}
	if keyQuote != "" {
		f.quote = keyQuote // a bare number in JSON becomes a string
	}
	return f
}

// maxSlashes bounds the backslashes before one character: JSON in six strings has 63.
const maxSlashes = 64

// quoteAt returns the opening quote of s with its backslashes, "" if there is none.
func quoteAt(s string) string {
	n := 0
	for n < len(s) && n < maxSlashes && s[n] == '\\' {
		n++
	}
	if n < len(s) && isQuote(s[n]) {
		return s[:n+1]
	}
	return ""
}

// quotedValue redacts up to the same quote with the same count of backslashes.
func (r *redactor) quotedValue(from int, quote string, rule keyRule) finding {
	rest := r.text[from:]
	end := closingQuote(rest, quote)
	value := rest[:end]
	if value == "" || strings.HasPrefix(value, placeholderHead) || !quotedSecret(value, rule) {
		return finding{}
	}
	return finding{from: from, to: from + end, kind: rule.kind}
}

// closingQuote returns the offset of the quote that closes s. If it is cut off,
// that is the end of the JSON string around it, of the line or of the text.
func closingQuote(s, quote string) int {
	const maxValue = 16384
	backslashes, around := 0, -1
	end := min(len(s), maxValue)
	for i := 0; i < end; i++ {
		switch c := s[i]; {
		case c == '\\':
			backslashes++
			continue
		case c == quote[len(quote)-1] && backslashes <= len(quote)-1:
			return i - backslashes
		case c == '\n':
			end = i
		case c == '"' && around < 0 && endsString(s[i+1:]):
			around = i - backslashes
		}
		backslashes = 0
	}
	if around >= 0 {
		return around
	}
	return end
}

// endsString reports that a quote before s ends a JSON string: what follows it
// is the rest of an object, of a list, or nothing.
func endsString(s string) bool {
	s = s[runLength(s[:min(len(s), 4)], isSpace):]
	return s == "" || strings.IndexByte(",:]}", s[0]) >= 0
}

// quotedSecret tells a quoted credential or identifier from quoted prose.
func quotedSecret(value string, rule keyRule) bool {
	switch {
	case rule.line || rule.strict:
		return true
	case isIdentifier(rule.kind):
		return looksRandom(value) && !strings.Contains(value, " ")
	case strings.Contains(value, " ") && !looksRandom(value):
		return rule.kind == redactedPassword
	}
	return len(value) >= 3
}

// listValue redacts a JSON array of values, as headers of some clients are.
func listValue(rest string, from int, rule keyRule, quote string) finding {
	end := strings.IndexByte(rest[:min(len(rest), 4096)], ']')
	if end < 1 || isIdentifier(rule.kind) || strings.Contains(rest[:end], placeholderHead) {
		return finding{}
	}
	return finding{from: from + 1, to: from + end, kind: rule.kind, quote: quote}
}

// lineValue redacts the rest of a header line, keeping the scheme's name.
func lineValue(line string, from int, rule keyRule) finding {
	start := 0
	for _, scheme := range [...]string{"bearer ", "basic ", "token ", "apikey "} {
		start = max(start, foldPrefix(line, scheme))
	}
	value := line[start:]
	if strings.HasPrefix(value, placeholderHead) || len(value) < 4 {
		return finding{}
	}
	if rule.kind != redactedCookie && start == 0 && !looksRandom(value) {
		return finding{} // "authorization: required"
	}
	if rule.kind == redactedCookie && !strings.Contains(value, "=") {
		return finding{}
	}
	if start > 0 && !looksRandom(value) {
		return finding{}
	}
	return finding{from: from + start, to: from + len(line), kind: rule.kind}
}

// bareLength is the length of an unquoted value.
func bareLength(s string) int {
	return runLength(s, func(c byte) bool {
		return c > 0x20 && c != ',' && c != ';' && c != '&' && c != '"' && c != '\'' && c != '`' &&
			c != '<' && c != '>' && c != '(' && c != ')' && c != '{' && c != '}' && c != '[' && c != ']' && c != '\\' && c != 0x7f
	})
}

// bareSecret tells an unquoted value from a word of prose. After "=" anything
// is a value; after ":" it must look like one.
func bareSecret(value, kind string, assigned bool) bool {
	switch {
	case assigned && kind == redactedPassword:
		return value != "" && value[0] != '$'
	case len(value) < 3 || strings.HasPrefix(value, "$") || value == "null" || value == "true" || value == "false" || value == "undefined":
		return false
	case isIdentifier(kind):
		return len(value) >= 4 && hasDigit(value)
	case kind == redactedToken && all(value, isDigit):
		return false // a count of tokens
	case assigned:
		return true
	}
	return len(value) >= 6 && looksRandom(value)
}

func isIdentifier(kind string) bool {
	switch kind {
	case redactedRequestID, redactedOrgID, redactedAccountID, redactedProjectID, redactedUser, redactedID, redactedEmail:
		return true
	}
	return false
}

func hasDigit(s string) bool {
	for i := 0; i < len(s); i++ {
		if isDigit(s[i]) {
			return true
		}
	}
	return false
}
