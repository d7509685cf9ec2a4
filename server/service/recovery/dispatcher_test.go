package recovery_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
	"github.com/recourse-dev/recourse/server/events"
	service "github.com/recourse-dev/recourse/server/service/recovery"
	"github.com/recourse-dev/recourse/storage/postgres"
)

var worker = work.Supervisor{ID: "worker", HostID: "worker-host"}

func anyOf(most int, wait time.Duration) work.ClaimWakeups {
	return work.ClaimWakeups{WorkspaceID: workspace, MaxClaims: most, Supervisor: worker, Wait: wait}
}

func (b *bench) enqueue(prompt string) work.Begun {
	begun, err := b.service.BeginPrompt(b.t.Context(), work.BeginPrompt{
		WorkspaceID: workspace, Delivery: work.DeliveryWorker, Prompt: prompt, Supervisor: me, Profile: work.Profile{AgentKind: "claude", AgentVersion: "2.1.328"},
	})
	require.NoError(b.t, err)
	return begun
}

func (b *bench) take(in work.ClaimWakeups) []work.Claim {
	claims, err := b.service.ClaimWakeups(b.t.Context(), in)
	require.NoError(b.t, err)
	return claims.Claims
}

func TestAWorkersPromptIsCheckedAndKeptVerbatim(t *testing.T) {
	t.Parallel()
	b := setup(t, quick())
	for _, c := range []work.BeginPrompt{
		{Delivery: work.DeliveryWorker},
		{Delivery: work.DeliveryWorker, Prompt: strings.Repeat("x", work.MaxPromptBytes+1)},
		{Delivery: work.DeliveryCaller, Prompt: "mine"},
		{Prompt: "mine"},
	} {
		c.WorkspaceID = workspace
		_, err := b.service.BeginPrompt(t.Context(), c)
		require.NotContains(t, b.refused(err, fault.ReasonInvalidRequest).Error(), "mine")
	}
	verbatim := "  two\r\nlines\t\u2028 \U0001F980 " + strings.Repeat("y", work.MaxPromptBytes-32)
	begun := b.enqueue(verbatim)
	require.Empty(t, begun.Wakeup.Supervisor, "whoever claims it")
	claims := b.take(anyOf(0, 0))
	require.Len(t, claims, 1)
	require.Equal(t, begun.Wakeup.ID, claims[0].Wakeup.ID)
	require.Equal(t, verbatim, claims[0].Payload)
	require.Equal(t, worker, claims[0].Run.Supervisor)
	b.deliver(claims[0])
}

func TestTheAnswerToARepeatedRequestHoldsNoPrompt(t *testing.T) {
	t.Parallel()
	b := setup(t, quick())
	in := work.BeginPrompt{WorkspaceID: workspace, RequestID: "r", Delivery: work.DeliveryWorker, Prompt: "a very private wish"}
	first, err := b.service.BeginPrompt(t.Context(), in)
	require.NoError(t, err)
	again, err := b.service.BeginPrompt(t.Context(), in)
	require.NoError(t, err)
	require.Equal(t, first, again)
	in.Prompt = "another wish"
	_, err = b.service.BeginPrompt(t.Context(), in)
	b.refused(err, fault.ReasonRequestIDReused)
	for _, table := range []string{"request_log", "events", "wakeups", "wakeup_details", "sessions"} {
		var rows int
		require.NoError(t, b.store.Pool().QueryRow(t.Context(), `SELECT count(*) FROM `+table+` r WHERE r::text LIKE '%private%'`).Scan(&rows))
		require.Zero(t, rows, table)
	}
	require.Len(t, b.take(anyOf(9, 0)), 1, "one wakeup")
}

func TestWhatTheCallerDeliversIsNoWorkers(t *testing.T) {
	t.Parallel()
	b := setup(t, quick())
	b.begin()
	require.Empty(t, b.take(anyOf(10, 0)))
}

func TestAWaitingWorkerGetsWhatComes(t *testing.T) {
	t.Parallel()
	b := setup(t, quick())
	got := make(chan []work.Claim, 1)
	go func() { got <- b.take(anyOf(1, 20*time.Second)) }()
	begun := b.enqueue("later")
	claims := <-got
	require.Len(t, claims, 1)
	require.Equal(t, begun.Wakeup.ID, claims[0].Wakeup.ID)
}

func TestARetryIsClaimedWhenItIsDueAndSendsWhatItMust(t *testing.T) {
	t.Parallel()
	b := setup(t, quick())
	b.enqueue("do it")
	first := b.take(anyOf(1, 0))[0]
	b.deliver(first)
	settled := b.fail(first)
	require.Equal(t, recovery.WakeupScheduledRetry, settled.Wakeup.Status)
	second := b.take(anyOf(1, 20*time.Second))
	require.Len(t, second, 1)
	require.False(t, second[0].Run.ClaimedAt.Before(settled.Wakeup.DueAt), "never early")
	require.Equal(t, "do it", second[0].Payload)
	none, err := b.service.ClaimWakeups(t.Context(), anyOf(1, 0))
	require.NoError(t, err)
	require.Empty(t, none.Claims)
}

func TestTheNextInstantIsToldToWhoeverDoesNotWait(t *testing.T) {
	t.Parallel()
	settings := quick()
	settings.InteractiveDelays = []time.Duration{time.Hour}
	b := setup(t, settings)
	b.enqueue("do it")
	first := b.take(anyOf(1, 0))[0]
	b.deliver(first)
	due := b.fail(first).Wakeup.DueAt
	for _, wait := range []time.Duration{0, 20 * time.Millisecond} {
		none, err := b.service.ClaimWakeups(t.Context(), anyOf(1, wait))
		require.NoError(t, err)
		require.Empty(t, none.Claims)
		require.Equal(t, due, none.NextDueAt)
	}
}

