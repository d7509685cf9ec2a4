package action

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/recourse-dev/recourse/core/fault"
	v1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/server/servertest"
)

// everywhere runs a test by every protocol on one server.
func everywhere(t *testing.T, test func(b *bench, p protocol)) {
	t.Helper()
	shared := setup(t)
	for _, p := range shared.protocols() {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			test(shared.on(t), p)
		})
	}
}

// twice calls with the same request id: both answers are the same.
func twice[A proto.Message](b *bench, call func() (A, error)) A {
	b.t.Helper()
	first, err := call()
	require.NoError(b.t, err)
	second, err := call()
	require.NoError(b.t, err)
	require.True(b.t, proto.Equal(first, second), "want %v\n got %v", first, second)
	return first
}

func TestRetryNow(t *testing.T) {
	t.Parallel()
	everywhere(t, func(b *bench, p protocol) {
		w := b.waiting()
		answer := twice(b, func() (*v1.RetryNowResponse, error) {
			return p.retry(b.t.Context(), &v1.RetryNowRequest{WakeupId: w.GetWakeupId(), ExpectedVersion: w.GetVersion(), RequestId: "retry-" + w.GetWakeupId()})
		})
		now := answer.GetWakeup()
		require.Equal(b.t, v1.WakeupStatus_WAKEUP_STATUS_QUEUED, now.GetStatus())
		require.True(b.t, now.GetDueAt().AsTime().Before(w.GetDueAt().AsTime()))
		receipt := now.GetLastDecision().GetReceipt()
		require.Equal(b.t, v1.ReceiptKind_RECEIPT_KIND_PERSON, receipt.GetKind())
		require.NotEmpty(b.t, receipt.GetSource())
		b.claim(w.GetWakeupId())
		_, err := p.retry(b.t.Context(), &v1.RetryNowRequest{WakeupId: w.GetWakeupId()})
		require.ErrorContains(b.t, err, "STALE_VERSION")
	})
}

func TestStopRun(t *testing.T) {
	t.Parallel()
	everywhere(t, func(b *bench, p protocol) {
		c := b.deliver(b.begin().GetWakeupId())
		run, token := c.GetRun().GetRunId(), c.GetLeaseToken()
		held := make(chan *v1.HeartbeatRunResponse, 1)
		var owner sync.WaitGroup
		owner.Go(func() {
			answer, err := b.api.Recovery.HeartbeatRun(b.t.Context(), &v1.HeartbeatRunRequest{RunId: run, LeaseToken: token, Wait: durationpb.New(30 * time.Second)})
			if err == nil {
				held <- answer
			}
			close(held)
		})
		defer owner.Wait()
		answer := twice(b, func() (*v1.StopRunResponse, error) {
			return p.stop(b.t.Context(), &v1.StopRunRequest{RunId: run, RequestId: "stop-" + run})
		})
		asked := time.Now()
		require.NotNil(b.t, answer.GetRun().GetStopRequestedAt())
		beat := <-held
		require.True(b.t, beat.GetStopRequested())
		require.Less(b.t, time.Since(asked), time.Second, "the contract's second")
		failed := b.fail(c, v1.Effect_EFFECT_NONE)
		require.Equal(b.t, v1.RunOutcome_RUN_OUTCOME_CANCELLED, failed.GetRun().GetOutcome())
		require.Equal(b.t, v1.WakeupStatus_WAKEUP_STATUS_CANCELLED, failed.GetWakeup().GetStatus())
		require.Equal(b.t, v1.Code_CODE_PROVIDER_OVERLOADED, failed.GetClassification().GetCode(), "what it was stays on record")
		found, err := p.recovery(b.t.Context(), &v1.GetSessionRecoveryRequest{SessionId: c.GetRun().GetSessionId()})
		require.NoError(b.t, err)
		require.Equal(b.t, v1.SessionState_SESSION_STATE_STOPPED, found.GetRecovery().GetSession().GetState())
		_, err = p.stop(b.t.Context(), &v1.StopRunRequest{RunId: run})
		require.ErrorContains(b.t, err, "RUN_ALREADY_SETTLED")
	})
}

