package spool_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/recourse-dev/recourse/clients/agentctl/supervisor/spool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestEveryReaderGetsItFromTheBeginning(t *testing.T) {
	t.Parallel()
	var record bytes.Buffer
	sealed := 0
	s := spool.New(strings.NewReader("the prompt"), &record, func() error { sealed++; return nil })
	require.False(t, s.Used())
	for range 3 {
		text, err := io.ReadAll(s.Reader())
		require.NoError(t, err)
		require.Equal(t, "the prompt", string(text))
	}
	require.True(t, s.Replayable())
	require.True(t, s.Used())
	require.Equal(t, "the prompt", record.String())
	require.Equal(t, 1, sealed)
}

func TestWhatComesLaterReachesTheNextReader(t *testing.T) {
	t.Parallel()
	in, out := io.Pipe()
	s := spool.New(in, nil, nil)
	first := s.Reader()
	_, err := out.Write([]byte("early "))
	require.NoError(t, err)
	head := make([]byte, 6)
	_, err = io.ReadFull(first, head)
	require.NoError(t, err)
	second := s.Reader()
	n, err := first.Read(make([]byte, 1))
	require.Zero(t, n)
	require.ErrorIs(t, err, io.EOF, "the older reader is over")
	go func() {
		_, _ = out.Write([]byte("late"))
		_ = out.Close()
	}()
	text, err := io.ReadAll(second)
	require.NoError(t, err)
	require.Equal(t, "early late", string(text))
}

func TestALargeInputFlowsThroughAndCannotBeRepeated(t *testing.T) {
	t.Parallel()
	input := bytes.Repeat([]byte("0123456789abcdef"), 5*spool.Limit/16)
	var record bytes.Buffer
	sealed := false
	s := spool.New(bytes.NewReader(input), &record, func() error { sealed = true; return nil })
	got, err := io.ReadAll(s.Reader())
	require.NoError(t, err)
	require.True(t, bytes.Equal(input, got), "%d of %d bytes", len(got), len(input))
	require.False(t, s.Replayable())
	require.False(t, sealed, "a part was sealed as the whole")
	require.LessOrEqual(t, record.Len(), spool.Limit)
}

func TestExactlyTheLimitCanBeRepeated(t *testing.T) {
	t.Parallel()
	input := bytes.Repeat([]byte("x"), spool.Limit)
	s := spool.New(bytes.NewReader(input), nil, nil)
	for range 2 {
		got, err := io.ReadAll(s.Reader())
		require.NoError(t, err)
		require.Len(t, got, spool.Limit)
	}
	require.True(t, s.Replayable())
}

func TestReleaseEndsAWaitingReader(t *testing.T) {
	t.Parallel()
	in, out := io.Pipe()
	s := spool.New(in, nil, nil)
	reader := s.Reader()
	done := make(chan error, 1)
	go func() {
		_, err := reader.Read(make([]byte, 1))
		done <- err
	}()
	s.Release()
	require.ErrorIs(t, <-done, io.EOF)
	require.NoError(t, out.Close())
}

func TestARecordThatIsNotWholeIsNotRepeated(t *testing.T) {
	t.Parallel()
	require.False(t, spool.Replay([]byte("half a pro"), false).Replayable())
	require.True(t, spool.Replay(nil, false).Replayable(), "nothing was read: nothing is missing")
	text, err := io.ReadAll(spool.Replay([]byte("all"), true).Reader())
	require.NoError(t, err)
	require.Equal(t, "all", string(text))
}
