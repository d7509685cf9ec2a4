package rpc

import (
	"slices"

	"connectrpc.com/connect/v2"
	"connectrpc.com/grpcreflect/v2"

	"github.com/recourse-dev/recourse/gen/go/grpc/health/v1/grpc_health_v1connect"
	"github.com/recourse-dev/recourse/gen/go/recourse/v1/recoursev1connect"
)

// services are the names that health knows; "" is the whole server.
var services = []string{
	"",
	recoursev1connect.ClassificationServiceName,
	recoursev1connect.RecoveryServiceName,
	recoursev1connect.RoutingServiceName,
	recoursev1connect.WorkspaceServiceName,
}

func known(service string) bool { return slices.Contains(services, service) }

// Handlers are the handlers of every service.
type Handlers struct {
	Classification Classification
	Recovery       Recovery
	Routing        Routing
	Workspace      Workspace
	Health         Health
}

// Register puts every service on the server, with reflection.
func Register(server *connect.Server, h Handlers) {
	recoursev1connect.RegisterClassificationServiceHandler(server, h.Classification)
	recoursev1connect.RegisterRecoveryServiceHandler(server, h.Recovery)
	recoursev1connect.RegisterRoutingServiceHandler(server, h.Routing)
	recoursev1connect.RegisterWorkspaceServiceHandler(server, h.Workspace)
	grpc_health_v1connect.RegisterHealthHandler(server, h.Health)
	grpcreflect.Register(server)
}
