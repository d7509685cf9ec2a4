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
// is bounded by message.
func (e *Edge) limitBody(w http.ResponseWriter, r *http.Request) *fault.Error {
	if r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	if r.ContentLength > e.MaxBodyBytes+framingBytes {
		e.discard(w, r)
		return TooLarge(e.MaxBodyBytes)
	}
	if streamsRequest(r) {
		return nil
	}
	control := http.NewResponseController(w)
	// The server's own timeouts bound a connection that supports no deadline.
	_ = control.SetReadDeadline(e.Now().Add(e.ReadTimeout))
	r.Body = &timedBody{ReadCloser: http.MaxBytesReader(w, r.Body, e.MaxBodyBytes+framingBytes), control: control}
	return nil
}

// discard takes in some of a body that is refused, because a caller that is
// still writing when HTTP/1 closes may never see the answer. A caller that asked
// first has sent nothing.
func (e *Edge) discard(w http.ResponseWriter, r *http.Request) {
	const mostBytes, mostTime = 4 << 20, time.Second
	if r.ProtoMajor != 1 || r.Header.Get("Expect") != "" {
		return
	}
	_ = http.NewResponseController(w).SetReadDeadline(e.Now().Add(mostTime))
	_, _ = io.CopyN(io.Discard, r.Body, mostBytes) // whatever stops it, the answer is the same
}

// timedBody lifts the read deadline once the body is in: a call may then take
// its time, and a stream for ever.
type timedBody struct {
	io.ReadCloser
	control *http.ResponseController
	done    bool
}

func (b *timedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		b.lift()
	}
	return n, err
}

func (b *timedBody) Close() error {
	b.lift()
	return b.ReadCloser.Close()
}

func (b *timedBody) lift() {
	if !b.done {
		b.done = true
		_ = b.control.SetReadDeadline(time.Time{}) // as where it was set
	}
}

// MediaType returns the type of a Content-Type header without its parameters.
func MediaType(r *http.Request) string {
	mediaType, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return r.Header.Get("Content-Type")
	}
	return mediaType
}
