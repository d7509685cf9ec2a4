package rpcerror

import (
	"bytes"
	"encoding/json"
	"math"
	"net/http"
	"strconv"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/anypb"

	"github.com/recourse-dev/recourse/core/fault"
)

// Body is the JSON body of every REST error.
type Body struct {
	Error   string            `json:"error"`   // one sentence for a person
	Code    string            `json:"code"`    // the name of google.rpc.Code, as "NOT_FOUND"
	Reason  string            `json:"reason"`  // recourse.v1.ErrorReason without its prefix
	Details []json.RawMessage `json:"details"` // google.rpc messages, each with its "@type"
}

// NewBody describes a fault to a REST caller.
func NewBody(f *fault.Error) Body {
	f = Public(f)
	body := Body{Error: f.Message, Code: CodeName(Code(f.Kind)), Reason: string(f.Reason), Details: []json.RawMessage{}}
	for _, message := range Details(f) {
		detail, err := anypb.New(message)
		if err != nil {
			continue // plain messages always marshal
		}
		text, err := protojson.Marshal(detail)
		if err != nil {
			continue
		}
		// protojson puts spaces in at random; the same error has the same bytes.
		var compact bytes.Buffer
		if json.Compact(&compact, text) == nil {
			body.Details = append(body.Details, compact.Bytes())
		}
	}
	return body
}

// WriteREST answers a REST call with a fault.
func WriteREST(w http.ResponseWriter, f *fault.Error) {
	header := w.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Cache-Control", "no-store")
	header.Del("Content-Length")
	header.Del("Transfer-Encoding")
	header.Del("Trailer")
	if f.RetryAfter > 0 {
		header.Set("Retry-After", strconv.Itoa(int(math.Ceil(f.RetryAfter.Seconds()))))
	}
	if f.Kind == fault.Unauthenticated {
		header.Set("WWW-Authenticate", `Bearer realm="recourse"`)
	}
	w.WriteHeader(Status(f))
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(NewBody(f)) // the caller may be gone; nothing is left to tell it
}
