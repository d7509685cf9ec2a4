package evidence

// The kinds of placeholder. Each stands in a text as "[redacted:kind]".
const (
	redactedAPIKey      = "api_key"
	redactedToken       = "token"
	redactedJWT         = "jwt"
	redactedPrivateKey  = "private_key"
	redactedPassword    = "password"
	redactedSecret      = "secret"
	redactedCookie      = "cookie"
	redactedCredentials = "credentials"
	redactedSignature   = "signature"
	redactedEmail       = "email"
	redactedIP          = "ip"
	redactedUser        = "user"
	redactedRequestID   = "request_id"
	redactedOrgID       = "org_id"
	redactedAccountID   = "account_id"
	redactedProjectID   = "project_id"
	redactedID          = "id"
)

const placeholderHead = "[redacted:"

// Redact replaces credentials, personal details and account identifiers by
// placeholders of the form "[redacted:kind]". Codes, statuses, durations,
// model names and package names stay, so that classifying the result gives the
// same answer. It is idempotent and linear, works on prose and on JSON at any
// depth of escaping, keeps valid JSON valid, and returns text itself when there
// is nothing to hide.
func Redact(text string) string {
	r := redactor{text: text, partTo: len(text)}
	return r.run()
}

func (r *redactor) run() string {
	text := r.text
	// What begins behind the asked part does not matter, but for the sign of an
	// address whose name stands in it.
	stop := min(len(text), r.partTo+maxLocalPart)
	for i := 0; i < stop; {
		triggers := triggerOf[text[i]]
		if triggers == 0 || triggers&wakesToken != 0 && r.insideWord(i) {
			i++
			continue
		}
		if f := r.find(i, triggers); f.to > 0 && f.from >= r.copied {
			f.to = r.overWraps(f)
			r.replace(f)
			i = max(f.to, i+1)
			continue
		}
		i++
	}
	return r.finish()
}

// redactor walks one text once, and copies it only from the first finding on.
type redactor struct {
	text   string
	out    []byte
	copied int // text[:copied] is in out, redacted
	// awsKey says that an AWS access key was seen: a bare token of 40
	// characters is then more likely its secret.
	awsKey bool
	// partFrom and partTo bound the part of text that is asked for; outFrom and
	// outTo are where it stands in out, 1 more than that, 0 while unknown.
	partFrom, partTo int
	outFrom, outTo   int
}

// finding is one stretch to replace; to == 0 is none.
type finding struct {
	from, to int
	kind     string
	quote    string // put around the placeholder, to keep JSON valid
}

func (r *redactor) replace(f finding) {
	if r.out == nil {
		r.out = make([]byte, 0, len(r.text)+64)
	}
	r.mark(f.from, f.to)
	r.out = append(r.out, r.text[r.copied:f.from]...)
	r.out = append(r.out, f.quote...)
	r.out = append(r.out, placeholderHead...)
	r.out = append(r.out, f.kind...)
	r.out = append(r.out, ']')
	r.out = append(r.out, f.quote...)
	r.copied = f.to
	if r.outTo == 0 && f.to >= r.partTo {
		r.outTo = len(r.out) + 1
	}
}

func (r *redactor) finish() string {
	if r.out == nil {
		return r.text[r.partFrom:r.partTo]
	}
	r.mark(len(r.text), len(r.text))
	r.out = append(r.out, r.text[r.copied:]...)
	if r.outTo == 0 {
		r.outTo = len(r.out) + 1
	}
	return string(r.out[r.outFrom-1 : r.outTo-1])
}

// mark notes where the ends of the asked part come to stand, before the text
// up to from is copied and that up to to is replaced. A placeholder belongs to
// the part if any of what it hides does.
func (r *redactor) mark(from, to int) {
	if r.outFrom == 0 && (to > r.partFrom || to == len(r.text)) {
		r.outFrom = len(r.out) + min(max(r.partFrom, r.copied), from) - r.copied + 1
	}
	if r.outTo == 0 && from >= r.partTo {
		r.outTo = len(r.out) + max(r.partTo, r.copied) - r.copied + 1
	}
}

// A trigger says which detectors a byte may wake up.
type trigger uint8