func TestOnlyItsHostGoesOnInTheAgentsOwnSession(t *testing.T) {
	t.Parallel()
	b := setup(t, quick())
	b.enqueue("do it")
	first := b.take(anyOf(1, 0))[0]
	_, err := b.service.BeginSend(t.Context(), leaseOf(first))
	require.NoError(t, err)
	_, err = b.service.MarkDelivered(t.Context(), work.MarkDelivered{Lease: leaseOf(first), NativeSessionID: "native"})
	require.NoError(t, err)
	acted := printed("529 overloaded")
	acted.AgentKind, acted.AgentVersion = "claude", "2.1.328"
	acted.Effects.ToolActivity, acted.Effects.AssistantOutput = evidence.EffectSeen, evidence.EffectSeen
	settled, err := b.service.ReportFailure(t.Context(), work.ReportFailure{Lease: leaseOf(first), Envelope: acted, NativeSessionID: "native"})
	require.NoError(t, err)
	require.Equal(t, work.SendContinue, settled.Wakeup.NextSend)
	stranger := anyOf(1, 300*time.Millisecond)
	stranger.Supervisor.HostID = "another-host"
	require.Empty(t, b.take(stranger))
	sibling := anyOf(1, 20*time.Second)
	sibling.Supervisor.ID = "another-worker"
	claims := b.take(sibling)
	require.Len(t, claims, 1)
	require.Equal(t, recovery.ContinueInstruction, claims[0].Payload)
}

func TestWorkersShareWhatIsDueFairlyAndInOrder(t *testing.T) {
	t.Parallel()
	b := setup(t, quick())
	var order []string
	for i := range 60 {
		order = append(order, b.enqueue(fmt.Sprint(i)).Wakeup.ID)
	}
	var mu sync.Mutex
	var shares []int
	var got []work.Claim
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			claims := b.take(anyOf(10, 20*time.Second))
			mu.Lock()
			defer mu.Unlock()
			shares = append(shares, len(claims))
			got = append(got, claims...)
		})
	}
	wg.Wait()
	require.Len(t, shares, 3)
	for _, n := range shares {
		require.Positive(t, n)
	}
	var ids []string
	slices.SortFunc(got, func(a, b work.Claim) int { return a.Wakeup.CreatedAt.Compare(b.Wakeup.CreatedAt) })
	for _, c := range got {
		ids = append(ids, c.Wakeup.ID)
	}
	require.Equal(t, order[:len(ids)], ids, "the oldest due, and none twice")
}

// Two loops serve a crowd, in batches that are full and not: everybody gets what
// is due once, and who waits in vain is told so.
func TestACrowdIsServedOnceEach(t *testing.T) {
	t.Parallel()
	b := setupWith(t, service.Config{Settings: quick(), ClaimBatch: 3})
	const due, callers = 50, 60
	for i := range due {
		b.enqueue(fmt.Sprint(i))
	}
	var mu sync.Mutex
	got := map[string]int{}
	var wg sync.WaitGroup
	for i := range callers {
		wg.Go(func() {
			wait := time.Duration(i%3) * 700 * time.Millisecond // a third looks once
			for _, c := range b.take(anyOf(1, wait)) {
				mu.Lock()
				got[c.Wakeup.ID]++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	for range due - len(got) {
		for _, c := range b.take(anyOf(1, 20*time.Second)) {
			got[c.Wakeup.ID]++
		}
	}
	require.Len(t, got, due)
	for id, n := range got {
		require.Equal(t, 1, n, id)
	}
}

// slowClaims lets a test act while a claim is under way.
type slowClaims struct {
	*postgres.Store
	entered chan struct{}
	leave   chan struct{}
}

func (s *slowClaims) ClaimDue(ctx context.Context, in work.ClaimDue) (work.DueClaims, error) {
	got, err := s.Store.ClaimDue(ctx, in)
	if len(got.Claims) > 0 && s.entered != nil {
		s.entered <- struct{}{}
		<-s.leave
	}
	return got, err
}

func TestAClaimThatNobodyReceivesIsGivenBackAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t, quick())
	slow := &slowClaims{Store: b.store, entered: make(chan struct{}), leave: make(chan struct{})}
	s, err := service.New(service.Config{Store: slow, Classifier: b.classify, Stream: events.New(events.Config{Store: b.store}), Settings: quick()})
	require.NoError(t, err)
	id := b.enqueue("do it").Wakeup.ID
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := s.ClaimWakeups(ctx, anyOf(1, 20*time.Second))
		ended <- err
	}()
	<-slow.entered
	cancel()
	b.refused(<-ended, fault.ReasonCanceled)
	got := make(chan []work.Claim, 1)
	go func() { // another worker of the same queue, which hears of the release
		claims, err := s.ClaimWakeups(t.Context(), anyOf(1, 20*time.Second))
		require.NoError(t, err)
		got <- claims.Claims
	}()
	slow.leave <- struct{}{}
	<-slow.entered
	slow.leave <- struct{}{}
	claims := <-got
	require.Len(t, claims, 1)
	require.Equal(t, id, claims[0].Wakeup.ID)
	runs, err := b.store.ListRuns(t.Context(), work.RunFilter{WorkspaceID: workspace, WakeupID: id, Limit: 9})
	require.NoError(t, err)
	require.Len(t, runs, 2)
	require.Equal(t, recovery.OutcomeNotSent, runs[1].Outcome)
}
