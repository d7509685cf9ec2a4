package recovery_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

func TestAClaimWaitsUntilItIsDue(t *testing.T) {
	t.Parallel()
	b := setup(t, quick())
	w := b.waiting(1)
	claims, err := b.service.ClaimWakeups(t.Context(), claimOf(30*time.Second, w.ID))
	require.NoError(t, err)
	require.Len(t, claims.Claims, 1)
	late := claims.Claims[0].Run.ClaimedAt.Sub(w.DueAt)
	require.GreaterOrEqual(t, late, time.Duration(0), "never early, by the database's clock")
	require.Less(t, late, 5*time.Second)
	require.NotEmpty(t, claims.Claims[0].LeaseToken)
}

func TestAClaimThatMayNotWaitSaysWhen(t *testing.T) {
	t.Parallel()
	b := setup(t, quick())
	w, later := b.waiting(2), b.waiting(2)
	claims, err := b.service.ClaimWakeups(t.Context(), claimOf(0, later.ID, w.ID))
	require.NoError(t, err)
	require.Empty(t, claims.Claims)
	require.Equal(t, w.DueAt, claims.NextDueAt, "the earliest of them")
}

func TestOfManyWakeupsTheDueOnesAreClaimed(t *testing.T) {
	t.Parallel()
	b := setup(t, quick())
	waits, due := b.waiting(2), b.begin().Wakeup
	taken := b.begin().Wakeup
	b.claim(taken.ID)
	claims, err := b.service.ClaimWakeups(t.Context(), claimOf(30*time.Second, waits.ID, taken.ID, due.ID))
	require.NoError(t, err)
	require.Len(t, claims.Claims, 1)
	require.Equal(t, due.ID, claims.Claims[0].Wakeup.ID)
	require.True(t, claims.NextDueAt.IsZero())
	_, err = b.service.ClaimWakeups(t.Context(), claimOf(30*time.Second, taken.ID))
	b.refused(err, fault.ReasonNotClaimable)
	many := make([]string, 101)
	_, err = b.service.ClaimWakeups(t.Context(), claimOf(0, many...))
	b.refused(err, fault.ReasonInvalidRequest)
}

// waits runs a claim in the background and returns when it has looked once.
func (b *bench) waits(ctx context.Context, id string) <-chan error {
	ended := make(chan error, 1)
	go func() {
		_, err := b.service.ClaimWakeups(ctx, claimOf(30*time.Second, id))
		ended <- err
	}()
	return ended
}

func TestAWaitingClaimHearsOfACancelAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t, quick())
	w := b.waiting(2) // due in an hour
	ended := b.waits(t.Context(), w.ID)
	began := time.Now()
	_, err := b.service.CancelWait(t.Context(), work.CancelWait{WorkspaceID: workspace, WakeupID: w.ID})
	require.NoError(t, err)
	b.refused(<-ended, fault.ReasonNotClaimable)
	require.Less(t, time.Since(began), 8*time.Second, "sooner than it would have looked by itself")
}

func TestAWaitingClaimHearsOfANewPrompt(t *testing.T) {
	t.Parallel()
	b := setup(t, quick())
	w := b.waiting(2)
	ended := b.waits(t.Context(), w.ID)
	_, err := b.service.BeginPrompt(t.Context(), work.BeginPrompt{WorkspaceID: workspace, SessionID: w.SessionID, Supervisor: me})
	require.NoError(t, err)
	b.refused(<-ended, fault.ReasonNotClaimable)
}

func TestAWaitingClaimEndsWithItsCaller(t *testing.T) {
	t.Parallel()
	b := setup(t, quick())
	ctx, cancel := context.WithCancel(t.Context())
	ended := b.waits(ctx, b.waiting(2).ID)
	cancel()
	b.refused(<-ended, fault.ReasonCanceled)
}

func TestAClaimedRunThatIsSilentIsArmedAgain(t *testing.T) {
	t.Parallel()
	settings := quick()
	settings.Lease, settings.Heartbeat, settings.SendMargin = 400*time.Millisecond, 100*time.Millisecond, 100*time.Millisecond
	b := setup(t, settings)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); b.service.Reconcile(ctx) }()
	defer func() { cancel(); <-done }()
	id := b.begin().Wakeup.ID
	c := b.claim(id)
	require.Eventually(t, func() bool {
		w, err := b.service.GetWakeup(t.Context(), workspace, id)
		return err == nil && w.Status == recovery.WakeupQueued
	}, 20*time.Second, 10*time.Millisecond)
	_, err := b.service.BeginSend(t.Context(), leaseOf(c))
	b.refused(err, fault.ReasonRunAlreadySettled)
	b.deliver(b.claim(id))
	require.Eventually(t, func() bool {
		runs, err := b.service.ListRuns(t.Context(), work.ListRuns{WorkspaceID: workspace, States: []recovery.RunStatus{recovery.RunLost}})
		return err == nil && len(runs.Runs) == 1
	}, 20*time.Second, 10*time.Millisecond)
}
