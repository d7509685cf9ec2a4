//go:build unix

package embedded

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
)

const (
	tailLines    = 12      // lines kept for an error message
	longestLine  = 8 << 10 // bytes after which a line is cut
	severitySign = ":  "   // what PostgreSQL writes after a severity
)

// logWriter turns PostgreSQL's log into records, and keeps its last lines for
// the message of a failed start.
type logWriter struct {
	logger *slog.Logger

	mu      sync.Mutex
	pending []byte
	tail    []string
}

// Write implements io.Writer; it never fails, so that a full log cannot stop
// the database.
func (w *logWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pending = append(w.pending, p...)
	for {
		i := bytes.IndexByte(w.pending, '\n')
		if i < 0 && len(w.pending) < longestLine {
			return len(p), nil
		}
		if i < 0 || i > longestLine {
			w.emit(string(w.pending[:longestLine]))
			w.pending = w.pending[longestLine:]
			continue
		}
		w.emit(string(w.pending[:i]))
		w.pending = w.pending[i+1:]
	}
}

func (w *logWriter) emit(line string) {
	if line = strings.TrimSpace(line); line == "" {
		return
	}
	w.tail = append(w.tail, line)
	if len(w.tail) > tailLines {
		w.tail = w.tail[1:]
	}
	w.logger.Log(context.Background(), levelOf(line), line, "source", "postgresql")
}

// levelOf maps PostgreSQL's severities; LOG is its routine chatter.
func levelOf(line string) slog.Level {
	severity, _, found := strings.Cut(line, severitySign)
	if !found {
		return slog.LevelDebug
	}
	switch severity {
	case "WARNING", "HINT":
		return slog.LevelWarn
	case "ERROR", "FATAL", "PANIC":
		return slog.LevelError
	default:
		return slog.LevelDebug
	}
}

// lastLines are the latest lines, an unfinished one included.
func (w *logWriter) lastLines() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	lines := w.tail
	if rest := strings.TrimSpace(string(w.pending)); rest != "" {
		lines = append(lines[:len(lines):len(lines)], rest)
	}
	return strings.Join(lines, "; ")
}
