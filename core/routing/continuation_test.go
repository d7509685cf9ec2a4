package routing_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/routing"
)

const nativeSession = "ses_7Kq2mVx9TzPw"

func continuation() routing.Continuation {
	return routing.Continuation{
		Task: "Move the importer to the new schema.", Step: "Migration written, tests are next.",
		Messages: []routing.Note{{Label: "10:02", Text: "start with the reader"}, {Label: "11:40", Text: "keep the old columns"}},
		Results:  []routing.Note{{Label: "shell", Text: "go test ./importer: 2 failed"}, {Label: "edit", Text: "reader.go"}},
		Status:   " M importer/reader.go\n?? importer/schema.sql", Diff: "2 files changed, 41 insertions(+)",
		Failure: "provider_overloaded after 3 retries; session " + nativeSession, Route: "anthropic is not available until 12:02",
		Verify:         []routing.Note{{Text: "was the migration applied?"}},
		NativeSessions: []string{nativeSession},
	}
}

func TestAContinuationTellsEverythingNewestFirst(t *testing.T) {
	t.Parallel()
	got := continuation().Text(settings.ContinuationBytes)
	require.True(t, strings.HasPrefix(got, recovery.FreshInstruction))
	assert.Equal(t, `## Task
Move the importer to the new schema.

## Step
Migration written, tests are next.

## User messages, newest first
- 11:40: keep the old columns
- 10:02: start with the reader

## Tools and results, newest first
- edit: reader.go
- shell: go test ./importer: 2 failed

## Repository status
 M importer/reader.go
?? importer/schema.sql

## Changes
2 files changed, 41 insertions(+)

## Failure
provider_overloaded after 3 retries; session […]

## Why another profile goes on
anthropic is not available until 12:02

## Verify before repeating, newest first
- was the migration applied?`, strings.TrimPrefix(got, recovery.FreshInstruction))
}

func TestAContinuationIsBoundedAndSaysWhatItLeftOut(t *testing.T) {
	t.Parallel()
	c := continuation()
	c.Task = strings.Repeat("Ärger mit dem Schema. ", 5000)
	c.Diff = strings.Repeat("日本語の差分\n", 5000)
	for i := range 3000 {
		c.Messages = append(c.Messages, routing.Note{Label: fmt.Sprint(i), Text: "message number " + fmt.Sprint(i)})
	}
	c.Results = append(c.Results, routing.Note{Text: strings.Repeat("one long result 🙂 ", 4000)})
	got := c.Text(settings.ContinuationBytes)
	assert.LessOrEqual(t, len(got), settings.ContinuationBytes)
	assert.Greater(t, len(got), settings.ContinuationBytes*9/10, "room is used")
	assert.True(t, utf8.ValidString(got))
	assert.Contains(t, got, "message number 2999")
	assert.NotContains(t, got, "message number 10\n")
	for _, said := range []string{" bytes from the middle]", " older]", " bytes of it, 2 older]"} {
		assert.Contains(t, got, "[left out: ")
		assert.Contains(t, got, said)
	}
	for _, title := range []string{"## Task\n", "## Step\n", "## User", "## Tools", "## Repository status\n", "## Changes\n", "## Failure\n", "## Why", "## Verify"} {
		assert.Contains(t, got, title, "what is short is never crowded out")
	}
	assert.Contains(t, got, "was the migration applied?")
	tight := c.Text(len(recovery.FreshInstruction) + 700)
	assert.LessOrEqual(t, len(tight), len(recovery.FreshInstruction)+700)
	assert.Contains(t, tight, "[left out: ", "whole sections too")
	assert.Contains(t, tight, "Changes")
}

