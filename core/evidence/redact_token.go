package evidence

import "strings"

// tokenShape is a kind of credential that is known by its own prefix.
type tokenShape struct {
	prefix string
	kind   string
	least  int // bytes after the prefix
	chars  func(byte) bool
	// exact prefixes mean a credential even inside a word; the others need a
	// word boundary and a random look, or names such as "sk-toggleable" would go.
	exact bool
	// fixed is the count of bytes after the prefix where the format fixes it, 0 if it does not.
	fixed int
}

// tokenShapes lists the known prefixes; of two that match, the first wins.
var tokenShapes = []tokenShape{
	{prefix: "sk-ant-", kind: redactedAPIKey, least: 6, chars: isMaskedKeyChar, exact: true},
	{prefix: "sk-proj-", kind: redactedAPIKey, least: 6, chars: isMaskedKeyChar, exact: true},
	{prefix: "sk-svcacct-", kind: redactedAPIKey, least: 6, chars: isMaskedKeyChar, exact: true},
	{prefix: "sk-admin-", kind: redactedAPIKey, least: 6, chars: isMaskedKeyChar},
	{prefix: "sk-or-", kind: redactedAPIKey, least: 6, chars: isMaskedKeyChar},
	{prefix: "sk-", kind: redactedAPIKey, least: 8, chars: isMaskedKeyChar},
	{prefix: "sk_live_", kind: redactedAPIKey, least: 8, chars: isKeyChar, exact: true},
	{prefix: "sk_test_", kind: redactedAPIKey, least: 8, chars: isKeyChar, exact: true},
	{prefix: "rk_live_", kind: redactedAPIKey, least: 8, chars: isKeyChar, exact: true},
	{prefix: "pk_live_", kind: redactedAPIKey, least: 8, chars: isKeyChar, exact: true},
	{prefix: "whsec_", kind: redactedSecret, least: 16, chars: isBase64, exact: true},
	{prefix: "AIza", kind: redactedAPIKey, least: 30, chars: isKeyChar, exact: true},
	{prefix: "ya29.", kind: redactedToken, least: 16, chars: isBearerChar, exact: true},
	{prefix: "1//0", kind: redactedToken, least: 30, chars: isKeyChar},
	{prefix: "GOCSPX-", kind: redactedSecret, least: 16, chars: isKeyChar, exact: true},
	{prefix: "github_pat_", kind: redactedToken, least: 16, chars: isWord, exact: true},
	{prefix: "ghp_", kind: redactedToken, least: 16, chars: isWord, exact: true},
	{prefix: "gho_", kind: redactedToken, least: 16, chars: isWord, exact: true},
	{prefix: "ghu_", kind: redactedToken, least: 16, chars: isWord, exact: true},
	{prefix: "ghs_", kind: redactedToken, least: 16, chars: isWord, exact: true},
	{prefix: "ghr_", kind: redactedToken, least: 16, chars: isWord, exact: true},
	{prefix: "glpat-", kind: redactedToken, least: 12, chars: isKeyChar, exact: true},
	{prefix: "gldt-", kind: redactedToken, least: 12, chars: isKeyChar, exact: true},
	{prefix: "glrt-", kind: redactedToken, least: 12, chars: isKeyChar, exact: true},
	{prefix: "glptt-", kind: redactedToken, least: 12, chars: isKeyChar, exact: true},
	{prefix: "xoxb-", kind: redactedToken, least: 8, chars: isKeyChar, exact: true},
	{prefix: "xoxp-", kind: redactedToken, least: 8, chars: isKeyChar, exact: true},
	{prefix: "xoxa-", kind: redactedToken, least: 8, chars: isKeyChar, exact: true},
	{prefix: "xoxr-", kind: redactedToken, least: 8, chars: isKeyChar, exact: true},
	{prefix: "xoxs-", kind: redactedToken, least: 8, chars: isKeyChar, exact: true},
	{prefix: "xoxe-", kind: redactedToken, least: 8, chars: isKeyChar, exact: true},
	{prefix: "xapp-", kind: redactedToken, least: 8, chars: isKeyChar, exact: true},
	{prefix: "xai-", kind: redactedAPIKey, least: 20, chars: isKeyChar},
	{prefix: "gsk_", kind: redactedAPIKey, least: 16, chars: isKeyChar},
	{prefix: "csk-", kind: redactedAPIKey, least: 20, chars: isKeyChar},
	{prefix: "nvapi-", kind: redactedAPIKey, least: 20, chars: isKeyChar, exact: true},
	{prefix: "pplx-", kind: redactedAPIKey, least: 20, chars: isKeyChar},
	{prefix: "tvly-", kind: redactedAPIKey, least: 16, chars: isKeyChar},
	{prefix: "fw_", kind: redactedAPIKey, least: 16, chars: isAlnum},
	{prefix: "hf_", kind: redactedToken, least: 20, chars: isAlnum},
	{prefix: "r8_", kind: redactedToken, least: 20, chars: isAlnum},
	{prefix: "npm_", kind: redactedToken, least: 24, chars: isAlnum},
	{prefix: "pypi-", kind: redactedToken, least: 24, chars: isKeyChar},
	{prefix: "dop_v1_", kind: redactedToken, least: 16, chars: isAlnum, exact: true},
	{prefix: "dckr_pat_", kind: redactedToken, least: 16, chars: isKeyChar, exact: true},
	{prefix: "lin_api_", kind: redactedAPIKey, least: 16, chars: isAlnum, exact: true},
	{prefix: "shpat_", kind: redactedToken, least: 16, chars: isAlnum, exact: true},
	{prefix: "sgamp_", kind: redactedToken, least: 16, chars: isKeyChar, exact: true},
	{prefix: "SG.", kind: redactedAPIKey, least: 32, chars: isBearerChar},
	{prefix: "ATATT3", kind: redactedToken, least: 16, chars: isBearerChar},
	{prefix: "AKIA", kind: redactedAPIKey, chars: isUpperOrDigit, fixed: 16, exact: true},
	{prefix: "ASIA", kind: redactedAPIKey, chars: isUpperOrDigit, fixed: 16, exact: true},
	{prefix: "ABSK", kind: redactedAPIKey, least: 40, chars: isBase64},
	{prefix: "req_", kind: redactedRequestID, least: 8, chars: isWord},
	{prefix: "request-", kind: redactedRequestID, least: 20, chars: isKeyChar},
	{prefix: "org-", kind: redactedOrgID, least: 12, chars: isAlnum},
	{prefix: "org_", kind: redactedOrgID, least: 12, chars: isAlnum},
	{prefix: "proj_", kind: redactedProjectID, least: 12, chars: isAlnum},
	{prefix: "acct_", kind: redactedAccountID, least: 8, chars: isAlnum},
	{prefix: "user-", kind: redactedUser, least: 16, chars: isAlnum},
	{prefix: "user_", kind: redactedUser, least: 16, chars: isAlnum},
}

