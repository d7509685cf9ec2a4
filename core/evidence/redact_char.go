package evidence

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isAlnum(c byte) bool { return isDigit(c) || isUpper(c) || isLower(c) }
func isWord(c byte) bool  { return isAlnum(c) || c == '_' }

// isWordByte is isWord as a table, for the one loop that sees every byte.
var isWordByte = func() (table [256]bool) {
	for c := range table {
		table[c] = isWord(byte(c))
	}
	return table
}()

func isSpace(c byte) bool { return c == ' ' || c == '\t' }
func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

func isHex(c byte) bool {
	return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// isKeyChar reports the characters of opaque credentials.
func isKeyChar(c byte) bool { return isAlnum(c) || c == '_' || c == '-' }

// isMaskedKeyChar adds the star, by which providers mask a key that they quote back.
func isMaskedKeyChar(c byte) bool { return isKeyChar(c) || c == '*' }

// isBearerChar reports the characters of a token68 (RFC 9110).
func isBearerChar(c byte) bool {
	return isKeyChar(c) || c == '.' || c == '~' || c == '+' || c == '/' || c == '=' || c == '*' || c == '|'
}

func isBase64(c byte) bool { return isAlnum(c) || c == '+' || c == '/' || c == '=' }

func allHex(s string) bool { return all(s, isHex) }

func all(s string, is func(byte) bool) bool {
	for i := 0; i < len(s); i++ {
		if !is(s[i]) {
			return false
		}
	}
	return true
}

// runLength counts the leading bytes of s for which is holds.
func runLength(s string, is func(byte) bool) int {
	n := 0
	for n < len(s) && is(s[n]) {
		n++
	}
	return n
}

// looksRandom tells a credential from a word of prose or a name: it has a
// digit, a masking star, or capitals inside, or it is longer than names are.
func looksRandom(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if isDigit(c) || c == '*' || isUpper(c) && i > 0 && isLower(s[i-1]) {
			return true
		}
	}
	return len(s) > 40
}
