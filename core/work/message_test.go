package work_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/work"
)

func TestErrorMessage(t *testing.T) {
	t.Parallel()
	code := 3
	exit := evidence.Signal{Kind: evidence.KindProcessExit, ExitCode: &code}
	said := func(text string) evidence.Signal { return evidence.Signal{Kind: evidence.KindStderr, Text: text} }
	prose, foreign, flight := said("429 in prose"), said("another session's"), said("retrying in 5 s")
	prose.Prose, foreign.Foreign, flight.InFlight = true, true, true
	for name, c := range map[string]struct {
		signals []evidence.Signal
		want    string
	}{
		"in the order in which it was printed":   {[]evidence.Signal{said("one"), said("two\n"), exit}, "one\ntwo"},
		"never what is no failure evidence":      {[]evidence.Signal{prose, foreign, flight, said("the cause")}, "the cause"},
		"data where there is no text":            {[]evidence.Signal{{Kind: evidence.KindACPError, Data: `{"code":-32603}`}}, `{"code":-32603}`},
		"the exit code when nothing was printed": {[]evidence.Signal{prose, exit}, "the process ended with exit code 3"},
		"the signal when nothing was printed":    {[]evidence.Signal{{Kind: evidence.KindProcessExit, ExitSignal: "SIGKILL"}}, "the process was ended by SIGKILL"},
		"the excerpt when there is nothing":      {nil, "excerpt"},
	} {
		got := work.ErrorMessage(evidence.Envelope{Signals: c.signals}, classification.Result{SafeExcerpt: "excerpt"}, 1000)
		require.Equal(t, c.want, got, name)
	}
	long := work.ErrorMessage(evidence.Envelope{Signals: []evidence.Signal{said(strings.Repeat("é", 5000))}}, classification.Result{}, 999)
	require.LessOrEqual(t, len(long), 999)
	require.True(t, strings.HasPrefix(long, "éé"))
	require.Equal(t, long, strings.ToValidUTF8(long, "?"), "cut between runes")
}
