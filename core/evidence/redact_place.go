package evidence

import "strings"

// uuid finds 8-4-4-4-12 hexadecimal digits: sessions, accounts and requests are named by them.
func (r *redactor) uuid(i int) finding {
	const size = 36
	if len(r.text)-i < size || r.text[i+8] != '-' || r.text[i+13] != '-' {
		return finding{}
	}
	s := r.text[i : i+size]
	if s[18] != '-' || s[23] != '-' || i+size < len(r.text) && isWord(r.text[i+size]) {
		return finding{}
	}
	if !allHex(s[:8]) || !allHex(s[9:13]) || !allHex(s[14:18]) || !allHex(s[19:23]) || !allHex(s[24:]) {
		return finding{}
	}
	return finding{from: i, to: i + size, kind: redactedID}
}

// ipv4 finds a dotted quad that is an address: not loopback, not a version.
func (r *redactor) ipv4(i int) finding {
	if !isDigit(r.text[i]) || i > 0 && r.text[i-1] == '.' || r.isProductVersion(i) {
		return finding{}
	}
	end, parts := i, 0
	for ; parts < 4; parts++ {
		n := runLength(r.text[end:], isDigit)
		if n == 0 || n > 3 || atoi(r.text[end:end+n]) > 255 {
			return finding{}
		}
		end += n
		if parts < 3 {
			if end >= len(r.text) || r.text[end] != '.' {
				return finding{}
			}
			end++
		}
	}
	if end < len(r.text) && (isWord(r.text[end]) || r.text[end] == '.' && end+1 < len(r.text) && isDigit(r.text[end+1])) {
		return finding{}
	}
	if s := r.text[i:end]; strings.HasPrefix(s, "127.") || s == "0.0.0.0" || s == "255.255.255.255" {
		return finding{}
	}
	return finding{from: i, to: end, kind: redactedIP}
}

// isProductVersion reports a number after "name/", as "Chrome/120.0.0.0".
func (r *redactor) isProductVersion(i int) bool {
	return i > 1 && r.text[i-1] == '/' && isAlnum(r.text[i-2])
}

// ipv6 finds an address that begins at i: eight groups, or a "::" among groups
// that cannot be a path of names in code.
func (r *redactor) ipv6(i int) finding {
	rest := r.text[i:]
	if rest[0] == ':' && !strings.HasPrefix(rest, "::") || i > 0 && (isWord(r.text[i-1]) || r.text[i-1] == ':') {
		return finding{}
	}
	groups, colons, double, digits, end := 0, 0, 0, 0, 0
	for end < len(rest) && end < 45 {
		switch n := runLength(rest[end:min(len(rest), end+5)], isHex); {
		case n > 4:
			return finding{}
		case n > 0:
			groups++
			digits += runLength(rest[end:], isDigit)
			end += n
			continue
		}
		if rest[end] != ':' {
			break
		}
		if strings.HasPrefix(rest[end:], "::") {
			double++
			end++
		}
		colons++
		end++
	}
	if end < len(rest) && isWord(rest[end]) {
		return finding{}
	}
	full := groups == 8 && colons == 7
	short := double == 1 && groups >= 2 && groups < 8 && digits > 0 && runLength(rest, isHex) >= 2 && groups+digits > 3
	if !full && !short {
		return finding{}
	}
	return finding{from: i, to: i + end, kind: redactedIP}
}

func atoi(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		n = n*10 + int(s[i]-'0')
	}
	return n
}

// maxLocalPart is the longest local part of an address, in bytes (RFC 5321).
const maxLocalPart = 64

// email finds local@domain around the sign at i. "git@host" is a remote, not a person.
func (r *redactor) email(i int) finding {
	from := i
	for from > r.copied && i-from < maxLocalPart && isLocalPart(r.text[from-1]) {
		from--
	}
	from = wordStart(r.text, from, i)
	for from < i && (r.text[from] == '.' || r.text[from] == '-') {
		from++
	}
	if from == i || r.text[from:i] == "git" {
		return finding{}
	}
	to, lastDot := i+1, -1
	for to < len(r.text) && to-i < 255 {
		c := r.text[to]
		if c == '.' {
			lastDot = to
		} else if !isAlnum(c) && c != '-' && c < 0x80 {
			break
		}
		to++
	}
	for to > i+1 && (r.text[to-1] == '.' || r.text[to-1] == '-') {
		to--
		lastDot = i + strings.LastIndexByte(r.text[i:to], '.')
	}
	if lastDot <= i+1 || to-lastDot < 3 || !isAlnum(r.text[i+1]) && r.text[i+1] < 0x80 || isDigit(r.text[lastDot+1]) {
		return finding{}
	}
	return finding{from: from, to: to, kind: redactedEmail}
}

func isLocalPart(c byte) bool {
	return isAlnum(c) || c >= 0x80 || c == '.' || c == '_' || c == '%' || c == '+' || c == '-'
}

// home finds the user's name in the path of a home directory that begins at i.
func (r *redactor) home(i int) finding {
	rest := r.text[i:]
	if i > 0 && r.text[i-1] == rest[0] {
		return finding{} // first of all: a long run of them must not be read from each
	}
	slash := runLength(rest[:min(len(rest), maxSlashes+1)], func(c byte) bool { return c == rest[0] })
	if slash > maxSlashes {
		return finding{}
	}
	n := 0
	for _, name := range [...]string{"home", "users", "documents and settings"} {
		if n = foldPrefix(rest[slash:], name); n > 0 {
			break
		}
	}
	after := slash + n
	if n == 0 || after >= len(rest) || rest[after] != rest[0] {
		return finding{}
	}
	after += runLength(rest[after:], func(c byte) bool { return c == rest[0] })
	size := homeNameLength(rest[after:], rest[0])
	if size == 0 || strings.HasPrefix(rest[after:], placeholderHead) {
		return finding{}
	}
	return finding{from: i + after, to: i + after + size, kind: redactedUser}
}

// homeNameLength is the length of the name before the next separator. Windows
// names may hold spaces, but only if a separator follows.
func homeNameLength(s string, separator byte) int {
	end := 0
	for end < len(s) && end < 64 && !strings.ContainsRune("/\\\"'`<>|:;,)]}\n\r\t", rune(s[end])) {
		end++
	}
	if separator == '\\' && end < len(s) && s[end] == '\\' {
		return end
	}
	if space := strings.IndexByte(s[:end], ' '); space >= 0 {
		return space
	}
	return end
}
