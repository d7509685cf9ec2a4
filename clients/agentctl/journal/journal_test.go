package journal_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/clients/agentctl/journal"
	"github.com/recourse-dev/recourse/core/fault"
)

var begun = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func open(t *testing.T) (*journal.Store, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "state")
	store, err := journal.Open(dir)
	require.NoError(t, err)
	return store, dir
}

func create(t *testing.T, store *journal.Store, id string) *journal.Entry {
	t.Helper()
	entry, err := store.Create(journal.Prompt{WakeupID: id, SessionID: id, Generation: 1, Argv: []string{"claude", "-p", "hi"}, CreatedAt: begun})
	require.NoError(t, err)
	t.Cleanup(entry.Close)
	return entry
}

func TestPhasesFollowTheRecords(t *testing.T) {
	t.Parallel()
	retry := json.RawMessage(`{"action":"ACTION_RETRY","retryAt":"2026-11-30T12:00:05Z"}`)
	stop := json.RawMessage(`{"action":"ACTION_STOP"}`)
	cases := []struct {
		name    string
		records []journal.Record
		phase   journal.Phase
		ended   bool
	}{
		{"nothing", nil, journal.PhaseQueued, false},
		{"claimed", []journal.Record{{Kind: journal.KindOwned}, {Kind: journal.KindClaimed}}, journal.PhaseQueued, false},
		{"sending", []journal.Record{{Kind: journal.KindClaimed}, {Kind: journal.KindSending}}, journal.PhaseSending, false},
		{"not sent", []journal.Record{{Kind: journal.KindClaimed}, {Kind: journal.KindSending}, {Kind: journal.KindNotSent}}, journal.PhaseQueued, false},
		{"delivered", []journal.Record{{Kind: journal.KindSending}, {Kind: journal.KindDelivered}, {Kind: journal.KindSession}}, journal.PhaseDelivered, false},
		{"ended", []journal.Record{{Kind: journal.KindDelivered}, {Kind: journal.KindEnded}}, journal.PhaseEnded, false},
		{"waits", []journal.Record{{Kind: journal.KindEnded}, {Kind: journal.KindDecided, Decision: retry}}, journal.PhaseWaiting, false},
		{"owned again while it waits", []journal.Record{{Kind: journal.KindDecided, Decision: retry}, {Kind: journal.KindOwned}}, journal.PhaseWaiting, false},
		{"stopped", []journal.Record{{Kind: journal.KindEnded}, {Kind: journal.KindDecided, Decision: stop}}, journal.PhaseStopped, true},
		{"a decision that cannot be read stops", []journal.Record{{Kind: journal.KindDecided, Decision: json.RawMessage(`[]`)}}, journal.PhaseStopped, true},
		{"completed", []journal.Record{{Kind: journal.KindEnded}, {Kind: journal.KindCompleted}}, journal.PhaseCompleted, true},
		{"cancelled", []journal.Record{{Kind: journal.KindCancelled}}, journal.PhaseCancelled, true},
		{"continued", []journal.Record{{Kind: journal.KindDecided, Decision: stop}, {Kind: journal.KindContinued, By: "w2"}}, journal.PhaseContinued, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			store, _ := open(t)
			entry := create(t, store, "w1")
			for _, r := range c.records {
				require.NoError(t, entry.Append(r))
			}
			require.Equal(t, c.phase, entry.State().Phase)
			read, err := store.Read("w1")
			require.NoError(t, err)
			require.Equal(t, c.phase, read.Phase, "after a restart")
			require.Equal(t, c.ended, read.Phase.Ended())
			require.Equal(t, []string{"claude", "-p", "hi"}, read.Prompt.Argv)
		})
	}
}

