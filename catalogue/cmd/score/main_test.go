package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const labelled = `{"id":"a","agent":"claude","provider":"anthropic","signals":[{"kind":"http","status":529}],"phase":"pre_output","expected_code":"provider_overloaded","expected_class":"transient","confidence_in_label":"high"}
{"id":"b","agent":"claude","provider":"anthropic","signals":[{"kind":"http","status":529}],"phase":"pre_output","expected_code":"unclassified","expected_class":"unclassified","confidence_in_label":"high"}
{"id":"c","agent":"claude","provider":"anthropic","signals":[{"kind":"http","status":529}],"phase":"pre_output","expected_code":"task_error","expected_class":"non_provider","confidence_in_label":"low"}
`

func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRun(t *testing.T) {
	t.Parallel()
	cases := file(t, "cases.jsonl", labelled)
	more := file(t, "more.jsonl", strings.SplitN(labelled, "\n", 2)[0])
	empty := filepath.Dir(file(t, "cases.txt", labelled))
	for _, c := range []struct {
		name       string
		args       []string
		says, err  string
		exceptions string
	}{
		{name: "a false action fails the board", args: []string{"-v", cases}, says: "false action: b", err: "below"},
		{name: "a folder", args: []string{filepath.Dir(cases)}, says: "1 of     2", err: "below"},
		{name: "several files on one board", args: []string{cases, more}, says: "2 of     3", err: "below"},
		{name: "a folder and a file", args: []string{filepath.Dir(cases), more}, says: "2 of     3", err: "below"},
		{name: "by channel", args: []string{more}, says: "http                                   1 of     1"},
		{name: "by agent", args: []string{more}, says: "claude                                 1 of     1"},
		{name: "a folder without cases", args: []string{empty}, err: "holds no *.jsonl"},
		{name: "an exception with its reason", args: []string{cases}, exceptions: "b the label is wrong", says: "1 excepted"},
		{name: "an exception without", args: []string{cases}, exceptions: "b", err: "no reason"},
		{name: "one case explained", args: []string{"-explain", "a", cases}, says: `"Won": true`},
		{name: "no such file", args: []string{"none.jsonl"}, err: "none.jsonl"},
		{name: "a bad flag", args: []string{"-nonsense"}, err: "nonsense"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"-exceptions", file(t, "exceptions.txt", c.exceptions)}, c.args...)
			var out bytes.Buffer
			err := run(args, &out)
			if !strings.Contains(out.String(), c.says) {
				t.Errorf("printed %q, want %q", out.String(), c.says)
			}
			if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("error %v, want %q", err, c.err)
			}
		})
	}
}
