package rpc

import (
	"context"
	"time"

	"google.golang.org/grpc/health/grpc_health_v1"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/gen/go/grpc/health/v1/grpc_health_v1connect"
)

// Health serves grpc.health.v1: it serves while the database answers and no
// drain has begun.
type Health struct {
	Ready func(context.Context) error
	Begun <-chan struct{} // closed when the server begins to stop
}

var _ grpc_health_v1connect.HealthHandler = Health{}

const healthInterval = 5 * time.Second

// Check implements Health.
func (h Health) Check(ctx context.Context, req *grpc_health_v1.HealthCheckRequest) (*grpc_health_v1.HealthCheckResponse, error) {
	if !known(req.GetService()) {
		return nil, fault.New(fault.NotFound, fault.ReasonRouteNotFound, "no such service").With("path", "service")
	}
	return &grpc_health_v1.HealthCheckResponse{Status: h.status(ctx)}, nil
}

// List implements Health.
func (h Health) List(ctx context.Context, _ *grpc_health_v1.HealthListRequest) (*grpc_health_v1.HealthListResponse, error) {
	out := &grpc_health_v1.HealthListResponse{Statuses: map[string]*grpc_health_v1.HealthCheckResponse{}}
	status := h.status(ctx)
	for _, service := range services {
		out.Statuses[service] = &grpc_health_v1.HealthCheckResponse{Status: status}
	}
	return out, nil
}

// Watch implements Health: it sends the status now and at each change.
func (h Health) Watch(ctx context.Context, _ *grpc_health_v1.HealthCheckRequest, stream grpc_health_v1connect.HealthWatchServerStream) error {
	ticker := time.NewTicker(healthInterval)
	defer ticker.Stop()
	last := grpc_health_v1.HealthCheckResponse_ServingStatus(-1)
	for {
		if status := h.status(ctx); status != last {
			last = status
			if err := stream.Send(&grpc_health_v1.HealthCheckResponse{Status: status}); err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
	}
}

func (h Health) status(ctx context.Context) grpc_health_v1.HealthCheckResponse_ServingStatus {
	select {
	case <-h.Begun:
		return grpc_health_v1.HealthCheckResponse_NOT_SERVING
	default:
	}
	if h.Ready(ctx) != nil {
		return grpc_health_v1.HealthCheckResponse_NOT_SERVING
	}
	return grpc_health_v1.HealthCheckResponse_SERVING
}
