package wire

import (
	"bytes"
	"encoding/json"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// JSON is the compact proto JSON of a message: the same bytes for the same message.
func JSON(m proto.Message) ([]byte, error) {
	return compact(protojson.MarshalOptions{}, m)
}

// FullJSON is the same with every scalar field, as REST answers have it, so
// that a script finds the keys that it asks for.
func FullJSON(m proto.Message) ([]byte, error) {
	return compact(protojson.MarshalOptions{EmitDefaultValues: true}, m)
}

func compact(o protojson.MarshalOptions, m proto.Message) ([]byte, error) {
	text, err := o.Marshal(m)
	if err != nil {
		return nil, err
	}
	// protojson varies its spaces on purpose; a caller that compares must not see that.
	var out bytes.Buffer
	if err := json.Compact(&out, text); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Parse reads proto JSON; fields of a newer version are skipped.
func Parse(text []byte, m proto.Message) error {
	return protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(text, m)
}
