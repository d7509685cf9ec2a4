package dialect

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// retryWords begin the phrases by which agents announce a retry of their own.
// What follows decides: "retrying in 5s" announces, "retrying failed" does not.
var retryWords = [...]string{"etrying", "econnecting", "acking off"}

// ownRetry reports that a line announces the agent's own retry, and how long
// it waits; 0 if the line does not say.
func ownRetry(line string) (time.Duration, bool) {
	for _, word := range retryWords {
		at := strings.Index(line, word)
		if at < 0 {
			continue
		}
		rest := line[at+len(word):]
		if announces(rest) {
			return firstWait(rest), true
		}
	}
	return 0, false
}

// announces looks at what follows the word.
func announces(rest string) bool {
	trimmed := strings.TrimLeft(rest, " \t")
	switch {
	case trimmed == "" || strings.HasPrefix(trimmed, "...") || strings.HasPrefix(trimmed, "…") || strings.HasPrefix(trimmed, "("):
		return trimmed != "" || rest != ""
	case trimmed[0] >= '0' && trimmed[0] <= '9':
		return true
	}
	for _, word := range [...]string{"in ", "after ", "with backoff", "for "} {
		if strings.HasPrefix(trimmed, word) {
			return true
		}
	}
	return false
}

// firstWait reads the first duration of a text, as "in 1 seconds", "211ms",
// "7m 56s" or "after 7408ms".
func firstWait(text string) time.Duration {
	for i := 0; i < len(text) && i < 80; i++ {
		if text[i] < '0' || text[i] > '9' {
			continue
		}
		total, used := wait(text[i:])
		if total > 0 {
			return total
		}
		i += max(used-1, 0)
	}
	return 0
}

// wait sums the number-unit pairs at the start of text. used is the length of
// what was read, also when it is no duration.
func wait(text string) (total time.Duration, used int) {
	for used < len(text) {
		digits := numberLength(text[used:])
		if digits == 0 {
			break
		}
		n, err := strconv.ParseFloat(text[used:used+digits], 64)
		next := used + digits
		for next < len(text) && text[next] == ' ' {
			next++
		}
		unit, size := unitOf(text[next:])
		if err != nil || unit == 0 {
			return total, used + digits
		}
		total = boundedDuration(float64(total) + n*float64(unit))
		used = next + size
		for used < len(text) && text[used] == ' ' {
			used++
		}
	}
	return total, used
}

func numberLength(text string) int {
	n := 0
	for n < len(text) && (text[n] >= '0' && text[n] <= '9' || text[n] == '.' && n > 0) {
		n++
	}
	return n
}

// unitOf reads a unit of time; 0 if text begins with another word.
func unitOf(text string) (time.Duration, int) {
	n := 0
	for n < len(text) && (text[n] >= 'a' && text[n] <= 'z') {
		n++
	}
	if n < len(text) && text[n] >= utf8.RuneSelf && !strings.HasPrefix(text[n:], "…") {
		return 0, n
	}
	switch text[:n] {
	case "ms", "msec", "millisecond", "milliseconds":
		return time.Millisecond, n
	case "s", "sec", "secs", "second", "seconds":
		return time.Second, n
	case "m", "min", "mins", "minute", "minutes":
		return time.Minute, n
	case "h", "hr", "hrs", "hour", "hours":
		return time.Hour, n
	case "d", "day", "days":
		return 24 * time.Hour, n
	}
	return 0, n
}