func TestATornRecordNeverHappened(t *testing.T) {
	t.Parallel()
	store, dir := open(t)
	entry := create(t, store, "w1")
	require.NoError(t, entry.Append(journal.Record{Kind: journal.KindClaimed, RunID: "r1"}))
	require.NoError(t, entry.Append(journal.Record{Kind: journal.KindSending}))
	entry.Close()
	path := filepath.Join(dir, "wakeups", "w1", "log.jsonl")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	for cut := 1; cut < len(text); cut++ {
		require.NoError(t, os.WriteFile(path, text[:cut], 0o600))
		again, err := store.Take("w1")
		require.NoError(t, err, "cut at %d", cut)
		require.NoError(t, again.Append(journal.Record{Kind: journal.KindCancelled, By: "user"}))
		again.Close()
		state, err := store.Read("w1")
		require.NoError(t, err, "cut at %d", cut)
		require.Equal(t, journal.PhaseCancelled, state.Phase)
		require.LessOrEqual(t, len(state.History), 2)
	}
}

func TestOnlyOneTakesAWakeup(t *testing.T) {
	t.Parallel()
	store, _ := open(t)
	entry := create(t, store, "w1")
	_, err := store.Take("w1")
	require.True(t, fault.Is(err, fault.ReasonNotClaimable), "%v", err)
	entry.Close()
	again, err := store.Take("w1")
	require.NoError(t, err)
	again.Close()
}

func TestIDsStayInsideTheJournal(t *testing.T) {
	t.Parallel()
	store, _ := open(t)
	for _, id := range []string{"", ".", "..", "../x", "a/b", "-x", "a\x00b", string(make([]byte, 100))} {
		_, err := store.Read(id)
		require.True(t, fault.Is(err, fault.ReasonInvalidRequest), "%q: %v", id, err)
		_, err = store.Take(id)
		require.Error(t, err, "%q", id)
		_, err = store.Create(journal.Prompt{WakeupID: id})
		require.Error(t, err, "%q", id)
	}
	_, err := store.Read("absent")
	require.True(t, fault.Is(err, fault.ReasonWakeupNotFound), "%v", err)
}

func TestEverythingIsTheOwnersOnly(t *testing.T) {
	t.Parallel()
	store, dir := open(t)
	entry := create(t, store, "w1")
	in, err := entry.Stdin()
	require.NoError(t, err)
	_, err = in.Write([]byte("prompt"))
	require.NoError(t, err)
	require.NoError(t, in.Close())
	require.NoError(t, entry.StdinWhole())
	_, err = store.HostID(func() string { return "host-1" })
	require.NoError(t, err)
	require.NoError(t, filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		require.NoError(t, err)
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.Zero(t, info.Mode().Perm()&0o077, "%s is open to others", path)
		return nil
	}))
	state, err := store.Read("w1")
	require.NoError(t, err)
	require.True(t, state.StdinWhole)
	require.EqualValues(t, len("prompt"), state.StdinBytes)
}

func TestAnOpenFolderIsClosed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o755))
	_, err := journal.Open(dir)
	require.NoError(t, err)
	info, err := os.Stat(dir)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
}

func TestListIsNewestFirstAndSkipsWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	store, dir := open(t)
	for i, id := range []string{"old", "new", "middle"} {
		entry := create(t, store, id)
		at := begun.Add([]time.Duration{0, 2 * time.Hour, time.Hour}[i])
		require.NoError(t, entry.Append(journal.Record{Kind: journal.KindOwned, At: at}))
	}
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "wakeups", "half-made"), 0o700))
	states, err := store.List()
	require.NoError(t, err)
	var ids []string
	for _, s := range states {
		ids = append(ids, s.Prompt.WakeupID)
	}
	require.Equal(t, []string{"new", "middle", "old"}, ids)
}

func TestTheHostIDIsMadeOnce(t *testing.T) {
	t.Parallel()
	store, _ := open(t)
	var group sync.WaitGroup
	ids := make([]string, 16)
	for i := range ids {
		group.Go(func() {
			id, err := store.HostID(func() string { return "host-" + string(rune('a'+i)) })
			if err == nil {
				ids[i] = id
			}
		})
	}
	group.Wait()
	for _, id := range ids {
		require.NotEmpty(t, id)
		require.Equal(t, ids[0], id)
	}
}
