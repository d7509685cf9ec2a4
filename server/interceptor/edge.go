package interceptor

import (
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/server/rpc/rpcerror"
)

// serverTimeLayout is RFC 3339 in UTC with milliseconds.
const serverTimeLayout = "2006-01-02T15:04:05.000Z07:00"

// Edge is the outermost handler of the HTTP server.
type Edge struct {
	Hosts *Hosts
	Log   *slog.Logger
	Now   func() time.Time
	// MaxBodyBytes is the longest request body.
	MaxBodyBytes int64
	// ReadTimeout is how long a body may take to arrive.
	ReadTimeout time.Duration
	// WriteTimeout is how long one write may take: a reader that has stopped
	// reading is let go. HTTP/2 has its own.
	WriteTimeout time.Duration
}

// Wrap puts next behind the edge: request id, server time, Host check, limits
// of the body, and a last net for panics.
func (e *Edge) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		request := newRequest(r)
		r = r.WithContext(WithRequest(r.Context(), request))
		answer := &answerWriter{ResponseWriter: w, now: e.Now}
		if r.ProtoMajor == 1 {
			answer.writeTimeout = e.WriteTimeout
		}
		answer.Header().Set("X-Request-Id", request.ID)
		defer e.recoverPanic(answer, r)
		if f := e.Hosts.check(r); f != nil {
			rpcerror.Write(answer, r, f)
			return
		}
		body, f := e.limitBody(answer, r)
		if f != nil {
			rpcerror.Write(answer, r, f)
		} else {
			next.ServeHTTP(answer, r)
		}
		body.linger(e.Now())
	})
}

// recoverPanic answers for a panic outside of the chain. After the first byte
// nothing can be said, so the connection is cut: a cut answer is never taken for a whole one.
func (e *Edge) recoverPanic(w *answerWriter, r *http.Request) {
	value := recover()
	if value == nil {
		return
	}
	if err, ok := value.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(value)
	}
	e.Log.ErrorContext(r.Context(), "panic", "value", value, "stack", string(debug.Stack()))
	if w.wrote {
		panic(http.ErrAbortHandler)
	}
	rpcerror.Write(w, r, fault.New(fault.Internal, fault.ReasonInternal, "internal error"))
}

// answerWriter stamps the server's time on an answer when it starts, not when
// its request came: a call may have waited for half a minute.
type answerWriter struct {
	http.ResponseWriter
	now          func() time.Time
	writeTimeout time.Duration // 0 is none
	wrote        bool
}

func (w *answerWriter) start() {
	if w.writeTimeout > 0 {
		_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(w.now().Add(w.writeTimeout)) // a writer without one blocks for itself
	}
	if w.wrote {
		return
	}
	w.wrote = true
	w.Header().Set("X-Server-Time", w.now().UTC().Format(serverTimeLayout))
}

// WriteHeader implements http.ResponseWriter.
func (w *answerWriter) WriteHeader(status int) {
	w.start()
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *answerWriter) Write(data []byte) (int, error) {
	w.start()
	return w.ResponseWriter.Write(data)
}

// Flush implements http.Flusher, which streams rely on.
func (w *answerWriter) Flush() {
	w.start()
	_ = http.NewResponseController(w.ResponseWriter).Flush() // a writer that cannot flush sends at its end
}

// Unwrap gives http.ResponseController the connection.
func (w *answerWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
