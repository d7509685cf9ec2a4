package error_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	client "github.com/recourse-dev/recourse/clients/go"
	"github.com/recourse-dev/recourse/core/fault"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/server/config"
	"github.com/recourse-dev/recourse/server/servertest"
)

func TestATokenThatCallsTooOften(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Configure(func(c *config.Config) { c.RatePerSecond, c.RateBurst = 0.001, 2 }))
	viewer := s.Token(t, recoursev1.Role_ROLE_VIEWER) // the admin's first call
	call := request{path: "/v1/caller", token: viewer}
	require.Equal(t, http.StatusOK, call.do(t, s).status)
	require.Equal(t, http.StatusOK, call.do(t, s).status)
	got := call.do(t, s)
	requireREST(t, got, fault.ReasonRateLimited)
	require.NotEmpty(t, got.header.Get("Retry-After"))
	require.Contains(t, got.text, "google.rpc.RetryInfo")
	for _, protocol := range protocols {
		_, err := s.Client(t, viewer, client.WithProtocol(protocol)).Workspace.GetCaller(t.Context(), &recoursev1.GetCallerRequest{})
		require.Positive(t, requireFault(t, err, fault.ReasonRateLimited).RetryAfter)
	}
	other := request{path: "/v1/caller", token: s.AdminToken}.do(t, s)
	require.Equal(t, http.StatusOK, other.status, "another token has its own allowance")
}

func TestStreamsOfATokenAreBounded(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Configure(func(c *config.Config) { c.StreamsPerToken = 1 }))
	c := s.Client(t, s.AdminToken).Recovery
	first, err := c.WatchEvents(t.Context(), &recoursev1.WatchEventsRequest{})
	require.NoError(t, err)
	_, err = first.Receive()
	require.NoError(t, err)
	second, err := c.WatchEvents(t.Context(), &recoursev1.WatchEventsRequest{})
	require.NoError(t, err)
	_, err = second.Receive()
	requireFault(t, err, fault.ReasonRateLimited)
	require.NoError(t, second.Close())
	require.NoError(t, first.Close())
}

func TestAServerThatStopsTellsThoseWhoWait(t *testing.T) {
	t.Parallel()
	f := setup(t)
	type watch struct {
		protocol client.Protocol
		receive  func() error
	}
	var watches []watch
	for _, protocol := range protocols {
		stream, err := f.server.Client(t, f.server.AdminToken, client.WithProtocol(protocol)).Recovery.WatchEvents(t.Context(), &recoursev1.WatchEventsRequest{})
		require.NoError(t, err)
		_, err = stream.Receive()
		require.NoError(t, err)
		watches = append(watches, watch{protocol, func() error {
			for {
				if _, err := stream.Receive(); err != nil {
					return err
				}
			}
		}})
	}
	f.server.Stop(t)
	for _, w := range watches {
		got := requireFault(t, w.receive(), fault.ReasonShuttingDown)
		require.Positive(t, got.RetryAfter, w.protocol)
	}
}
