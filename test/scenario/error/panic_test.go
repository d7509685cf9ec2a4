package error_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	client "github.com/recourse-dev/recourse/clients/go"
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/core/work"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/server/rpc"
	"github.com/recourse-dev/recourse/server/servertest"
	"github.com/recourse-dev/recourse/server/service/recovery"
)

// broken panics where a handler must not.
type broken struct{ recovery.API }

func (broken) GetRun(context.Context, string, string) (work.Run, error) {
	panic("SELECT secret FROM runs")
}

func (broken) WatchEvents(_ context.Context, _ work.WatchEvents, send func(work.Watched) error) error {
	if err := send(work.Watched{Cursor: "first"}); err != nil {
		return err
	}
	panic("SELECT secret FROM events")
}

func withBroken() servertest.Option {
	return servertest.Handlers(func(h rpc.Handlers) rpc.Handlers {
		h.Recovery.Service = broken{h.Recovery.Service}
		return h
	})
}

func TestAPanicIsAnErrorLikeAnyOther(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, withBroken())
	for _, protocol := range protocols {
		_, err := s.Client(t, s.AdminToken, client.WithProtocol(protocol)).Recovery.GetRun(t.Context(), &recoursev1.GetRunRequest{RunId: nowhere})
		f := requireFault(t, err, fault.ReasonInternal)
		require.NotContains(t, f.Message, "secret", protocol)
	}
	got := request{path: workspace + "/runs/" + nowhere, token: s.AdminToken, header: map[string]string{"X-Request-Id": "find-me"}}.do(t, s)
	requireREST(t, got, fault.ReasonInternal)
	require.NotContains(t, got.text, "secret")

	require.Contains(t, s.Log.String(), "find-me")
	require.Contains(t, s.Log.String(), "SELECT secret FROM runs", "the log has what the caller must not")
	require.Equal(t, http.StatusOK, request{path: "/v1/caller", token: s.AdminToken}.do(t, s).status, "the server goes on")
}

func TestAStreamThatPanicsEndsWithAReason(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, withBroken())
	for _, protocol := range protocols {
		stream, err := s.Client(t, s.AdminToken, client.WithProtocol(protocol)).Recovery.WatchEvents(t.Context(), &recoursev1.WatchEventsRequest{})
		require.NoError(t, err)
		first, err := stream.Receive()
		require.NoError(t, err, protocol)
		require.Equal(t, "first", first.GetHeartbeat().GetCursor())
		_, err = stream.Receive()
		f := requireFault(t, err, fault.ReasonInternal)
		require.NotContains(t, f.Message, "secret", protocol)
		require.NoError(t, stream.Close())
	}
	got := request{path: workspace + "/events:watch", token: s.AdminToken}.do(t, s)
	require.Equal(t, http.StatusOK, got.status)
	require.Equal(t, "application/x-ndjson", got.header.Get("Content-Type"))
	require.Regexp(t, `^\{"result":\{"heartbeat":\{.*"cursor":"first"\}\}\}\n\{"error":"internal error.*","code":"INTERNAL","reason":"INTERNAL","details":\[\{"@type":.*\}\]\}\n$`, got.text)
	require.NotContains(t, got.text, "secret")
}

// A stream that fails before its first message is answered like any other call.
func TestAStreamThatNeverBegins(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	requireREST(t, request{path: workspace + "/events:watch"}.do(t, s), fault.ReasonTokenMissing)
	requireREST(t, request{path: workspace + "/events:watch?cursor=broken", token: s.AdminToken}.do(t, s), fault.ReasonInvalidRequest)
}
