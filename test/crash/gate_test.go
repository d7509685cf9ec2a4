package crash

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// gate stands between workers and servers. It calls the first server that can
// be reached, and can strike at one call: before it reaches the server, or
// when all of the answer is there and none of it is passed on.
type gate struct {
	url     string
	servers []string // host:port
	way     *http.Transport
	mu      sync.Mutex
	strikes map[string]*strike // by the wakeup that the worker names
}

type strike struct {
	call    string // method of the service
	instant string // before, after
	hit     func()
}

// wakeupHeader says for which wakeup a worker calls.
const wakeupHeader = "X-Test-Wakeup"

func startGate(t *testing.T, servers []string) *gate {
	t.Helper()
	g := &gate{servers: servers, way: &http.Transport{MaxIdleConnsPerHost: 16}, strikes: map[string]*strike{}}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	g.url = "http://" + listener.Addr().String()
	server := &http.Server{Handler: g, ReadHeaderTimeout: time.Minute}
	done := make(chan struct{})
	go func() { _ = server.Serve(listener); close(done) }()
	t.Cleanup(func() { _ = server.Close(); <-done; g.way.CloseIdleConnections() })
	return g
}

func (g *gate) arm(wakeupID string, s *strike) {
	g.mu.Lock()
	g.strikes[wakeupID] = s
	g.mu.Unlock()
}

// struck takes the strike that waits for this call.
func (g *gate) struck(r *http.Request, instant string) *strike {
	g.mu.Lock()
	defer g.mu.Unlock()
	id := r.Header.Get(wakeupHeader)
	s := g.strikes[id]
	if s == nil || s.instant != instant || !strings.HasSuffix(r.URL.Path, "/"+s.call) {
		return nil
	}
	delete(g.strikes, id)
	return s
}

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if s := g.struck(r, "before"); s != nil {
		s.hit()
		panic(http.ErrAbortHandler)
	}
	if s := g.struck(r, "around"); s != nil {
		s.hit() // arms something behind the server
	}
	answer, content := g.pass(r, body)
	if s := g.struck(r, "after"); s != nil {
		s.hit()
		panic(http.ErrAbortHandler)
	}
	for name, values := range answer.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(answer.StatusCode)
	_, _ = w.Write(content)
}

// pass aborts where nobody knows whether a server did what was asked.
func (g *gate) pass(r *http.Request, body []byte) (*http.Response, []byte) {
	for _, server := range g.servers {
		out, err := http.NewRequestWithContext(r.Context(), r.Method, "http://"+server+r.URL.Path, bytes.NewReader(body))
		if err != nil {
			break
		}
		out.Header = r.Header.Clone()
		answer, err := g.way.RoundTrip(out)
		if err != nil && refused(err) {
			continue // it was not even reached
		}
		if err != nil {
			break
		}
		content, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if err != nil {
			break
		}
		return answer, content
	}
	panic(http.ErrAbortHandler)
}

func refused(err error) bool { return strings.Contains(err.Error(), "connection refused") }
