package storagetest

import (
	"sync"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/recovery"
	"github.com/recourse-dev/recourse/core/work"
)

var _ = register(map[string]func(*bench){
	"the same request id gets the first answer":    sameAnswer,
	"a failed request leaves no answer":            failedRequest,
	"concurrent requests with one id are one":      concurrentRequests,
	"a request id is free again after a day":       requestForgotten,
	"a report is answered again as it was":         reportReplay,
	"a request id belongs to its workspace":        requestPerWorkspace,
	"another body is refused, whatever the method": otherBody,
})

func requestID(id, body string) work.Request {
	return work.Request{WorkspaceID: workspace, ID: id, BodyHash: hashOf(body)}
}

func (b *bench) beginWith(r work.Request) (work.Begun, error) {
	return b.store.BeginPrompt(b.ctx(), r, b.prompt(), work.BeginIDs{SessionID: newID(b.t), WakeupID: newID(b.t)})
}

func (b *bench) count() int {
	list, err := b.store.ListWakeups(b.ctx(), work.WakeupFilter{WorkspaceID: workspace, Limit: 1000})
	require.NoError(b.t, err)
	return len(list)
}

func sameAnswer(b *bench) {
	first, err := b.beginWith(requestID("r1", "a"))
	require.NoError(b.t, err)
	b.claim(first.Wakeup.ID)
	again, err := b.beginWith(requestID("r1", "a"))
	require.NoError(b.t, err)
	require.Equal(b.t, first, again, "the first answer, not the state of now")
	require.Equal(b.t, 1, b.count())
}

func failedRequest(b *bench) {
	begun := b.begin()
	c := b.claim(begun.Wakeup.ID)
	in := b.prompt()
	in.SessionID = begun.Session.ID
	try := func() (work.Begun, error) {
		return b.store.BeginPrompt(b.ctx(), requestID("r1", "a"), in, work.BeginIDs{WakeupID: newID(b.t)})
	}
	_, err := try()
	b.refused(err, fault.ReasonSessionBusy)
	b.deliver(c)
	_, err = b.trySucceed(c)
	require.NoError(b.t, err)
	_, err = try()
	require.NoError(b.t, err, "the refusal was no answer")
}

func concurrentRequests(b *bench) {
	const callers = 8
	answers := make([]work.Begun, callers)
	errs := make([]error, callers)
	var wg sync.WaitGroup
	for i := range callers {
		wg.Go(func() { answers[i], errs[i] = b.beginWith(requestID("r1", "a")) })
	}
	wg.Wait()
	for i := range callers {
		require.NoError(b.t, errs[i])
		require.Equal(b.t, answers[0], answers[i])
	}
	require.Equal(b.t, 1, b.count())
}

func requestForgotten(b *bench) {
	first, err := b.beginWith(requestID("r1", "a"))
	require.NoError(b.t, err)
	b.clock.advance(24*time.Hour - time.Second)
	again, err := b.beginWith(requestID("r1", "a"))
	require.NoError(b.t, err)
	require.Equal(b.t, first, again)
	b.clock.advance(time.Second)
	later, err := b.beginWith(requestID("r1", "b"))
	require.NoError(b.t, err, "a day has passed: another body is no misuse")
	require.NotEqual(b.t, first.Wakeup.ID, later.Wakeup.ID)
	again, err = b.beginWith(requestID("r1", "b"))
	require.NoError(b.t, err)
	require.Equal(b.t, later, again)
}

func reportReplay(b *bench) {
	c := b.claim(b.begin().Wakeup.ID)
	b.deliver(c)
	try := func(jitter float64) (work.Settled, error) {
		in := b.failure(c, overloaded)
		in.Jitter = jitter
		return b.store.FailRun(b.ctx(), requestID("f1", "a"), leaseOf(c), in)
	}
	first, err := try(0)
	require.NoError(b.t, err)
	require.NotNil(b.t, first.Run.Evidence)
	b.clock.advance(time.Minute)
	b.claim(c.Wakeup.ID)
	again, err := try(0.9)
	require.NoError(b.t, err)
	require.False(b.t, first.Replayed)
	require.True(b.t, again.Replayed)
	again.Replayed = false
	require.Equal(b.t, first, again, "with its evidence, and the same retry_at")
	_, err = b.tryFail(c, overloaded)
	b.refused(err, fault.ReasonRunAlreadySettled)
}

func requestPerWorkspace(b *bench) {
	_, err := b.beginWith(requestID("r1", "a"))
	require.NoError(b.t, err)
	foreign := requestID("r1", "b")
	foreign.WorkspaceID = other
	in := b.prompt()
	in.WorkspaceID = other
	_, err = b.store.BeginPrompt(b.ctx(), foreign, in, work.BeginIDs{SessionID: newID(b.t), WakeupID: newID(b.t)})
	b.refused(err, fault.ReasonWorkspaceNotFound) // not REQUEST_ID_REUSED
}

func otherBody(b *bench) {
	begun, err := b.beginWith(requestID("r1", "a"))
	require.NoError(b.t, err)
	_, err = b.beginWith(requestID("r1", "b"))
	e := b.refused(err, fault.ReasonRequestIDReused)
	require.Equal(b.t, "r1", e.Metadata["request_id"])
	_, err = b.store.CancelWait(b.ctx(), requestID("r1", "c"), work.CancelWait{WorkspaceID: workspace, WakeupID: begun.Wakeup.ID})
	b.refused(err, fault.ReasonRequestIDReused)
	require.Equal(b.t, recovery.WakeupQueued, b.wakeup(begun.Wakeup.ID).Status)
}
