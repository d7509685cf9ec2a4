package crash

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	"github.com/recourse-dev/recourse/core/fault"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

func TestKilledAfterBeginPrompt(t *testing.T) {
	t.Parallel()
	m := boot(t)
	first, err := m.client.Recovery.BeginPrompt(t.Context(), beginRequest("begin-1"))
	require.NoError(t, err)
	m.crash()
	require.True(t, proto.Equal(first.GetWakeup(), m.wakeup(first.GetWakeup().GetWakeupId())))
	// The caller does not know whether its call arrived, and repeats it.
	again, err := m.client.Recovery.BeginPrompt(t.Context(), beginRequest("begin-1"))
	require.NoError(t, err)
	require.True(t, proto.Equal(first, again))
	c := m.claim(first.GetWakeup().GetWakeupId(), 0)
	m.deliver(c)
	_, err = m.succeed(c)
	require.NoError(t, err)
	require.Equal(t, recoursev1.WakeupStatus_WAKEUP_STATUS_COMPLETED, m.wakeup(c.GetWakeup().GetWakeupId()).GetStatus())
}

func TestKilledDuringTheWait(t *testing.T) {
	t.Parallel()
	m := boot(t)
	wait := func() *recoursev1.Wakeup {
		c := m.claim(m.begin().GetWakeupId(), 0)
		m.deliver(c)
		return m.fail(c)
	}
	w, orphan := wait(), wait()
	waiting := make(chan error, 1)
	old := m.client
	go func() {
		_, err := old.Recovery.ClaimWakeups(t.Context(), claimRequest(w.GetWakeupId(), me, 30*time.Second))
		waiting <- err
	}()
	m.kill()
	require.Error(t, <-waiting, "the wait ends with the server")
	m.start()
	after := m.wakeup(w.GetWakeupId())
	require.True(t, proto.Equal(w, after), "the same retry_at, owned by the database:\n%v\n%v", w, after)
	next := m.claim(w.GetWakeupId(), 30*time.Second)
	require.False(t, next.GetRun().GetClaimedAt().AsTime().Before(w.GetDueAt().AsTime()), "never early")
	require.EqualValues(t, 2, next.GetRun().GetOrdinal())
	require.Equal(t, recoursev1.SendKind_SEND_KIND_PROMPT, next.GetRun().GetSend())
	m.takenOver(orphan)
}

// takenOver claims for another supervisor of the same host, which must ask for it.
func (m *machine) takenOver(w *recoursev1.Wakeup) {
	m.t.Helper()
	_, err := m.client.Recovery.ClaimWakeups(m.ctx(), &recoursev1.ClaimWakeupsRequest{WakeupIds: []string{w.GetWakeupId()}, Supervisor: another})
	m.refused(err, fault.ReasonNotClaimable)
	answer, err := m.client.Recovery.ClaimWakeups(m.ctx(), claimRequest(w.GetWakeupId(), another, 30*time.Second))
	require.NoError(m.t, err)
	require.Len(m.t, answer.GetClaims(), 1)
	require.Equal(m.t, another.GetSupervisorId(), answer.GetClaims()[0].GetWakeup().GetSupervisor().GetSupervisorId())
}

func TestKilledBetweenBeginSendAndMarkDelivered(t *testing.T) {
	t.Parallel()
	m := boot(t, "--lease", "3s")
	c := m.claim(m.begin().GetWakeupId(), 0)
	require.NoError(t, m.beginSend(c))
	m.crash()
	id := c.GetWakeup().GetWakeupId()
	// Nobody knows whether the prompt has left: it is never granted again.
	m.refused(m.beginSend(c), fault.ReasonStaleVersion)
	for _, by := range []*recoursev1.Supervisor{me, another} {
		_, err := m.client.Recovery.ClaimWakeups(t.Context(), claimRequest(id, by, 0))
		m.refused(err, fault.ReasonNotClaimable)
	}
	m.eventually("a person is asked", func() bool { return m.wakeup(id).GetStatus() == recoursev1.WakeupStatus_WAKEUP_STATUS_FAILED })
	w := m.wakeup(id)
	require.Equal(t, recoursev1.Attention_ATTENTION_PERSON, w.GetAttention())
	require.Equal(t, recoursev1.StopReason_STOP_REASON_AMBIGUOUS_DELIVERY, w.GetLastDecision().GetStopReason())
	require.Nil(t, w.GetDueAt(), "no countdown that nobody owns")
	m.crash()
	for _, by := range []*recoursev1.Supervisor{me, another} {
		_, err := m.client.Recovery.ClaimWakeups(t.Context(), claimRequest(id, by, 0))
		m.refused(err, fault.ReasonNotClaimable)
	}
	runs := m.runs(id)
	require.Len(t, runs, 1)
	require.Equal(t, recoursev1.RunState_RUN_STATE_LOST, runs[0].GetState())
	require.Equal(t, recoursev1.RunOutcome_RUN_OUTCOME_AMBIGUOUS, runs[0].GetOutcome())
}

