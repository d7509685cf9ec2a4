package interceptor

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/fault"
)

func TestHosts(t *testing.T) {
	t.Parallel()
	hosts := NewHosts("", "Recourse.Example", "10.1.1.1")
	local := &net.TCPAddr{IP: net.ParseIP("192.0.2.7"), Port: 8080}
	for host, allowed := range map[string]bool{
		"localhost": true, "localhost:8080": true, "LOCALHOST.": true, "127.0.0.1:1": true, "127.9.9.9": true, "[::1]:8080": true, "[::1]": true,
		"recourse.example": true, "recourse.example:443": true, "10.1.1.1": true, "192.0.2.7:8080": true,
		"192.0.2.8": false, "evil.example": false, "localhost.evil.example": false, "": false, "127.0.0.1.evil.example": false,
		"recourse.example.evil": false, "xn--localhost": false, "[fe80::1]": false, "localhost@evil": false,
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Host = host
		r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, net.Addr(local)))
		require.Equal(t, allowed, hosts.check(r) == nil, host)
	}
}

func TestCrossOrigin(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		method, origin, site string
		tls                  bool
		own                  bool
	}{
		"own page":                   {"POST", "http://host:1", "", false, true},
		"own page over TLS":          {"POST", "https://host:1", "", true, true},
		"another scheme":             {"POST", "https://host:1", "", false, false},
		"a stripped scheme":          {"POST", "http://host:1", "", true, false},
		"another port":               {"POST", "http://host:2", "", false, false},
		"another host":               {"GET", "http://evil", "", false, false},
		"the origin null":            {"GET", "null", "", false, false},
		"an origin of nonsense":      {"GET", "http://%zz", "", false, false},
		"a GET that says nothing":    {"GET", "", "", false, true},
		"a POST that says nothing":   {"POST", "", "", false, false},
		"a browser's own page":       {"POST", "", "same-origin", false, true},
		"typed by a person":          {"GET", "", "none", false, true},
		"from another site":          {"GET", "", "cross-site", false, false},
		"from the same site":         {"GET", "", "same-site", false, false},
		"an origin wins over a site": {"GET", "http://evil", "same-origin", false, false},
	} {
		r := httptest.NewRequest(c.method, "/", nil)
		r.Host = "host:1"
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		if c.site != "" {
			r.Header.Set("Sec-Fetch-Site", c.site)
		}
		if c.tls {
			r.TLS = &tls.ConnectionState{}
		}
		require.Equal(t, c.own, crossOrigin(r) == "", name)
	}
}

func newEdge(now func() time.Time, log *bytes.Buffer) *Edge {
	return &Edge{Hosts: NewHosts("example.com"), Log: slog.New(slog.NewTextHandler(log, nil)), Now: now, MaxBodyBytes: 100, ReadTimeout: time.Second}
}

func TestServerTimeIsThatOfTheAnswer(t *testing.T) {
	t.Parallel()
	c := newClock()
	recorder := httptest.NewRecorder()
	newEdge(c.read, &bytes.Buffer{}).Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		c.now = c.now.Add(25 * time.Second)
		w.WriteHeader(http.StatusTeapot)
		c.now = c.now.Add(time.Hour)
		_, _ = w.Write([]byte("late"))
	})).ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, "/", nil))
	got, err := time.Parse(time.RFC3339, recorder.Header().Get("X-Server-Time"))
	require.NoError(t, err)
	require.Equal(t, int64(1_700_000_025), got.Unix())
}

func TestAPanicBeforeTheFirstByteIsAnswered(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	recorder := httptest.NewRecorder()
	newEdge(time.Now, &log).Wrap(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		panic("the cause")
	})).ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, "/v1/x", nil))
	require.Equal(t, http.StatusInternalServerError, recorder.Code)
	require.Contains(t, recorder.Body.String(), `"reason":"INTERNAL"`)
	require.NotContains(t, recorder.Body.String(), "the cause")
	require.Contains(t, log.String(), "the cause")
}