// The room is shared out, never more than there is, and what is short never
// pays for what is long.
func TestSectionsShareTheRoom(t *testing.T) {
	t.Parallel()
	size := rapid.SampledFrom([]int{0, 10, 500, 3000, 20000})
	rapid.Check(t, func(t *rapid.T) {
		text := func(label string) string { return strings.Repeat("word ", size.Draw(t, label)/5) }
		c := routing.Continuation{
			Task: text("task"), Step: text("step"), Status: text("status"), Diff: text("diff"), Failure: text("failure"), Route: text("route"),
			Messages: []routing.Note{{Text: text("old")}, {Text: text("new")}}, Verify: []routing.Note{{Text: text("verify")}},
		}
		all := c.Text(1 << 20)
		limit := rapid.IntRange(0, 20000).Draw(t, "limit")
		if room := routing.RoomOf(c, limit); room > limit || len(all) > 2*limit+2000 && room < limit*9/10-100 {
			t.Fatalf("%d of %d, of %d", room, limit, len(all))
		}
		got := c.Text(settings.ContinuationBytes)
		if strings.Count(got, "\n## ") != strings.Count(all, "\n## ") {
			t.Fatalf("a section is missing: %q", got)
		}
	})
}

func TestNoNativeSessionAndNoSecretCrosses(t *testing.T) {
	t.Parallel()
	secret := "sk-" + "ant-api03-" + strings.Repeat("aB3dE5", 12)
	hidden := "text " + nativeSession[:4] + "\u200b" + nativeSession[4:] + " " + secret + " \x1b[31m" + nativeSession + "\x1b[0m bob@" + "example.com"
	notes := []routing.Note{{Label: nativeSession, Text: hidden}}
	c := routing.Continuation{
		Task: hidden, Step: hidden, Messages: notes, Results: notes, Status: hidden, Diff: strings.Repeat(hidden+"\n", 4000),
		Failure: "--resume " + nativeSession, Route: hidden, Verify: notes, NativeSessions: []string{"", nativeSession},
	}
	for _, limit := range []int{0, 1, 50, 400, 1000, 2000, 4096, settings.ContinuationBytes, 1 << 20} {
		got := c.Text(limit)
		assert.LessOrEqual(t, len(got), limit)
		assert.NotContains(t, got, nativeSession[4:], limit)
		assert.NotContains(t, got, secret[10:30], limit)
		assert.NotContains(t, got, "bob@")
		assert.NotContains(t, got, "\x1b")
	}
	assert.Empty(t, c.Text(-1))
}

func TestWhatIsEmptyHasNoSection(t *testing.T) {
	t.Parallel()
	assert.Equal(t, strings.TrimSpace(recovery.FreshInstruction), routing.Continuation{Messages: []routing.Note{{Text: " \n"}}}.Text(4096))
}

func FuzzContinuation(f *testing.F) {
	f.Add("task", "message", "result", "diff", 700, 3)
	f.Add(strings.Repeat("日本", 900), nativeSession, "\xff\xfe\x00", "password=", 16384, 40)
	f.Add("api_key:", "\n"+strings.Repeat("aB3", 20), "x"+nativeSession+"y", nativeSession[:8], 1200, 2)
	f.Add("🙂", strings.Repeat("🙂", 2000), "\u202e", "\r\n\r", 333, 1)
	f.Add("Bearer", strings.Repeat("a", 9000), "", "- [left out: 3 older]", 900, 12)
	f.Fuzz(func(t *testing.T, task, message, result, diff string, limit, n int) {
		n = min(max(n, 0), 50)
		c := routing.Continuation{Task: task, Diff: diff, Failure: result, NativeSessions: []string{nativeSession}}
		for range n {
			c.Messages = append(c.Messages, routing.Note{Label: result, Text: message})
			c.Results = append(c.Results, routing.Note{Text: result})
		}
		got := c.Text(min(limit, 1<<20))
		if len(got) > max(limit, 0) {
			t.Fatalf("%d bytes of %d", len(got), limit)
		}
		if !utf8.ValidString(got) {
			t.Fatalf("cut inside a rune: %q", got)
		}
		if strings.Contains(got, nativeSession) {
			t.Fatalf("a native session crossed: %q", got)
		}
		if limit >= settings.ContinuationBytes && evidence.Redact(got) != got {
			t.Fatalf("a secret crossed: %q", got)
		}
		if got != c.Text(min(limit, 1<<20)) {
			t.Fatal("two texts of the same")
		}
	})
}
