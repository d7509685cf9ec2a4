package gateway

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/server/interceptor"
	"github.com/recourse-dev/recourse/server/rpc/codec"
	"github.com/recourse-dev/recourse/server/rpc/rpcerror"
)

// sseSuffix ends the path of the events as an EventSource reads them:
// /v1/workspaces/{workspace}/events:stream. It is WatchEvents in another frame.
const sseSuffix = "/events:stream"

// sseWorkspace returns the workspace of an event source's path.
func sseWorkspace(path string) (workspaceID string, ok bool) {
	rest, ok := strings.CutPrefix(path, "/v1/workspaces/")
	if !ok {
		return "", false
	}
	workspaceID, ok = strings.CutSuffix(rest, sseSuffix)
	return workspaceID, ok && workspaceID != "" && !strings.Contains(workspaceID, "/")
}

// serveSSE streams events as server-sent events. A reader that reconnects says
// where it was by Last-Event-ID, as browsers do by themselves.
func (h *Handler) serveSSE(w http.ResponseWriter, r *http.Request, workspaceID string) {
	if r.Method != http.MethodGet {
		w.Header().Set("Allow", http.MethodGet)
		rpcerror.WriteREST(w, interceptor.MethodNotAllowed(r.Method))
		return
	}
	request, unknown := watchRequest(r, workspaceID)
	if unknown != "" {
		rpcerror.WriteREST(w, interceptor.UnknownField(unknown))
		return
	}
	stream, err := h.events.WatchEvents(r.Context(), request)
	if err == nil {
		// A stream that fails before its first message gets a status.
		_, err = stream.Header()
	}
	if err != nil {
		rpcerror.WriteREST(w, fromGateway(err))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	for {
		message, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			body, _ := json.Marshal(rpcerror.NewBody(fromGateway(err))) // plain strings always marshal
			writeSSE(w, "", "error", body)
			return
		}
		if !sendSSE(w, message) {
			return
		}
	}
}

func watchRequest(r *http.Request, workspaceID string) (request *recoursev1.WatchEventsRequest, unknown string) {
	request = &recoursev1.WatchEventsRequest{WorkspaceId: workspaceID, Cursor: r.Header.Get("Last-Event-ID")}
	for name, values := range r.URL.Query() {
		switch name {
		case "cursor":
			if request.Cursor == "" {
				request.Cursor = values[0]
			}
		case "types":
			request.Types = values
		default:
			return nil, name
		}
	}
	return request, ""
}

// sendSSE reports whether the reader is still there.
func sendSSE(w http.ResponseWriter, message *recoursev1.WatchEventsResponse) bool {
	if beat := message.GetHeartbeat(); beat != nil {
		data, err := codec.Marshal(beat)
		return err == nil && writeSSE(w, beat.GetCursor(), "heartbeat", data)
	}
	data, err := codec.Marshal(message.GetEvent())
	return err == nil && writeSSE(w, message.GetEvent().GetCursor(), message.GetEvent().GetType(), data)
}

// writeSSE writes one frame. data is compact JSON, so it has no line break.
func writeSSE(w http.ResponseWriter, id, event string, data []byte) bool {
	var frame bytes.Buffer
	if id != "" {
		frame.WriteString("id: " + id + "\n")
	}
	frame.WriteString("event: " + event + "\ndata: ")
	frame.Write(data)
	frame.WriteString("\n\n")
	if _, err := w.Write(frame.Bytes()); err != nil {
		return false
	}
	return http.NewResponseController(w).Flush() == nil
}