func TestAPanicAfterTheFirstByteCutsTheAnswer(t *testing.T) {
	t.Parallel()
	handler := newEdge(time.Now, &bytes.Buffer{}).Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("half"))
		panic("the cause")
	}))
	defer func() {
		err, _ := recover().(error)
		require.ErrorIs(t, err, http.ErrAbortHandler)
	}()
	handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/v1/x", nil))
	t.Error("the answer looks whole")
}

func TestABodyIsCutAtTheLimit(t *testing.T) {
	t.Parallel()
	for size, whole := range map[int]bool{0: true, 100: true, 100 + framingBytes: true, 101 + framingBytes: false, 5000: false} {
		read := -1
		r := httptest.NewRequest(http.MethodPost, "/v1/x", http.NoBody)
		r.Body, r.ContentLength = &endless{left: size}, -1
		newEdge(time.Now, &bytes.Buffer{}).Wrap(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			var got bytes.Buffer
			_, err := got.ReadFrom(r.Body)
			if err == nil {
				read = got.Len()
			}
		})).ServeHTTP(httptest.NewRecorder(), r)
		if whole {
			require.Equal(t, size, read)
		} else {
			require.Equal(t, -1, read, size)
		}
	}
}

type endless struct{ left int }

func (e *endless) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n := min(len(p), e.left)
	e.left -= n
	return n, nil
}

func (*endless) Close() error { return nil }

func TestMalformedNamesTheFieldAndBoundsTheText(t *testing.T) {
	t.Parallel()
	f := Malformed("proto:\u00a0(line 1:2): unknown field \"agentKin\"")
	require.Equal(t, fault.ReasonUnknownField, f.Reason)
	require.Equal(t, "agentKin", f.Metadata["field"])
	f = Malformed("proto:\u00a0syntax error (line 1:1): " + strings.Repeat("é", 500) + "\x00\n")
	require.Equal(t, fault.ReasonMalformedBody, f.Reason)
	require.True(t, strings.HasPrefix(f.Message, "the body cannot be read: syntax error"), f.Message)
	require.Less(t, len(f.Message), 260)
	require.NotContains(t, f.Message, "\x00")
}

func TestADrainEndsThoseWhoWaitWithAReason(t *testing.T) {
	t.Parallel()
	d := NewDrain()
	started := make(chan struct{})
	result := make(chan error, 1)
	go func() {
		result <- d.guard(t.Context(), func(ctx context.Context) error {
			close(started)
			<-ctx.Done()
			return ctx.Err()
		})
	}()
	<-started
	d.Begin()
	d.Begin()
	require.True(t, fault.Is(<-result, fault.ReasonShuttingDown))
	own := errors.New("own")
	require.ErrorIs(t, NewDrain().guard(t.Context(), func(context.Context) error { return own }), own)
	require.NoError(t, NewDrain().guard(t.Context(), func(context.Context) error { return nil }))
}

func TestACallerThatLeavesIsNoShutdown(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	err := NewDrain().guard(ctx, func(ctx context.Context) error {
		cancel()
		<-ctx.Done()
		return ctx.Err()
	})
	require.ErrorIs(t, err, context.Canceled)
	require.False(t, fault.Is(err, fault.ReasonShuttingDown))
}

// A stream whose reader has stopped reading must not hold its handler for ever.
func TestAReaderThatStopsReadingIsLetGo(t *testing.T) {
	t.Parallel()
	edge := newEdge(time.Now, &bytes.Buffer{})
	edge.WriteTimeout = 50 * time.Millisecond
	ended := make(chan error, 1)
	server := httptest.NewServer(edge.Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		chunk := bytes.Repeat([]byte("x"), 1<<20)
		for {
			if _, err := w.Write(chunk); err != nil {
				ended <- err
				return
			}
		}
	})))
	t.Cleanup(server.Close)
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	_, err = conn.Write([]byte("GET /v1/x HTTP/1.1\r\nHost: localhost\r\n\r\n"))
	require.NoError(t, err)
	require.ErrorIs(t, <-ended, os.ErrDeadlineExceeded)
}