func isUpperOrDigit(c byte) bool { return isUpper(c) || isDigit(c) }

// shapesByFirst holds the indexes of tokenShapes by first byte.
var shapesByFirst = buildShapeIndex()

func buildShapeIndex() (index [256][]int) {
	for i, shape := range tokenShapes {
		index[shape.prefix[0]] = append(index[shape.prefix[0]], i)
	}
	return index
}

// pairSet is a set of byte pairs.
type pairSet [256][4]uint64

func (p *pairSet) add(a, b byte)      { p[a][b>>6] |= 1 << (b & 63) }
func (p *pairSet) has(a, b byte) bool { return p[a][b>>6]&(1<<(b&63)) != 0 }

// exactPairs holds the first two bytes of the prefixes that count inside a word.
var exactPairs = func() *pairSet {
	var p pairSet
	for _, shape := range tokenShapes {
		if shape.exact {
			p.add(shape.prefix[0], shape.prefix[1])
		}
	}
	return &p
}()

// token finds a credential that begins a word at i.
func (r *redactor) token(i int) finding {
	rest := r.text[i:]
	switch rest[0] {
	case 'e':
		if f := r.jwt(i); f.to > 0 {
			return f
		}
	case 'B', 'b':
		if f := r.scheme(i); f.to > 0 {
			return f
		}
	case 'a':
		if f := r.arnAccount(i); f.to > 0 {
			return f
		}
	case 'p':
		if f := r.projectPath(i); f.to > 0 {
			return f
		}
	}
	return r.shaped(i, false)
}

