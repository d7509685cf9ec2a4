package gateway

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/recourse-dev/recourse/server/rpc/codec"
	"github.com/recourse-dev/recourse/server/rpc/rpcerror"
)

// marshaler reads and writes the API's one JSON form.
type marshaler struct{}

var (
	_ runtime.Marshaler         = marshaler{}
	_ runtime.StreamContentType = marshaler{}
)

// ContentType implements runtime.Marshaler.
func (marshaler) ContentType(any) string { return "application/json" }

// StreamContentType implements runtime.StreamContentType.
func (marshaler) StreamContentType(any) string { return "application/x-ndjson" }

// Marshal implements runtime.Marshaler. The gateway wraps the messages of a
// stream in a map: {"result": message}, and at a failed end {"error": status},
// which becomes the body of any other REST error.
func (m marshaler) Marshal(v any) ([]byte, error) {
	switch v := v.(type) {
	case proto.Message:
		return codec.Marshal(v)
	case map[string]proto.Message:
		if failure, ok := v["error"].(*status.Status); ok {
			return json.Marshal(rpcerror.NewBody(fromStatusProto(failure)))
		}
	case map[string]any:
		if message, ok := v["result"].(proto.Message); ok && len(v) == 1 {
			text, err := codec.Marshal(message)
			if err != nil {
				return nil, err
			}
			return append(append([]byte(`{"result":`), text...), '}'), nil
		}
	}
	return json.Marshal(v)
}

// Unmarshal implements runtime.Marshaler.
func (marshaler) Unmarshal(data []byte, v any) error {
	message, ok := v.(proto.Message)
	if !ok {
		return fmt.Errorf("gateway: %T is no protobuf message", v)
	}
	return codec.Unmarshal(data, message)
}

// NewDecoder implements runtime.Marshaler. A body without a byte is an empty request.
func (m marshaler) NewDecoder(r io.Reader) runtime.Decoder {
	return runtime.DecoderFunc(func(v any) error {
		data, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		if len(bytes.TrimSpace(data)) == 0 {
			return io.EOF
		}
		if err := m.Unmarshal(data, v); err != nil {
			return errors.New(decodeMark + err.Error())
		}
		return nil
	})
}

// NewEncoder implements runtime.Marshaler.
func (m marshaler) NewEncoder(w io.Writer) runtime.Encoder {
	return runtime.EncoderFunc(func(v any) error {
		text, err := m.Marshal(v)
		if err != nil {
			return err
		}
		_, err = w.Write(text)
		return err
	})
}
