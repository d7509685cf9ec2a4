package client

import (
	"context"
	"errors"
	"io"

	"connectrpc.com/connect/v2"
)

// callInterceptor adds the token, bounds unary calls, and turns errors back
// into faults.
func callInterceptor(token string, o options) connect.ClientInterceptor {
	return func(next connect.ClientFunc) connect.ClientFunc {
		return func(ctx context.Context, spec connect.Spec) (connect.ClientStream, error) {
			if info, ok := connect.CallInfoForClientContext(ctx); ok {
				if token != "" {
					info.RequestHeader().Set("Authorization", "Bearer "+token)
				}
				info.RequestHeader().Set("User-Agent", o.userAgent)
			}
			caller, cancel := ctx, context.CancelFunc(func() {})
			if _, bounded := ctx.Deadline(); !bounded && spec.StreamType == connect.StreamTypeUnary {
				ctx, cancel = context.WithTimeout(ctx, o.timeout)
			}
			stream, err := next(ctx, spec)
			if err != nil {
				cancel()
				return nil, asFault(caller, err)
			}
			return &faultStream{ClientStream: stream, caller: caller, cancel: cancel}, nil
		}
	}
}

// faultStream turns the errors of one call into faults, and ends its deadline
// with it.
type faultStream struct {
	connect.ClientStream
	caller context.Context // the caller's own, without our deadline
	cancel context.CancelFunc
}

func (s *faultStream) Send(msg any) error { return asFault(s.caller, s.ClientStream.Send(msg)) }

func (s *faultStream) CloseSend() error { return asFault(s.caller, s.ClientStream.CloseSend()) }

func (s *faultStream) Receive(msg any) error {
	err := s.ClientStream.Receive(msg)
	if err != nil {
		s.cancel()
	}
	if errors.Is(err, io.EOF) {
		return err
	}
	return asFault(s.caller, err)
}

func (s *faultStream) Close() error {
	defer s.cancel()
	return asFault(s.caller, s.ClientStream.Close())
}