func TestKilledAfterDelivery(t *testing.T) {
	t.Parallel()
	m := boot(t, "--lease", "3s", "--lost-grace", "1h")
	id := m.begin().GetWakeupId()
	c := m.claim(id, 0)
	m.deliver(c)
	m.crash()
	// The owner has kept its child through the outage; its token still holds.
	_, err := m.client.Recovery.HeartbeatRun(t.Context(), &recoursev1.HeartbeatRunRequest{RunId: c.GetRun().GetRunId(), LeaseToken: c.GetLeaseToken()})
	require.NoError(t, err)
	require.Equal(t, recoursev1.RunState_RUN_STATE_DELIVERED, m.runs(id)[0].GetState())
	m.crash()
	m.eventually("the run is lost", func() bool { return m.runs(id)[0].GetState() == recoursev1.RunState_RUN_STATE_LOST })
	_, err = m.client.Recovery.ClaimWakeups(t.Context(), claimRequest(id, another, 0))
	m.refused(err, fault.ReasonNotClaimable) // never relaunched
	m.crash()
	settled, err := m.succeed(c)
	require.NoError(t, err, "a late settle counts until a person acts")
	require.Equal(t, recoursev1.WakeupStatus_WAKEUP_STATUS_COMPLETED, settled.GetWakeup().GetStatus())
}

// rounds kill at 0, 4, 16 and 36 ms after the call.
const rounds = 4

// A kill at any instant of a report leaves either nothing of it or all of it,
// and the same request id finds out which.
func TestKilledInTheMiddleOfReportFailure(t *testing.T) {
	t.Parallel()
	m := boot(t)
	for round := range rounds {
		c := m.claim(m.begin().GetWakeupId(), 0)
		m.deliver(c)
		request := overload(c, "fail-"+c.GetRun().GetRunId())
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		unknown := make(chan *recoursev1.ReportFailureResponse, 1)
		old := m.client
		go func() {
			answer, err := old.Recovery.ReportFailure(ctx, request)
			if err != nil {
				answer = nil
			}
			unknown <- answer
		}()
		killer := time.NewTimer(time.Duration(4*round*round) * time.Millisecond)
		<-killer.C
		m.kill()
		before := <-unknown
		cancel()
		m.start()
		answer, err := m.client.Recovery.ReportFailure(t.Context(), request)
		require.NoError(t, err)
		if before != nil {
			require.True(t, proto.Equal(before, answer), "what was acknowledged stays:\n%v\n%v", before, answer)
		}
		w, runs := m.wakeup(c.GetWakeup().GetWakeupId()), m.runs(c.GetWakeup().GetWakeupId())
		require.Equal(t, recoursev1.WakeupStatus_WAKEUP_STATUS_SCHEDULED_RETRY, w.GetStatus())
		require.True(t, proto.Equal(answer.GetDecision().GetRetryAt(), w.GetDueAt()))
		require.EqualValues(t, 1, w.GetRetryCount(), "one failure, one retry")
		require.Len(t, runs, 1)
		require.Equal(t, recoursev1.RunState_RUN_STATE_SETTLED, runs[0].GetState())
		_, err = m.client.Recovery.ReportFailure(t.Context(), overload(c, "another id"))
		m.refused(err, fault.ReasonRunAlreadySettled)
	}
}

// What was committed and not yet numbered when the server died is in the
// stream afterwards, once, after what a reader had seen before.
func TestEventsSurvive(t *testing.T) {
	t.Parallel()
	m := boot(t)
	m.begin()
	list := func(cursor string) *recoursev1.ListEventsResponse {
		page, err := m.client.Recovery.ListEvents(t.Context(), &recoursev1.ListEventsRequest{Cursor: cursor, PageSize: 1000})
		require.NoError(t, err)
		return page
	}
	seen := list("")
	require.NotEmpty(t, seen.GetEvents())
	var last string
	for range 20 {
		last = m.begin().GetWakeupId()
	}
	m.crash()
	rest := list(seen.GetNextCursor())
	require.Len(t, rest.GetEvents(), 2*20)
	require.Equal(t, last, rest.GetEvents()[39].GetPayload().AsMap()["wakeup_id"])
	ids := map[string]bool{}
	for _, e := range append(seen.GetEvents(), rest.GetEvents()...) {
		require.False(t, ids[e.GetEventId()], "twice")
		ids[e.GetEventId()] = true
	}
	require.Empty(t, list(rest.GetNextCursor()).GetEvents())
}
