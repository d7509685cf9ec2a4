package evidence

import (
	"sort"
	"strings"
)

// normalHeaders normalises names and values; it returns headers itself if that
// changes nothing.
func normalHeaders(headers map[string]string) map[string]string {
	changed := false
	for name, value := range headers {
		changed = changed || Normalise(name) != name || Normalise(value) != value
	}
	if !changed {
		return headers
	}
	out := make(map[string]string, len(headers))
	for name, value := range headers {
		out[Normalise(name)] = Normalise(value)
	}
	return out
}

// boundHeaders lower-cases the names, cuts long values and keeps at most
// maxHeaders, preferring those that can tell a cause or a time. The result
// shares nothing with headers unless nothing had to change.
func boundHeaders(headers map[string]string) map[string]string {
	if headersFit(headers) {
		return headers
	}
	names := make([]string, 0, len(headers))
	for name := range headers {
		names = append(names, name)
	}
	sort.Slice(names, func(i, j int) bool {
		a, b := telling(names[i]), telling(names[j])
		if a != b {
			return a
		}
		return names[i] < names[j]
	})
	out := make(map[string]string, min(len(names), maxHeaders))
	for _, name := range names[:min(len(names), maxHeaders)] {
		key, _ := Cut(strings.ToLower(name), maxHeaderName)
		if _, taken := out[key]; taken {
			continue
		}
		out[key], _ = Cut(headers[name], maxHeaderValue)
	}
	return out
}

func headersFit(headers map[string]string) bool {
	if len(headers) > maxHeaders {
		return false
	}
	for name, value := range headers {
		if len(name) > maxHeaderName || len(value) > maxHeaderValue || name != strings.ToLower(name) {
			return false
		}
	}
	return true
}

// telling reports whether a header can say why a request failed or until when.
func telling(name string) bool {
	name = strings.ToLower(name)
	for _, part := range []string{"retry", "ratelimit", "rate-limit", "quota", "error", "codex", "should", "unified"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}
