package storagetest

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

var _ = register(map[string]func(*bench){
	"what is due is claimed in its order, once":           dueInOrder,
	"of many claimers of what is due each gets its own":   dueRace,
	"nothing is claimed before it is due":                 dueEarly,
	"the low-water mark hides what lies behind it":        dueMark,
	"a worker's prompt comes with its claim":              duePayload,
	"a workspace's due work is nobody else's":             dueWorkspace,
	"a released run is due again and was not sent":        dueRelease,
	"claims of what is due and new prompts never block":   dueAndBegin,
	"a prompt that is too long for the schema is a fault": dueTooLong,
})

func (b *bench) workerPrompt(text string) work.BeginPrompt {
	in := b.prompt()
	in.Delivery, in.Prompt = work.DeliveryWorker, text
	return in
}

func (b *bench) enqueue(text string) work.Wakeup {
	begun, err := b.tryBegin(b.workerPrompt(text))
	require.NoError(b.t, err)
	return begun.Wakeup
}

func (b *bench) slots(n int, by work.Supervisor) []work.ClaimRequest {
	slots := make([]work.ClaimRequest, n)
	for i := range slots {
		slots[i] = work.ClaimRequest{Supervisor: by, RunID: newID(b.t), TokenHash: work.HashToken("due"), Settings: b.set}
	}
	return slots
}

func (b *bench) claimDue(n int) work.DueClaims {
	got, err := b.store.ClaimDue(b.ctx(), work.ClaimDue{WorkspaceID: workspace, Slots: b.slots(n, laptop)})
	require.NoError(b.t, err)
	for i := range got.Claims {
		got.Claims[i].LeaseToken = "due"
	}
	return got
}

func dueInOrder(b *bench) {
	var want []string
	for i := range 7 {
		want = append(want, b.enqueue(fmt.Sprint(i)).ID)
		b.clock.advance(time.Millisecond)
	}
	var got []string
	for _, n := range []int{3, 3, 3} {
		for _, c := range b.claimDue(n).Claims {
			require.Equal(b.t, recovery.WakeupRunning, c.Wakeup.Status)
			require.Equal(b.t, recovery.RunClaimed, c.Run.State)
			got = append(got, c.Wakeup.ID)
		}
	}
	require.Equal(b.t, want, got)
	require.Empty(b.t, b.claimDue(9).Claims)
}

func dueRace(b *bench) {
	const n = 60
	for i := range n {
		b.enqueue(fmt.Sprint(i))
	}
	var mu sync.Mutex
	got := map[string]int{}
	var fs []func() error
	for range 6 {
		fs = append(fs, func() error {
			for range n { // a claim may find everything locked by the others
				claims, err := b.store.ClaimDue(b.ctx(), work.ClaimDue{WorkspaceID: workspace, Slots: b.slots(5, laptop)})
				if err != nil {
					return err
				}
				mu.Lock()
				for _, c := range claims.Claims {
					got[c.Wakeup.ID]++
				}
				mu.Unlock()
			}
			return nil
		})
	}
	for _, err := range together(fs...) {
		require.NoError(b.t, err)
	}
	require.Len(b.t, got, n)
	for id, times := range got {
		require.Equal(b.t, 1, times)
		require.Equal(b.t, 1, b.wakeup(id).RunCount)
	}
}

func dueEarly(b *bench) {
	b.enqueue("x")
	c := b.claimDue(1).Claims[0]
	b.deliver(c.Claim)
	due := b.fail(c.Claim, overloaded).Wakeup.DueAt
	next, err := b.store.NextDue(b.ctx(), workspace, time.Time{}, nil)
	require.NoError(b.t, err)
	require.Equal(b.t, due, next.DueAt)
	require.Equal(b.t, b.clock.Now(), next.Now)
	b.clock.advance(due.Sub(b.clock.Now()) - time.Microsecond)
	require.Empty(b.t, b.claimDue(1).Claims)
	b.clock.advance(time.Microsecond)
	require.Len(b.t, b.claimDue(1).Claims, 1)
	next, err = b.store.NextDue(b.ctx(), workspace, time.Time{}, nil)
	require.NoError(b.t, err)
	require.Zero(b.t, next.DueAt)
}