func TestResumeAndStartFresh(t *testing.T) {
	t.Parallel()
	everywhere(t, func(b *bench, p protocol) {
		w := b.fail(b.deliver(b.begin().GetWakeupId()), v1.Effect_EFFECT_SEEN).GetWakeup()
		id := w.GetSessionId()
		_, err := p.resume(b.t.Context(), &v1.ResumeSessionRequest{SessionId: id, ExpectedGeneration: 7})
		require.ErrorContains(b.t, err, "STALE_GENERATION")
		resumed := twice(b, func() (*v1.ResumeSessionResponse, error) {
			return p.resume(b.t.Context(), &v1.ResumeSessionRequest{SessionId: id, ExpectedGeneration: 1, RequestId: "resume-" + id})
		})
		require.Equal(b.t, v1.SendKind_SEND_KIND_CONTINUE, resumed.GetWakeup().GetNextSend())
		require.Equal(b.t, "native", resumed.GetWakeup().GetNativeSessionId())
		require.EqualValues(b.t, 2, resumed.GetSession().GetGeneration())
		c := b.claim(resumed.GetWakeup().GetWakeupId())
		_, err = p.fresh(b.t.Context(), &v1.StartFreshRequest{SessionId: id})
		require.ErrorContains(b.t, err, "SESSION_BUSY")
		_, err = p.stop(b.t.Context(), &v1.StopRunRequest{RunId: c.GetRun().GetRunId()})
		require.NoError(b.t, err)
		fresh := twice(b, func() (*v1.StartFreshResponse, error) {
			return p.fresh(b.t.Context(), &v1.StartFreshRequest{SessionId: id, ExpectedGeneration: 2, RequestId: "fresh-" + id})
		})
		require.Equal(b.t, v1.SendKind_SEND_KIND_FRESH, fresh.GetWakeup().GetNextSend())
		require.Empty(b.t, fresh.GetSession().GetNativeSessionId())
		require.Equal(b.t, v1.SendKind_SEND_KIND_FRESH, b.claim(fresh.GetWakeup().GetWakeupId()).GetRun().GetSend())
	})
}

func TestTheRecoveryOfASession(t *testing.T) {
	t.Parallel()
	everywhere(t, func(b *bench, p protocol) {
		w := b.waiting()
		answer, err := p.recovery(b.t.Context(), &v1.GetSessionRecoveryRequest{SessionId: w.GetSessionId()})
		require.NoError(b.t, err)
		r := answer.GetRecovery()
		require.True(b.t, proto.Equal(w.GetDueAt(), r.GetRetryAt()), "one instant on every surface")
		require.Equal(b.t, v1.Code_CODE_PROVIDER_OVERLOADED, r.GetCode())
		require.Equal(b.t, v1.Class_CLASS_TRANSIENT, r.GetClass())
		require.Equal(b.t, v1.Action_ACTION_RETRY, r.GetDisposition())
		require.Equal(b.t, w.GetVersion(), r.GetWakeupVersion())
		require.Equal(b.t, w.GetLastRunId(), r.GetRunId())
		require.EqualValues(b.t, 1, r.GetOrdinal())
		require.EqualValues(b.t, 5, r.GetMaxAttempts())
		require.Equal(b.t, []string{"anthropic", "sonnet"}, []string{r.GetProvider(), r.GetModel()})
		require.Equal(b.t, []v1.UserAction{
			v1.UserAction_USER_ACTION_RETRY_NOW, v1.UserAction_USER_ACTION_CANCEL_WAIT,
			v1.UserAction_USER_ACTION_RESUME_SESSION, v1.UserAction_USER_ACTION_START_FRESH,
		}, r.GetActions())
		list, err := p.list(b.t.Context(), &v1.ListRecoveriesRequest{PageSize: 100})
		require.NoError(b.t, err)
		found := false
		for _, one := range list.GetRecoveries() {
			found = found || proto.Equal(one, r)
		}
		require.True(b.t, found, "%v is not in the list", r)
		_, err = p.recovery(b.t.Context(), &v1.GetSessionRecoveryRequest{SessionId: "01900000-0000-7000-8000-000000000000"})
		require.ErrorContains(b.t, err, "SESSION_NOT_FOUND")
	})
}

