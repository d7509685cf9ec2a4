package interceptor

import (
	"slices"
	"strings"
	"testing"

	"connectrpc.com/connect/v2"
	"connectrpc.com/grpcreflect/v2"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/recourse-dev/recourse/core/access"
	"github.com/recourse-dev/recourse/gen/go/grpc/health/v1/grpc_health_v1connect"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

// Every method of the contract is in the table, and nothing else is.
func TestThePermissionTableIsComplete(t *testing.T) {
	t.Parallel()
	want := map[string]bool{}
	for _, file := range []protoreflect.FileDescriptor{
		recoursev1.File_recourse_v1_classification_service_proto,
		recoursev1.File_recourse_v1_recovery_service_proto,
		recoursev1.File_recourse_v1_routing_service_proto,
		recoursev1.File_recourse_v1_workspace_service_proto,
	} {
		for i := range file.Services().Len() {
			service := file.Services().Get(i)
			for j := range service.Methods().Len() {
				want["/"+string(service.FullName())+"/"+string(service.Methods().Get(j).Name())] = true
			}
		}
	}
	for procedure := range want {
		p, ok := permissionFor(procedure)
		require.True(t, ok, "%s is in no row", procedure)
		require.False(t, p.public, "%s would answer anybody", procedure)
		require.True(t, p.allows(access.RoleAdmin), procedure)
		require.True(t, p.allows(p.least), procedure)
	}
	others := connect.NewServer()
	grpc_health_v1connect.RegisterHealthHandler(others, grpc_health_v1connect.UnimplementedHealthHandler{})
	grpcreflect.Register(others)
	for spec := range others.Specs() {
		p, ok := permissionFor(spec.Procedure)
		require.True(t, ok && p.public, spec.Procedure)
		want[spec.Procedure] = true
	}
	for procedure := range permissions {
		require.True(t, want[procedure], "%s is no method", procedure)
	}
}

func TestWhatEachRoleMayDo(t *testing.T) {
	t.Parallel()
	const service = "/recourse.v1."
	for procedure, roles := range map[string]string{
		"RecoveryService/BeginPrompt": "member admin", "RecoveryService/CancelWait": "member admin",
		"RecoveryService/ClaimWakeups": "worker member admin", "RecoveryService/ReportFailure": "worker member admin",
		"RecoveryService/ListWakeups": "viewer member admin", "RecoveryService/WatchEvents": "viewer member admin",
		"RecoveryService/Decide": "viewer member admin worker", "WorkspaceService/GetCaller": "viewer member admin worker",
		"RoutingService/CreateProfile": "admin", "RoutingService/UpdateProfile": "admin", "RoutingService/DeleteProfile": "admin",
		"RoutingService/GetProfile": "viewer member admin worker", "RoutingService/ListProfiles": "viewer member admin worker",
		"WorkspaceService/CreateApiToken": "admin", "WorkspaceService/RevokeApiToken": "admin",
	} {
		p, ok := permissionFor(service + procedure)
		require.True(t, ok)
		for _, role := range access.Roles() {
			require.Equal(t, slices.Contains(strings.Fields(roles), string(role)), p.allows(role), "%s, %s", procedure, role)
		}
		require.False(t, p.allows(""), "no role is no right")
		require.False(t, p.allows("root"))
	}
}
