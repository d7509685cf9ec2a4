package gateway

import (
	"context"
	"errors"
	"io"

	"connectrpc.com/connect/v2"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// clientStream is one server stream in the shape that the gateway reads.
type clientStream struct {
	ctx   context.Context
	inner connect.ClientStream
	spec  connect.Spec
	// first is the message that Header received ahead.
	first proto.Message
}

// Header waits for the first message, so that a stream that fails before it is
// answered with a status like any other call.
func (s *clientStream) Header() (metadata.MD, error) {
	method, ok := s.spec.Schema.(protoreflect.MethodDescriptor)
	if !ok {
		return nil, errors.New("gateway: a method without its schema")
	}
	kind, err := protoregistry.GlobalTypes.FindMessageByName(method.Output().FullName())
	if err != nil {
		return nil, err
	}
	message := kind.New().Interface()
	err = s.inner.Receive(message)
	switch {
	case errors.Is(err, io.EOF):
		return metadata.MD{}, nil
	case err != nil:
		return nil, toStatus(err)
	}
	s.first = message
	return metadata.MD{}, nil
}

// Trailer implements grpc.ClientStream.
func (s *clientStream) Trailer() metadata.MD { return nil }

// CloseSend implements grpc.ClientStream.
func (s *clientStream) CloseSend() error { return toStatus(s.inner.CloseSend()) }

// Context implements grpc.ClientStream.
func (s *clientStream) Context() context.Context { return s.ctx }

// SendMsg implements grpc.ClientStream. After the server has ended the call, the
// reason comes from Header or RecvMsg.
func (s *clientStream) SendMsg(m any) error {
	if err := s.inner.Send(m); err != nil && !errors.Is(err, io.EOF) {
		return toStatus(err)
	}
	return nil
}

// RecvMsg implements grpc.ClientStream.
func (s *clientStream) RecvMsg(m any) error {
	message, ok := m.(proto.Message)
	if ok && s.first != nil {
		proto.Reset(message)
		proto.Merge(message, s.first)
		s.first = nil
		return nil
	}
	err := s.inner.Receive(m)
	if errors.Is(err, io.EOF) {
		return io.EOF
	}
	return toStatus(err)
}
