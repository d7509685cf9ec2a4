// Package codec is the one JSON form of the API, for Connect and for REST:
// lowerCamelCase, compact, with fields at their zero value, without unknown fields.
package codec

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"connectrpc.com/connect/v2"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// marshal shows scalars, enums and lists that are zero, so that a reader finds
// the same keys every time. A message that is absent stays absent: a due_at
// that is not there is not the year 1970.
var marshal = protojson.MarshalOptions{EmitDefaultValues: true}

// unmarshal refuses unknown fields: a misspelt field must not be ignored.
var unmarshal = protojson.UnmarshalOptions{}

// Marshal returns the compact JSON of a message. protojson alone puts spaces
// in at random, so that equal messages would have different bytes.
func Marshal(message proto.Message) ([]byte, error) {
	text, err := marshal.Marshal(message)
	if err != nil {
		return nil, err
	}
	var compact bytes.Buffer
	compact.Grow(len(text))
	if err := json.Compact(&compact, text); err != nil {
		return nil, err
	}
	return compact.Bytes(), nil
}

// Unmarshal reads one JSON document into a message.
func Unmarshal(text []byte, message proto.Message) error {
	return unmarshal.Unmarshal(text, message)
}

// JSON is the codec of Connect's JSON content types.
type JSON struct{}

var _ connect.StableCodec = JSON{}

// Name implements connect.Codec.
func (JSON) Name() string { return connect.CodecNameJSON }

// IsBinary implements connect.StableCodec.
func (JSON) IsBinary() bool { return false }

// MarshalWrite implements connect.Codec.
func (JSON) MarshalWrite(_ context.Context, dst io.Writer, msg any) error {
	message, ok := msg.(proto.Message)
	if !ok {
		return fmt.Errorf("codec: %T is no protobuf message", msg)
	}
	text, err := Marshal(message)
	if err != nil {
		return err
	}
	_, err = dst.Write(text)
	return err
}

// MarshalWriteStable implements connect.StableCodec.
func (c JSON) MarshalWriteStable(ctx context.Context, dst io.Writer, msg any) error {
	return c.MarshalWrite(ctx, dst, msg)
}

// UnmarshalRead implements connect.Codec. Size is the transport's to bound.
func (JSON) UnmarshalRead(_ context.Context, src io.Reader, msg any) error {
	message, ok := msg.(proto.Message)
	if !ok {
		return fmt.Errorf("codec: %T is no protobuf message", msg)
	}
	text, err := io.ReadAll(src)
	if err != nil {
		return err
	}
	if len(text) == 0 {
		return fmt.Errorf("the body is empty; send {} for a request without fields")
	}
	return Unmarshal(text, message)
}
