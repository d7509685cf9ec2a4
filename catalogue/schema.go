package catalogue

import (
	"encoding/json"
	"fmt"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/recourse-dev/recourse/core/classification"
	cataloguev1 "github.com/recourse-dev/recourse/gen/go/recourse/catalogue/v1"
)

// Schema is the JSON Schema of a rule file, for editors. It is made from the
// proto that the loader reads with, so the two cannot differ.
func Schema() ([]byte, error) {
	defs := map[string]any{}
	file := (&cataloguev1.File{}).ProtoReflect().Descriptor()
	define(defs, file)
	out, err := json.MarshalIndent(map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"title":   "Recourse failure catalogue",
		"$ref":    "#/$defs/" + string(file.Name()),
		"$defs":   defs,
	}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("catalogue: schema: %w", err)
	}
	return append(out, '\n'), nil
}

// define adds a message and the messages that it holds.
func define(defs map[string]any, m protoreflect.MessageDescriptor) {
	name := string(m.Name())
	if _, done := defs[name]; done {
		return
	}
	properties := map[string]any{}
	defs[name] = map[string]any{"type": "object", "additionalProperties": false, "properties": properties}
	for i := range m.Fields().Len() {
		f := m.Fields().Get(i)
		properties[string(f.Name())] = property(defs, m, f)
	}
}

func property(defs map[string]any, m protoreflect.MessageDescriptor, f protoreflect.FieldDescriptor) any {
	switch {
	case f.IsMap():
		return map[string]any{"type": "object", "additionalProperties": map[string]any{"type": "string"}}
	case f.IsList():
		return map[string]any{"type": "array", "items": single(defs, m, f)}
	}
	return single(defs, m, f)
}

func single(defs map[string]any, m protoreflect.MessageDescriptor, f protoreflect.FieldDescriptor) any {
	switch f.Kind() {
	case protoreflect.MessageKind:
		define(defs, f.Message())
		return map[string]any{"$ref": "#/$defs/" + string(f.Message().Name())}
	case protoreflect.BoolKind:
		return map[string]any{"type": "boolean"}
	case protoreflect.Int32Kind:
		return map[string]any{"type": "integer"}
	}
	if allowed := allowedValues()[string(m.Name())+"."+string(f.Name())]; allowed != nil {
		return map[string]any{"enum": allowed}
	}
	return map[string]any{"type": "string"}
}

// allowedValues are the closed sets, by message and field.
func allowedValues() map[string][]string {
	var codes []string
	for _, info := range classification.Codes() {
		codes = append(codes, string(info.Code))
	}
	channels := texts(kinds)
	return map[string][]string{
		"Rule.code":       codes,
		"Fixture.code":    codes,
		"Rule.effect":     texts(effects[1:]),
		"Rule.confidence": {string(classification.High), string(classification.Medium)},
		"Rule.throttle":   {string(classification.ThrottleShort), string(classification.ThrottleLong), string(classification.ThrottleUnknown)},
		"Rule.scope":      texts(scopes),
		"Rule.clears":     channels,
		"When.channels":   channels,
	}
}

func texts[T ~string](values []T) (out []string) {
	for _, v := range values {
		out = append(out, string(v))
	}
	return out
}
