package evidence

import "strings"

// userinfo finds "user:password" or "user" in "scheme://user:password@host",
// for a colon at i. A password may hold slashes and at signs.
func (r *redactor) userinfo(i int) finding {
	if !strings.HasPrefix(r.text[i:], "://") {
		return finding{}
	}
	from := i + 3
	rest := r.text[from:]
	end := runLength(rest[:min(len(rest), 1024)], isURLByte)
	authority := rest[:end]
	if cut := strings.IndexAny(authority, "/?#"); cut >= 0 && !r.isDSN(i) && !passwordHolds(authority, cut) {
		authority = authority[:cut]
	}
	at := strings.LastIndexByte(authority, '@')
	if at < 0 && len(authority) == end && r.cutOff(from+end) {
		at = unfinished(authority)
	}
	if at <= 0 {
		return finding{}
	}
	who := authority[:at]
	if who == "git" || strings.HasPrefix(who, placeholderHead) {
		return finding{}
	}
	return finding{from: from, to: from + at, kind: redactedCredentials}
}

// cutOff reports that the text was cut at to, or ends there.
func (r *redactor) cutOff(to int) bool {
	return to == len(r.text) || strings.HasPrefix(r.text[to:], CutMark)
}

// unfinished is the length of an authority that ends before its at sign: it has
// a colon, and what follows is no port. 0 if it may be complete.
func unfinished(authority string) int {
	colon := strings.IndexByte(authority, ':')
	if colon <= 0 || all(authority[colon+1:], isDigit) {
		return 0
	}
	return len(authority)
}

// passwordHolds reports that the slash at cut belongs to a password: there is
// "user:" before it that no port explains, and an at sign after it.
func passwordHolds(authority string, cut int) bool {
	colon := strings.IndexByte(authority[:cut], ':')
	if colon <= 0 || strings.IndexByte(authority[:cut], '@') >= 0 || strings.IndexByte(authority[cut:], '@') < 0 {
		return false
	}
	return !all(authority[colon+1:cut], isDigit)
}

// isDSN reports that the scheme before i names a data store: no at sign stands
// in the rest of such an address, so the last one ends the password.
func (r *redactor) isDSN(i int) bool {
	from := i
	for from > r.copied && i-from < 16 && (isAlnum(r.text[from-1]) || r.text[from-1] == '+') {
		from--
	}
	scheme, _, _ := strings.Cut(r.text[from:i], "+")
	switch scheme {
	case "postgres", "postgresql", "mysql", "mariadb", "mongodb", "redis", "rediss", "amqp", "amqps", "mssql", "sqlserver", "clickhouse", "nats":
		return true
	}
	return false
}

func isURLByte(c byte) bool {
	return c > 0x20 && c != '"' && c != '\'' && c != '`' && c != '<' && c != '>' && c != '\\' && c != 0x7f
}

// arnAccount finds the account number of an Amazon resource name.
func (r *redactor) arnAccount(i int) finding {
	rest := r.text[i:]
	if !strings.HasPrefix(rest, "arn:") {
		return finding{}
	}
	at, colons := 4, 1
	for at < len(rest) && at < 200 && colons < 4 {
		if rest[at] == ':' {
			colons++
		} else if !isKeyChar(rest[at]) {
			return finding{}
		}
		at++
	}
	n := runLength(rest[min(at, len(rest)):], isDigit)
	if colons != 4 || n != 12 {
		return finding{}
	}
	return finding{from: i + at, to: i + at + n, kind: redactedAccountID}
}

// projectPath finds the name in a Google resource "projects/name", which no
// path of directories leads to.
func (r *redactor) projectPath(i int) finding {
	const prefix = "projects/"
	rest := r.text[i:]
	if !strings.HasPrefix(rest, prefix) || i > 0 && (r.text[i-1] == '/' || r.text[i-1] == '\\' || r.text[i-1] == '.') {
		return finding{}
	}
	n := runLength(rest[len(prefix):], isKeyChar)
	if n < 4 || !looksRandom(rest[len(prefix):len(prefix)+n]) {
		return finding{}
	}
	return finding{from: i + len(prefix), to: i + len(prefix) + n, kind: redactedProjectID}
}

// privateKey finds a PEM block of a private key that begins at i, also one
// with escaped line ends, and one whose end is cut off.
func (r *redactor) privateKey(i int) finding {
	const begin = "-----BEGIN "
	rest := r.text[i:]
	if !strings.HasPrefix(rest, begin) {
		if f := r.keyEnd(i); f.to > 0 {
			return f
		}
		return r.flag(i)
	}
	label := rest[len(begin):min(len(rest), len(begin)+64)]
	n := strings.Index(label, "-----")
	if n < 0 || !strings.Contains(label[:n], "PRIVATE KEY") {
		return finding{}
	}
	end := "-----END " + label[:n] + "-----"
	body := len(begin) + n + 5
	// No private key is larger; without the bound many beginnings without an end cost quadratic time.
	if at := strings.Index(rest[body:min(len(rest), body+8192)], end); at >= 0 {
		return finding{from: i, to: i + body + at + len(end), kind: redactedPrivateKey}
	}
	return finding{from: i, to: i + body + runLength(rest[body:], isPEMByte), kind: redactedPrivateKey}
}

// keyEnd finds the rest of a private key whose beginning was cut off, at the
// line that ends it.
func (r *redactor) keyEnd(i int) finding {
	const end = "-----END "
	rest := r.text[i:]
	if !strings.HasPrefix(rest, end) {
		return finding{}
	}
	label := rest[len(end):min(len(rest), len(end)+64)]
	n := strings.Index(label, "-----")
	if n < 0 || !strings.Contains(label[:n], "PRIVATE KEY") {
		return finding{}
	}
	from := i
	for from > r.copied && i-from < 8192 && (isBase64(r.text[from-1]) || r.text[from-1] == '\n' || r.text[from-1] == '\r' || r.text[from-1] == '\\') {
		from--
	}
	return finding{from: from, to: i + len(end) + n + 5, kind: redactedPrivateKey}
}

// isPEMByte reports what may stand in a PEM body, header lines and escaped line ends included.
func isPEMByte(c byte) bool {
	return isBase64(c) || c == '\n' || c == '\r' || c == ' ' || c == '\\' || c == '-' || c == ':' || c == ','
}
