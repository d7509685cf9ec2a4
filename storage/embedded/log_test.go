//go:build unix

package embedded

import (
	"bytes"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"testing"
)

func TestLogWriterSplitsLinesAndKeepsSeverity(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w := &logWriter{logger: slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))}
	for _, piece := range []string{"LOG:  sta", "rting\nWARNING:  low\n\n", "FATAL:  no disk\nhalf"} {
		if n, err := io.WriteString(w, piece); n != len(piece) || err != nil {
			t.Fatalf("wrote %d: %v", n, err)
		}
	}
	for _, want := range []string{`level=DEBUG msg="LOG:  starting"`, `level=WARN msg="WARNING:  low"`, `level=ERROR msg="FATAL:  no disk"`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s is missing in %s", want, out.String())
		}
	}
	if got := w.lastLines(); got != "LOG:  starting; WARNING:  low; FATAL:  no disk; half" {
		t.Errorf("last lines %q", got)
	}
}

func TestLogWriterIsBounded(t *testing.T) {
	t.Parallel()
	w := &logWriter{logger: quiet()}
	if _, err := io.WriteString(w, strings.Repeat("x", 5*longestLine+7)); err != nil {
		t.Fatal(err)
	}
	if len(w.pending) > longestLine || len(w.tail) != 5 {
		t.Errorf("%d bytes pending, %d lines", len(w.pending), len(w.tail))
	}
	for i := range 100 {
		if _, err := io.WriteString(w, "line "+strconv.Itoa(i)+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	if got := w.lastLines(); len(w.tail) != tailLines || !strings.HasSuffix(got, "line 99") || strings.Contains(got, "line 87") {
		t.Errorf("last lines %q", got)
	}
}
