package run

import (
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

// detour is a way to the server on which one method does not arrive until the
// detour is opened.
type detour struct {
	url    string
	opened chan struct{}
	once   sync.Once
}

func (d *detour) open() { d.once.Do(func() { close(d.opened) }) }

func newDetour(t *testing.T, server, method string) *detour {
	t.Helper()
	target, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	d := &detour{url: "http://" + listener.Addr().String(), opened: make(chan struct{})}
	transport := &http.Transport{}
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.Transport = transport
	front := &http.Server{ReadHeaderTimeout: time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/"+method) {
			select {
			case <-d.opened:
			case <-time.After(time.Second): // as a way that drops everything: the caller hears nothing of use
				_, _ = io.Copy(io.Discard, r.Body)
				w.WriteHeader(http.StatusBadGateway)
				return
			}
		}
		proxy.ServeHTTP(w, r)
	})}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = front.Serve(listener)
	}()
	t.Cleanup(func() {
		d.open()
		_ = front.Close()
		<-done
		transport.CloseIdleConnections()
	})
	return d
}
