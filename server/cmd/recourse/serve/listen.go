package serve

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/recourse-dev/recourse/server/rpc"
)

// The bounds of one connection.
const (
	headerTimeout    = 10 * time.Second
	idleTimeout      = 2 * time.Minute
	maxHeaderBytes   = 64 << 10
	maxStreams       = 250 // at once, of one HTTP/2 connection
	pingAfter        = 30 * time.Second
	pingTimeout      = 15 * time.Second
	writeByteTimeout = 30 * time.Second
)

// listen takes the port first: that another server has it is known before a
// database is touched.
func (s *Server) listen(ctx context.Context) error {
	var lc net.ListenConfig
	listener, err := lc.Listen(ctx, "tcp", s.cfg.Listen)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", s.cfg.Listen, err)
	}
	s.listener = listener
	if s.cfg.TLSCert != "" {
		certificate, err := tls.LoadX509KeyPair(s.cfg.TLSCert, s.cfg.TLSKey)
		if err != nil {
			return fmt.Errorf("read the TLS certificate: %w", err)
		}
		s.listener = tls.NewListener(listener, &tls.Config{
			MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}, Certificates: []tls.Certificate{certificate},
		})
	}
	if s.cfg.MetricsListen == "" {
		return nil
	}
	if s.metrics, err = lc.Listen(ctx, "tcp", s.cfg.MetricsListen); err != nil {
		return fmt.Errorf("listen on %s: %w", s.cfg.MetricsListen, err)
	}
	return nil
}

// serve starts the background work and takes calls.
func (s *Server) serve(replace func(rpc.Handlers) rpc.Handlers) error {
	handlers, err := s.handlers()
	if err != nil {
		return err
	}
	if replace != nil {
		handlers = replace(handlers)
	}
	handler, err := s.newHandler(handlers)
	if err != nil {
		return err
	}
	s.run(s.listener, handler)
	if s.metrics != nil {
		mux := http.NewServeMux()
		mux.Handle("GET /metrics", s.telemetry.metrics)
		s.run(s.metrics, mux)
	}
	return nil
}

func (s *Server) run(listener net.Listener, handler http.Handler) {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(true)
	server := &http.Server{
		Handler: handler, Protocols: protocols,
		ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes,
		HTTP2: &http.HTTP2Config{
			MaxConcurrentStreams: maxStreams, SendPingTimeout: pingAfter, PingTimeout: pingTimeout, WriteByteTimeout: writeByteTimeout,
		},
		ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	s.servers = append(s.servers, server)
	s.work.Add(1)
	go func() {
		defer s.work.Done()
		if err := server.Serve(listener); err != nil && !errors.Is(err, http.ErrServerClosed) {
			s.ended <- err
		}
	}()
}

// hosts are the names that a request may call this server by.
func (s *Server) hosts() []string {
	host, _, err := net.SplitHostPort(s.cfg.Listen)
	if err != nil {
		host = ""
	}
	return append([]string{host}, s.cfg.AllowedHosts...)
}
