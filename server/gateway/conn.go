// Package gateway serves REST: it matches paths, reads JSON and calls the same
// handlers through the same chain as every other protocol, in process.
package gateway

import (
	"context"
	"fmt"

	"connectrpc.com/connect/v2"
	"connectrpc.com/connect/v2/connectinprocess"
	"google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	grpcstatus "google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/anypb"

	"github.com/recourse-dev/recourse/server/rpc/rpcerror"
)

// Conn lets the generated gateway call a Connect server without a network. The
// context carries the HTTP request's credentials; gRPC metadata is not used.
type Conn struct {
	client *connect.Client
	specs  map[string]connect.Spec
}

var _ grpc.ClientConnInterface = (*Conn)(nil)

// NewConn connects to the server's registered methods.
func NewConn(server *connect.Server) *Conn {
	specs := map[string]connect.Spec{}
	for spec := range server.Specs() {
		specs[spec.Procedure] = spec
	}
	return &Conn{client: connect.NewClient(connectinprocess.New(server)), specs: specs}
}

// Invoke implements grpc.ClientConnInterface.
func (c *Conn) Invoke(ctx context.Context, method string, args, reply any, _ ...grpc.CallOption) error {
	spec, ok := c.specs[method]
	if !ok {
		return grpcstatus.Errorf(codes.Unimplemented, "no such method: %s", method)
	}
	return toStatus(c.client.CallUnary(ctx, spec, args, reply))
}

// NewStream implements grpc.ClientConnInterface.
func (c *Conn) NewStream(ctx context.Context, _ *grpc.StreamDesc, method string, _ ...grpc.CallOption) (grpc.ClientStream, error) {
	spec, ok := c.specs[method]
	if !ok {
		return nil, grpcstatus.Errorf(codes.Unimplemented, "no such method: %s", method)
	}
	if spec.StreamType != connect.StreamTypeServer {
		return nil, fmt.Errorf("gateway: %s streams its requests, which REST cannot", method)
	}
	inner, err := c.client.CallClientStream(ctx, spec)
	if err != nil {
		return nil, toStatus(err)
	}
	return &clientStream{ctx: ctx, inner: inner, spec: spec}, nil
}

// toStatus turns the chain's error into the error type that the gateway knows.
func toStatus(err error) error {
	if err == nil {
		return nil
	}
	rpc := rpcerror.AsConnect(err)
	out := &status.Status{Code: int32(rpc.Code()), Message: rpc.Message()}
	for _, detail := range rpc.Details() {
		out.Details = append(out.Details, &anypb.Any{TypeUrl: "type.googleapis.com/" + detail.Type, Value: detail.Value})
	}
	return grpcstatus.ErrorProto(out)
}
