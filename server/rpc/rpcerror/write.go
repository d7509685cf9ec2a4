package rpcerror

import (
	"encoding/json"
	"net/http"
	"strings"

	"connectrpc.com/connect/v2/connecthttp"

	"github.com/recourse-dev/recourse/core/fault"
)

var writer = connecthttp.NewErrorWriter()

// Write answers a request that never reached a handler, in the shape that its
// protocol expects.
func Write(w http.ResponseWriter, r *http.Request, f *fault.Error) {
	if !IsProcedure(r.URL.Path) {
		WriteREST(w, f)
		return
	}
	if !IsRPC(r) {
		writeUnknownProtocol(w, f)
		return
	}
	_ = writer.Write(w, r, Connect(f)) // the caller may be gone; nothing is left to tell it
}

// IsRPC reports whether a request speaks gRPC, gRPC-Web or Connect.
func IsRPC(r *http.Request) bool { return writer.IsSupported(r) }

// IsProcedure reports whether path is an RPC's, as "/recourse.v1.Service/Method".
func IsProcedure(path string) bool {
	service, method, ok := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return ok && strings.Contains(service, ".") && method != "" && !strings.Contains(method, "/")
}

// writeUnknownProtocol answers on an RPC's path to a request of no known
// protocol: Connect's JSON, with the status that REST would give.
func writeUnknownProtocol(w http.ResponseWriter, f *fault.Error) {
	err := Connect(f)
	type detail struct {
		Type  string `json:"type"`
		Value []byte `json:"value"`
	}
	body := struct {
		Code    string   `json:"code"`
		Message string   `json:"message"`
		Details []detail `json:"details"`
	}{Code: err.Code().String(), Message: err.Message()}
	for _, d := range err.Details() {
		body.Details = append(body.Details, detail{Type: d.Type, Value: d.Value})
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(Status(f))
	_ = json.NewEncoder(w).Encode(body) // as above
}