func dueMark(b *bench) {
	w := b.enqueue("x")
	got, err := b.store.ClaimDue(b.ctx(), work.ClaimDue{WorkspaceID: workspace, After: w.DueAt, Slots: b.slots(1, laptop)})
	require.NoError(b.t, err)
	require.Empty(b.t, got.Claims)
	got, err = b.store.ClaimDue(b.ctx(), work.ClaimDue{WorkspaceID: workspace, After: w.DueAt.Add(-time.Microsecond), Slots: b.slots(1, laptop)})
	require.NoError(b.t, err)
	require.Len(b.t, got.Claims, 1)
	require.Equal(b.t, w.DueAt, got.LastDueAt)
}

func duePayload(b *bench) {
	b.enqueue("the prompt")
	c := b.claimDue(1).Claims[0]
	require.Equal(b.t, "the prompt", c.Payload)
	b.enqueue("by id")
	byID := b.enqueue("by its id")
	claim, err := b.tryClaim(byID.ID, elsewhere, false)
	require.NoError(b.t, err)
	require.Equal(b.t, "by its id", claim.Payload)
	require.Empty(b.t, b.claim(b.begin().Wakeup.ID).Payload, "the caller has it")
	for send, want := range map[work.SendKind]string{
		work.SendPrompt: "p", work.SendContinue: recovery.ContinueInstruction, work.SendFresh: recovery.FreshInstruction + "p",
	} {
		require.Equal(b.t, want, work.Payload(send, "p"))
	}
}

func dueWorkspace(b *bench) {
	b.enqueue("x")
	got, err := b.store.ClaimDue(b.ctx(), work.ClaimDue{WorkspaceID: other, Slots: b.slots(1, laptop)})
	require.NoError(b.t, err)
	require.Empty(b.t, got.Claims)
	next, err := b.store.NextDue(b.ctx(), other, time.Time{}, nil)
	require.NoError(b.t, err)
	require.Zero(b.t, next)
}

func dueRelease(b *bench) {
	w := b.enqueue("x")
	c := b.claimDue(1).Claims[0]
	run, err := b.store.ReleaseRun(b.ctx(), leaseOf(c.Claim), b.set)
	require.NoError(b.t, err)
	require.Equal(b.t, recovery.OutcomeNotSent, run.Outcome)
	again := b.claimDue(1).Claims[0]
	require.Equal(b.t, w.ID, again.Wakeup.ID)
	b.deliver(again.Claim)
	_, err = b.store.ReleaseRun(b.ctx(), leaseOf(again.Claim), b.set)
	require.Error(b.t, err, "not what was delivered")
}

// A session that a new prompt holds is skipped, not waited for; and whoever
// gets it, there is one run.
func dueAndBegin(b *bench) {
	for range rounds {
		w := b.enqueue("x")
		in := b.workerPrompt("newer")
		in.SessionID = w.SessionID
		var claims work.DueClaims
		errs := together(
			func() (err error) {
				claims, err = b.store.ClaimDue(b.ctx(), work.ClaimDue{WorkspaceID: workspace, Slots: b.slots(2, laptop)})
				return err
			},
			func() error { _, err := b.tryBegin(in); return err },
		)
		require.NoError(b.t, errs[0])
		require.LessOrEqual(b.t, len(claims.Claims), 1)
		for _, c := range append(claims.Claims, b.claimDue(2).Claims...) {
			c.LeaseToken = "due"
			b.deliver(c.Claim)
			_, err := b.trySucceed(c.Claim)
			require.NoError(b.t, err)
		}
	}
}

func dueTooLong(b *bench) {
	_, err := b.tryBegin(b.workerPrompt(strings.Repeat("x", work.MaxPromptBytes+1)))
	require.Error(b.t, err)
	_, err = b.tryBegin(b.workerPrompt("a\x00b"))
	b.refused(err, "INVALID_REQUEST")
}