// embeddedToken finds a credential of an unmistakable shape inside a word.
func (r *redactor) embeddedToken(i int) finding { return r.shaped(i, true) }

func (r *redactor) shaped(i int, exactOnly bool) finding {
	rest := r.text[i:]
	for _, index := range shapesByFirst[rest[0]] {
		shape := &tokenShapes[index]
		if exactOnly && !shape.exact || !strings.HasPrefix(rest, shape.prefix) {
			continue
		}
		from := i + len(shape.prefix)
		if shape.fixed > 0 {
			if end := r.fixedEnd(from, shape); end > 0 {
				r.awsKey = true
				return finding{from: i, to: end, kind: shape.kind}
			}
			continue
		}
		end, n := r.wrappedRun(from, shape.chars)
		if n < shape.least || !shape.exact && !looksRandom(r.text[from:end]) {
			continue
		}
		return finding{from: i, to: end, kind: shape.kind}
	}
	return finding{}
}

// fixedEnd returns where a credential of a fixed size ends whose prefix ends at
// from, 0 if it has another size. A terminal may break its line inside it.
func (r *redactor) fixedEnd(from int, shape *tokenShape) int {
	n := runLength(r.text[from:min(len(r.text), from+shape.fixed+1)], shape.chars)
	broken := n >= 8 && n < shape.fixed && lineBreak(r.text[from+n:]) > 0
	if n == shape.fixed || broken {
		return from + n
	}
	return 0
}

// jwt finds header.payload.signature; the signature may be cut off.
func (r *redactor) jwt(i int) finding {
	rest := r.text[i:]
	if !strings.HasPrefix(rest, "eyJ") {
		return finding{}
	}
	head := runLength(rest, isKeyChar)
	if head < 10 || head >= len(rest) || rest[head] != '.' {
		return finding{}
	}
	end, payload := r.wrappedRun(i+head+1, isKeyChar)
	if payload < 8 {
		return finding{}
	}
	if end < len(r.text) && r.text[end] == '.' {
		end, _ = r.wrappedRun(end+1, isKeyChar)
	}
	return finding{from: i, to: end, kind: redactedJWT}
}

// scheme finds the credential after "Bearer" or "Basic".
func (r *redactor) scheme(i int) finding {
	rest := r.text[i:]
	n := foldPrefix(rest, "bearer ")
	if n == 0 {
		n = foldPrefix(rest, "basic ")
	}
	if n == 0 {
		return finding{}
	}
	n += runLength(rest[n:], isSpace)
	end, size := r.wrappedRun(i+n, isBearerChar)
	if size < 8 || !looksRandom(r.text[i+n:end]) {
		return finding{}
	}
	return finding{from: i + n, to: end, kind: redactedToken}
}

// awsSecret finds the 40 random characters of an AWS secret access key.
func (r *redactor) awsSecret(i int) finding {
	const size = 40
	if len(r.text)-i < size || r.text[i] == '=' {
		return finding{}
	}
	body := r.text[i : i+size]
	end := i + size
	if end < len(r.text) && (isBase64(r.text[end]) || r.text[end] == '_' || r.text[end] == '-' || r.text[end] == '.') {
		return finding{}
	}
	upper, lower, digit, slash := 0, 0, 0, 0
	for j := 0; j < size; j++ {
		switch c := body[j]; {
		case isUpper(c):
			upper++
		case isLower(c):
			lower++
		case isDigit(c):
			digit++
		case c == '/':
			slash++
		case c != '+':
			return finding{}
		}
	}
	if upper < 4 || lower < 4 || digit < 2 || slash > 4 || !r.awsKey && slash > 2 {
		return finding{}
	}
	return finding{from: i, to: end, kind: redactedSecret}
}

// foldPrefix returns the length of prefix (lower case) if s begins with it in any case, else 0.
func foldPrefix(s, prefix string) int {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return 0
	}
	return len(prefix)
}
