package error_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/server/servertest"
)

// A stranger's gRPC client, not the library that the server is built with.
func TestTheReferenceGRPCClient(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	conn, err := grpc.NewClient(strings.TrimPrefix(s.URL, "http://"), grpc.WithTransportCredentials(insecure.NewCredentials()))
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })

	health, err := grpc_health_v1.NewHealthClient(conn).Check(t.Context(), &grpc_health_v1.HealthCheckRequest{Service: "recourse.v1.RecoveryService"})
	require.NoError(t, err, "health needs no token")
	require.Equal(t, grpc_health_v1.HealthCheckResponse_SERVING, health.GetStatus())

	workspaces := recoursev1.NewWorkspaceServiceClient(conn)
	_, err = workspaces.GetCaller(t.Context(), &recoursev1.GetCallerRequest{})
	require.Equal(t, codes.Unauthenticated, status.Code(err))
	require.Equal(t, "TOKEN_MISSING", reasonOf(t, err))

	ctx := metadata.AppendToOutgoingContext(t.Context(), "authorization", "Bearer "+s.AdminToken)
	var header metadata.MD
	got, err := workspaces.GetCaller(ctx, &recoursev1.GetCallerRequest{}, grpc.Header(&header))
	require.NoError(t, err)
	require.True(t, got.GetInstanceAdmin())
	require.Len(t, header.Get("x-request-id"), 1)
	require.Len(t, header.Get("x-server-time"), 1)

	_, err = recoursev1.NewRecoveryServiceClient(conn).ListWakeups(ctx, &recoursev1.ListWakeupsRequest{PageSize: -1})
	require.Equal(t, codes.InvalidArgument, status.Code(err))
	require.Equal(t, "INVALID_REQUEST", reasonOf(t, err))

	stream, err := recoursev1.NewRecoveryServiceClient(conn).WatchEvents(ctx, &recoursev1.WatchEventsRequest{})
	require.NoError(t, err)
	first, err := stream.Recv()
	require.NoError(t, err)
	require.NotNil(t, first.GetHeartbeat())
}

func reasonOf(t *testing.T, err error) string {
	t.Helper()
	var reasons []string
	for _, detail := range status.Convert(err).Details() {
		if info, ok := detail.(*errdetails.ErrorInfo); ok {
			reasons = append(reasons, info.GetReason())
		}
	}
	require.Len(t, reasons, 1)
	return reasons[0]
}
