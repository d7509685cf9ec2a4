package rpc

import (
	"encoding/json"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/recourse-dev/recourse/core/work"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
)

func eventToWire(e work.Event, cursor string) *recoursev1.Event {
	return &recoursev1.Event{
		Cursor:     cursor,
		EventId:    e.ID,
		Type:       e.Type,
		OccurredAt: timestamp(e.OccurredAt),
		Payload:    payloadToWire(e.Payload),
	}
}

// payloadToWire sends a payload of JSON values; what is none comes out as JSON
// would have it.
func payloadToWire(payload map[string]any) *structpb.Struct {
	if out, err := structpb.NewStruct(payload); err == nil {
		return out
	}
	text, err := json.Marshal(payload)
	if err != nil {
		return &structpb.Struct{}
	}
	out := &structpb.Struct{}
	if err := out.UnmarshalJSON(text); err != nil {
		return &structpb.Struct{}
	}
	return out
}

func watchedToWire(w work.Watched) *recoursev1.WatchEventsResponse {
	if w.Event != nil {
		return &recoursev1.WatchEventsResponse{Message: &recoursev1.WatchEventsResponse_Event{Event: eventToWire(*w.Event, w.Cursor)}}
	}
	return &recoursev1.WatchEventsResponse{Message: &recoursev1.WatchEventsResponse_Heartbeat{
		Heartbeat: &recoursev1.Heartbeat{ServerTime: timestamp(w.ServerTime), Cursor: w.Cursor},
	}}
}

// listToDomain reads a filter; values that the table does not have are dropped.
func listToDomain[W ~int32, D ~string](t table[W, D], values []W) []D {
	var out []D
	for _, value := range values {
		if word, ok := t.domain[value]; ok {
			out = append(out, word)
		}
	}
	return out
}
