package scan

import "bytes"

// Statuses calls yield for each HTTP error status (400–599) that a folded text
// states as such: behind a word like status or error, with its reason phrase, in
// brackets behind one, or at the start of a line. A number alone is no status.
func Statuses(folded []byte, yield func(status, at int)) {
	for i := 0; i+3 <= len(folded); i++ {
		c := folded[i]
		if c != '4' && c != '5' {
			continue
		}
		n, ok := threeDigits(folded, i)
		if ok && (labelled(folded[max(0, i-24):i]) || phrased(folded[i+3:], n) || startsLine(folded, i)) {
			yield(n, i)
		}
		for i+1 < len(folded) && isDigit(folded[i+1]) {
			i++
		}
	}
}

func threeDigits(b []byte, i int) (int, bool) {
	if !isDigit(b[i+1]) || !isDigit(b[i+2]) {
		return 0, false
	}
	if i > 0 && (isWord(b[i-1]) || b[i-1] == '.' && i > 1 && isDigit(b[i-2])) {
		return 0, false
	}
	if i+3 < len(b) && (isWord(b[i+3]) || b[i+3] == '.' && i+4 < len(b) && isDigit(b[i+4])) {
		return 0, false
	}
	return int(b[i]-'0')*100 + int(b[i+1]-'0')*10 + int(b[i+2]-'0'), true
}

// labels are the words that make the number behind them a status.
var labels = [][]byte{
	[]byte("http"), []byte("http/1.1"), []byte("http/2"), []byte("status"), []byte("code"),
	[]byte("error"), []byte("statuscode"), []byte("status_code"), []byte("httpstatuscode"), []byte("http_status"),
	[]byte("failed with"), []byte("responded with"), []byte("server returned"), []byte("last error"),
}

func labelled(before []byte) bool {
	before = bytes.TrimRight(before, " \n:=(['\"#/")
	for _, l := range labels {
		if bytes.HasSuffix(before, l) && (len(before) == len(l) || !isWord(before[len(before)-len(l)-1])) {
			return true
		}
	}
	return false
}

var phrases = map[int][]string{
	400: {"bad request"}, 401: {"unauthorized"}, 402: {"payment required"}, 403: {"forbidden"},
	404: {"not found"}, 408: {"request timeout"}, 413: {"request entity too large", "payload too large", "content too large"},
	422: {"unprocessable"}, 429: {"too many requests"}, 500: {"internal server error"}, 502: {"bad gateway"},
	503: {"service unavailable"}, 504: {"gateway time"}, 529: {"overloaded"},
}

func phrased(after []byte, status int) bool {
	after = bytes.TrimLeft(after, " :-)")
	for _, p := range phrases[status] {
		if len(after) >= len(p) && string(after[:len(p)]) == p {
			return true
		}
	}
	return false
}

// startsLine reports a number in front of a message: `529 Please try again`, `[429] …`.
func startsLine(b []byte, i int) bool {
	after := b[i+3:]
	if len(after) > 0 && after[0] != ' ' && after[0] != ']' && after[0] != ':' && after[0] != '\n' {
		return false
	}
	for i--; i >= 0 && b[i] != '\n'; i-- {
		if isWord(b[i]) || b[i] == '.' || b[i] == '$' {
			return false
		}
	}
	return true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isWord(c byte) bool { return isDigit(c) || c >= 'a' && c <= 'z' || c == '_' }