const (
	wakesToken trigger = 1 << iota // a credential that is known by its own shape
	wakesKeyed                     // a value that is known by the key before it
	wakesURL
	wakesEmail
	wakesHome
	wakesIP
	wakesUUID
	wakesPEM
)

// triggerOf maps each byte to the detectors that it wakes up.
var triggerOf = buildTriggers()

func buildTriggers() (table [256]trigger) {
	for _, shape := range tokenShapes {
		table[shape.prefix[0]] |= wakesToken
	}
	for c := 0; c < 256; c++ {
		if isAlnum(byte(c)) {
			table[c] |= wakesToken // a bare secret starts with any of them
		}
		if isHex(byte(c)) {
			table[c] |= wakesUUID | wakesIP
		}
	}
	table[':'] |= wakesKeyed | wakesURL
	table['='] |= wakesKeyed
	table['@'] |= wakesEmail
	table['/'] |= wakesHome
	table['\\'] |= wakesHome
	table['-'] |= wakesPEM
	return table
}

// find asks the woken detectors in order of how exact they are.
func (r *redactor) find(i int, woken trigger) finding {
	if woken&wakesPEM != 0 {
		return r.privateKey(i)
	}
	if woken&(wakesToken|wakesUUID|wakesIP) != 0 && r.startsWord(i) {
		return r.word(i, woken)
	}
	if woken&wakesToken != 0 {
		return r.embeddedToken(i)
	}
	if woken&wakesURL != 0 {
		if f := r.userinfo(i); f.to > 0 {
			return f
		}
		if f := r.ipv6(i); f.to > 0 {
			return f
		}
	}
	switch {
	case woken&wakesKeyed != 0:
		return r.keyed(i)
	case woken&wakesEmail != 0:
		return r.email(i)
	case woken&wakesHome != 0:
		return r.home(i)
	}
	return finding{}
}

// word tries what can begin a word at i.
func (r *redactor) word(i int, woken trigger) finding {
	if f := r.token(i); f.to > 0 {
		return f
	}
	if woken&wakesUUID != 0 {
		if f := r.uuid(i); f.to > 0 {
			return f
		}
	}
	if woken&wakesIP != 0 {
		if f := r.ipv4(i); f.to > 0 {
			return f
		}
		if f := r.ipv6(i); f.to > 0 {
			return f
		}
	}
	if f := r.awsSecret(i); f.to > 0 {
		return f
	}
	return r.opaque(i)
}

// insideWord reports that nothing can begin at i: it is in the middle of a
// word and is not the first of two bytes that an unmistakable prefix begins with.
// Most bytes of most texts are settled here.
func (r *redactor) insideWord(i int) bool {
	if i == 0 || !isWordByte[r.text[i-1]] {
		return false
	}
	if i+1 < len(r.text) && exactPairs.has(r.text[i], r.text[i+1]) {
		return false
	}
	return i < 2 || r.text[i-2] != '\\' && r.text[i-2] != '%' && !r.afterUnicodeEscape(i)
}

// afterUnicodeEscape reports that `\u000a` ends before i.
func (r *redactor) afterUnicodeEscape(i int) bool {
	return i >= 6 && r.text[i-6] == '\\' && r.text[i-5] == 'u'
}

// startsWord reports that a word begins at i: the byte before is no part of
// it, or is the letter of an escape as in `\nword`.
func (r *redactor) startsWord(i int) bool {
	switch {
	case i == 0 || !isWordByte[r.text[i-1]]:
		return true
	case r.afterUnicodeEscape(i):
		return allHex(r.text[i-4 : i])
	}
	return wordStart(r.text, i-1, i) == i
}

// wordStart moves from past an escape that ends the run text[from:to] began
// in, as `\n`, `\u000a` or `%22`.
func wordStart(text string, from, to int) int {
	if from > 0 && text[from-1] == '\\' && from < to {
		if text[from] == 'u' && from+5 <= to && allHex(text[from+1:from+5]) {
			return from + 5
		}
		return from + 1
	}
	if from < to && from > 1 && text[from-2] == '%' && isHex(text[from-1]) && isHex(text[from]) {
		return from + 1
	}
	return from
}
