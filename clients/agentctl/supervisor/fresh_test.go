package supervisor_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/clients/agentctl/adapter"
	"github.com/recourse-dev/recourse/clients/agentctl/journal"
	"github.com/recourse-dev/recourse/clients/agentctl/supervisor"
	"github.com/recourse-dev/recourse/core/recovery"
)

// freshly makes the entry one that starts fresh.
func (b *bench) freshly(t *testing.T) {
	t.Helper()
	store, err := journal.Open(filepath.Join(b.dir, "state"))
	require.NoError(t, err)
	prompt := b.Entry.State().Prompt
	prompt.WakeupID, prompt.Generation, prompt.Fresh = "w2", 2, true
	entry, err := store.Create(prompt)
	require.NoError(t, err)
	t.Cleanup(entry.Close)
	local, ok := b.Ledger.(*supervisor.Local)
	require.True(t, ok)
	b.Entry, local.Entry = entry, entry
}

func TestAFreshStartIsNeverFollowedByTheBarePrompt(t *testing.T) {
	t.Parallel()
	b := newBench(t, "printf '%s' \"$2\" > sent; echo '"+overloaded+"'; exit 1\n", journal.Policy{})
	b.freshly(t)
	result, err := b.Run(t.Context(), time.Time{})
	require.NoError(t, err)
	require.Equal(t, supervisor.EndStopped, result.End, "it did nothing, but an earlier run may have")
	require.Equal(t, "1", b.launches(t))
	sent, err := os.ReadFile(filepath.Join(b.dir, "sent"))
	require.NoError(t, err)
	require.Equal(t, recovery.FreshInstruction+"hello", string(sent))
	require.Equal(t, journal.SendFresh, b.Entry.State().Send)
	require.True(t, b.notices[0].Fresh)
}

// A crash between the claim and the permission to send leaves what it was to send.
func TestWhatWasClaimedAndNeverSentStaysFresh(t *testing.T) {
	t.Parallel()
	b := newBench(t, "printf '%s' \"$2\" > sent; echo '"+answered+"'\n", journal.Policy{})
	b.freshly(t)
	require.NoError(t, b.Entry.Append(journal.Record{Kind: journal.KindClaimed, RunID: "r", Send: journal.SendFresh}))
	result, err := b.Resume(t.Context())
	require.NoError(t, err)
	require.Equal(t, supervisor.EndSucceeded, result.End)
	sent, err := os.ReadFile(filepath.Join(b.dir, "sent"))
	require.NoError(t, err)
	require.Equal(t, recovery.FreshInstruction+"hello", string(sent))
}

func TestAFreshStartThatCannotBePutTogetherSendsNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t, "exit 0\n", journal.Policy{})
	b.freshly(t)
	b.Plan = adapter.New([]string{"make", "test"}, adapter.Options{})
	_, err := b.Run(t.Context(), time.Time{})
	require.Error(t, err)
	require.Equal(t, "0", b.launches(t))
}
