package fleet

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"strings"
	"sync/atomic"
	"testing"
)

// gate gives each call to the next server that can be reached, as a load
// balancer does. A call whose server dies has no answer.
type gate struct {
	servers []string // host:port
	turn    atomic.Uint64
	way     *http.Transport
}

func startGate(t *testing.T, servers []string) (url string) {
	t.Helper()
	g := &gate{servers: servers, way: &http.Transport{MaxIdleConnsPerHost: 32}}
	proxy := &httputil.ReverseProxy{
		Rewrite:      func(r *httputil.ProxyRequest) { r.Out.URL.Scheme = "http" },
		Transport:    g,
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	server := httptest.NewServer(proxy)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
		g.way.CloseIdleConnections()
	})
	return server.URL
}

// RoundTrip implements http.RoundTripper.
func (g *gate) RoundTrip(r *http.Request) (answer *http.Response, err error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	first := g.turn.Add(1)
	for i := range uint64(len(g.servers)) {
		out := r.Clone(r.Context())
		out.URL.Host = g.servers[(first+i)%uint64(len(g.servers))]
		out.Host = out.URL.Host
		out.Body, out.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		answer, err = g.way.RoundTrip(out)
		if err == nil || !strings.Contains(err.Error(), "connection refused") {
			break // it may have been heard
		}
	}
	return answer, err
}