func TestPagesOfRecoveries(t *testing.T) {
	t.Parallel()
	b := setup(t)
	want := map[string]bool{}
	for range 5 {
		want[b.waiting().GetSessionId()] = true
	}
	in := &v1.ListRecoveriesRequest{PageSize: 2}
	var last time.Time
	for pages := 0; ; pages++ {
		require.Less(t, pages, 4)
		page, err := b.api.Recovery.ListRecoveries(t.Context(), in)
		require.NoError(t, err)
		for _, r := range page.GetRecoveries() {
			require.True(t, want[r.GetSession().GetSessionId()], "twice, or not one of ours")
			delete(want, r.GetSession().GetSessionId())
			at := r.GetUpdatedAt().AsTime()
			require.True(t, last.IsZero() || !at.After(last), "the latest change first")
			last = at
		}
		if in.PageToken = page.GetNextPageToken(); in.PageToken == "" {
			break
		}
	}
	require.Empty(t, want)
	for _, damaged := range []string{"!", "eyJhIjoieCJ9"} {
		_, err := b.api.Recovery.ListRecoveries(t.Context(), &v1.ListRecoveriesRequest{PageToken: damaged})
		require.Equal(t, fault.ReasonPageTokenInvalid, fault.From(err).Reason)
	}
}

func TestWhoMayAct(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	b := &bench{t: t, server: s, api: s.Client(t, s.AdminToken)}
	w := b.waiting()
	for _, role := range []v1.Role{v1.Role_ROLE_VIEWER, v1.Role_ROLE_WORKER} {
		c := s.Client(t, s.Token(t, role)).Recovery
		_, retry := c.RetryNow(t.Context(), &v1.RetryNowRequest{WakeupId: w.GetWakeupId()})
		_, stop := c.StopRun(t.Context(), &v1.StopRunRequest{RunId: w.GetLastRunId()})
		_, resume := c.ResumeSession(t.Context(), &v1.ResumeSessionRequest{SessionId: w.GetSessionId()})
		_, fresh := c.StartFresh(t.Context(), &v1.StartFreshRequest{SessionId: w.GetSessionId()})
		for _, err := range []error{retry, stop, resume, fresh} {
			require.Equal(t, fault.ReasonRoleInsufficient, fault.From(err).Reason, "%s: %v", role, err)
		}
	}
	member := s.Client(t, s.Token(t, v1.Role_ROLE_MEMBER)).Recovery
	answer, err := member.RetryNow(t.Context(), &v1.RetryNowRequest{WakeupId: w.GetWakeupId()})
	require.NoError(t, err)
	require.Equal(t, "role_member", answer.GetWakeup().GetLastDecision().GetReceipt().GetSource(), "the name of the token, never the token")
}

func TestAHeldHeartbeatDoesNotKeepAServerFromStopping(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.deliver(b.begin().GetWakeupId())
	lease := func() time.Time {
		answer, err := b.api.Recovery.GetRun(t.Context(), &v1.GetRunRequest{RunId: c.GetRun().GetRunId()})
		require.NoError(t, err)
		return answer.GetRun().GetLeaseExpiresAt().AsTime()
	}
	before := lease()
	held := make(chan error, 1)
	go func() {
		_, err := b.api.Recovery.HeartbeatRun(t.Context(), &v1.HeartbeatRunRequest{
			RunId: c.GetRun().GetRunId(), LeaseToken: c.GetLeaseToken(), Wait: durationpb.New(30 * time.Second),
		})
		held <- err
	}()
	require.Eventually(t, func() bool { return lease().After(before) }, 20*time.Second, 5*time.Millisecond, "it was renewed, so it is held by now")
	began := time.Now()
	b.server.Stop(t)
	require.Less(t, time.Since(began), 5*time.Second, "half of what the heartbeat would be held")
	require.Equal(t, fault.Unavailable, fault.From(<-held).Kind, "to be asked of another replica")
}
