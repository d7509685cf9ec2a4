package interceptor

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"time"

	"github.com/recourse-dev/recourse/core/fault"
)

// framingBytes are added to the limit of a body that frames its message.
const framingBytes = 64

// TooLarge is the fault of a body over the limit.
func TooLarge(limit int64) *fault.Error {
	return fault.New(fault.ResourceExhausted, fault.ReasonBodyTooLarge, "the body is larger than %d bytes", limit).
		With("limit_bytes", strconv.FormatInt(limit, 10))
}

// UnsupportedMediaType is the fault of a content type that is not understood.
func UnsupportedMediaType(contentType, accepted string) *fault.Error {
	return fault.New(fault.InvalidArgument, fault.ReasonUnsupportedMediaType,
		"content type %q is not understood; send %s", printable(contentType), accepted).With("content_type", printable(contentType))
}

// limitBody refuses a body that says that it is too large, and bounds the rest
// in size and in time. Reflection is the only call that streams its request; it
// is bounded by message. The returned body is nil where there is nothing to bound.
func (e *Edge) limitBody(w http.ResponseWriter, r *http.Request) (*boundedBody, *fault.Error) {
	if r.Body == nil || r.Body == http.NoBody || streamsRequest(r) {
		return nil, nil
	}
	body := &boundedBody{raw: r.Body, control: http.NewResponseController(w), lingers: r.ProtoMajor == 1}
	// The server's own timeouts bound a connection that supports no deadline.
	_ = body.control.SetReadDeadline(e.Now().Add(e.ReadTimeout))
	if r.ContentLength > e.MaxBodyBytes+framingBytes {
		w.Header().Set("Connection", "close")
		body.lingers = body.lingers && r.Header.Get("Expect") == "" // one that asks first has sent nothing
		body.exceed()
		return body, TooLarge(e.MaxBodyBytes)
	}
	body.limited = http.MaxBytesReader(w, r.Body, e.MaxBodyBytes+framingBytes)
	r.Body = body
	return body, nil
}

// boundedBody ends at the limit. It lifts the read deadline once the body is
// in: a call may then take its time, and a stream for ever.
type boundedBody struct {
	raw, limited io.ReadCloser
	control      *http.ResponseController
	lingers      bool // on HTTP/1, whose caller is still sending
	done         bool
	exceeded     bool
}

// Read implements io.Reader.
func (b *boundedBody) Read(p []byte) (int, error) {
	n, err := b.limited.Read(p)
	var tooLarge *http.MaxBytesError
	switch {
	case errors.Is(err, io.EOF):
		b.lift()
	case errors.As(err, &tooLarge):
		b.exceed()
	}
	return n, err
}

// Close implements io.Closer.
func (b *boundedBody) Close() error {
	b.lift()
	return b.limited.Close()
}

func (b *boundedBody) lift() {
	if !b.done {
		b.done = true
		_ = b.control.SetReadDeadline(time.Time{}) // as where it was set
	}
}

// exceed lets the answer leave while the caller still sends.
func (b *boundedBody) exceed() {
	b.exceeded = true
	if b.lingers {
		_ = b.control.EnableFullDuplex() // without it the answer only comes later
	}
}

// linger takes in what is left of a body that was refused, after the answer has
// left: a caller that is still sending when the connection closes may never see it.
func (b *boundedBody) linger(now time.Time) {
	const mostBytes, mostTime = 128 << 20, 5 * time.Second
	if b == nil || !b.exceeded || !b.lingers {
		return
	}
	_ = b.control.Flush()
	_ = b.control.SetReadDeadline(now.Add(mostTime))
	_, _ = io.CopyN(io.Discard, b.raw, mostBytes) // whatever stops it, the answer has been given
}

// MediaType returns the type of a Content-Type header without its parameters.
func MediaType(r *http.Request) string {
	mediaType, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return r.Header.Get("Content-Type")
	}
	return mediaType
}
