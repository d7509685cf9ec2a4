package classify

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/recourse-dev/recourse/clients/agentctl/cli"
	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/evidence/corpus"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// echo names every failure with its own id as rule.
func echo(_ context.Context, cases []corpus.Case) ([]classification.Result, error) {
	var out []classification.Result
	for _, k := range cases {
		out = append(out, classification.Result{RuleID: k.ID})
	}
	return out, nil
}

func streamed(t *testing.T, in io.Reader, out io.Writer, name namer) (bad int, errs string, err error) {
	t.Helper()
	var said bytes.Buffer
	bad, err = stream(t.Context(), in, &cli.Invocation{Out: out, Err: &said}, name, 3)
	return bad, said.String(), err
}

func ids(lines string) (out []string) {
	for line := range strings.Lines(lines) {
		_, rest, _ := strings.Cut(line, `"rule_id":"`)
		id, _, _ := strings.Cut(rest, `"`)
		out = append(out, id)
	}
	return out
}

func TestLinesComeOutInTheirOrder(t *testing.T) {
	t.Parallel()
	for _, count := range []int{0, 1, batchLines - 1, batchLines, batchLines + 1, 20*batchLines + 3} {
		var in strings.Builder
		var want []string
		for i := range count {
			id := fmt.Sprintf("case-%d", i)
			want = append(want, id)
			in.WriteString(`{"id":"` + id + `"}` + []string{"\n", "\r\n", "\n\n"}[i%3])
		}
		var out bytes.Buffer
		bad, errs, err := streamed(t, strings.NewReader(strings.TrimSpace(in.String())), &out, echo)
		require.NoError(t, err)
		require.Zero(t, bad)
		require.Empty(t, errs)
		require.Equal(t, want, ids(out.String()), "%d lines", count)
	}
}

// One line that is too long, or no case, costs itself alone and is named by its number.
func TestALineThatCannotBeRead(t *testing.T) {
	t.Parallel()
	long := `{"id":"long","note":"` + strings.Repeat("x", maxCase) + `"}`
	in := strings.Join([]string{`{"id":"a"}`, long, `{"id":"b"}`, `{"id":"torn","signals":[`, `[]`, `{"id":"c"}`}, "\n")
	var out bytes.Buffer
	bad, errs, err := streamed(t, strings.NewReader(in), &out, echo)
	require.NoError(t, err)
	require.Equal(t, 3, bad)
	require.Equal(t, []string{"a", "", "b", "", "", "c"}, ids(out.String()))
	require.Contains(t, out.String(), `{"id":"long","code":"unclassified"`)
	require.Contains(t, out.String(), `{"id":"torn","code":"unclassified"`)
	for _, want := range []string{"line 2: longer than", "line 4: ", "line 5: "} {
		require.Contains(t, errs, want)
	}
	require.NotContains(t, errs, "line 1: ")
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// endless gives cases for ever; only an error ends what reads it.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	const line = "{\"id\":\"x\"}\n"
	n := 0
	for n+len(line) <= len(p) {
		n += copy(p[n:], line)
	}
	return n, nil
}

// Whatever fails ends the stream at once, also one without an end.
func TestAStreamThatCannotGoOn(t *testing.T) {
	t.Parallel()
	_, _, err := streamed(t, endless{}, brokenPipe{}, echo)
	require.ErrorIs(t, err, io.ErrClosedPipe)

	gone := errors.New("the server is gone")
	first := strings.NewReader(strings.Repeat("{\"id\":\"first\"}\n", batchLines))
	var out bytes.Buffer
	_, _, err = streamed(t, io.MultiReader(first, endless{}), &out, func(ctx context.Context, cases []corpus.Case) ([]classification.Result, error) {
		if cases[0].ID != "first" {
			return nil, gone
		}
		return echo(ctx, cases)
	})
	require.ErrorIs(t, err, gone)
	require.Len(t, ids(out.String()), batchLines, "what was named before is printed")
}

// What is in memory is bounded by bytes, not only by lines.
func TestABatchIsBounded(t *testing.T) {
	t.Parallel()
	line := `{"id":"x","note":"` + strings.Repeat("y", 100<<10) + `"}` + "\n"
	work, order := make(chan *batch, 100), make(chan *batch, 100)
	require.NoError(t, split(t.Context(), strings.NewReader(strings.Repeat(line, 60)), work, order))
	close(order)
	total := 0
	for b := range order {
		total += b.lines
		require.LessOrEqual(t, len(b.text), batchBytes+len(line))
	}
	require.Equal(t, 60, total)
	b := newBatch(1)
	require.ErrorIs(t, b.read(bufio.NewReader(strings.NewReader(""))), io.EOF)
	require.Zero(t, b.lines)
}
