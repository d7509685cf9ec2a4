// Package serve wires one server together: database, services, protocols,
// background work and its orderly end.
package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/recourse-dev/recourse/catalogue"
	"github.com/recourse-dev/recourse/server/config"
	"github.com/recourse-dev/recourse/server/interceptor"
	"github.com/recourse-dev/recourse/server/rpc"
	"github.com/recourse-dev/recourse/server/service/account"
)

// Options are what a server needs besides its settings.
type Options struct {
	Version string
	Log     *slog.Logger
	// Out gets the lines for a person: where it serves, and on which data.
	Out io.Writer
	// Terminal says that Out is a person's terminal: only there a login link is shown.
	Terminal bool
	// Handlers replaces handlers before they are registered; for tests that
	// need one to fail. nil changes nothing.
	Handlers func(rpc.Handlers) rpc.Handlers
}

// Server is one running server.
type Server struct {
	cfg       config.Config
	log       *slog.Logger
	version   string
	rules     *catalogue.Catalogue
	db        *database
	accounts  *account.Service
	limiter   *interceptor.Limiter
	drain     *interceptor.Drain
	telemetry *telemetry
	listener  net.Listener
	metrics   net.Listener // nil unless /metrics has its own
	servers   []*http.Server
	ended     chan error // one error of each server that ended by itself
	stopWork  context.CancelFunc
	work      sync.WaitGroup

	// FirstToken is the secret of the token that this start made; "" if none.
	FirstToken string
}

// Start serves until Stop. It returns once calls are taken.
func Start(ctx context.Context, cfg config.Config, opts Options) (_ *Server, err error) {
	s := &Server{
		cfg: cfg, log: opts.Log, version: opts.Version, ended: make(chan error, 2), stopWork: func() {},
		limiter: interceptor.NewLimiter(cfg.RatePerSecond, cfg.RateBurst, cfg.StreamsPerToken, time.Now),
		drain:   interceptor.NewDrain(),
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.release())
		}
	}()
	// Before anything is touched: an operator mends rules, and starts again.
	if s.rules, err = catalogue.Overlaid(cfg.CatalogueOverlay...); err != nil {
		return nil, fmt.Errorf("catalogue-overlay: %w", err)
	}
	if err := os.MkdirAll(cfg.Data, 0o700); err != nil {
		return nil, fmt.Errorf("make the data folder: %w", err)
	}
	if err := s.listen(ctx); err != nil {
		return nil, err
	}
	if s.telemetry, err = newTelemetry(); err != nil {
		return nil, err
	}
	if s.db, err = openDatabase(ctx, cfg, opts.Log); err != nil {
		return nil, err
	}
	s.accounts = account.New(s.db.store, newID)
	if s.FirstToken, err = bootstrap(ctx, s.accounts, cfg.Data); err != nil {
		return nil, err
	}
	if err := s.serve(opts.Handlers); err != nil {
		return nil, err
	}
	s.announce(ctx, opts)
	return s, nil
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

// URL is where the server serves, as "http://127.0.0.1:8080".
func (s *Server) URL() string {
	scheme := "http"
	if s.cfg.TLSCert != "" {
		scheme = "https"
	}
	return scheme + "://" + s.listener.Addr().String()
}

// Wait returns when ctx ends, or with an error when the server can go on no longer.
func (s *Server) Wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case err := <-s.ended:
		return err
	case <-s.db.failed():
		return fmt.Errorf("the embedded PostgreSQL ended: %w", s.db.own.Err())
	}
}

// Stop ends the server in order: calls that wait are told, calls that work get
// cfg.DrainTimeout, then the background work and the database end.
func (s *Server) Stop() error {
	s.drain.Begin()
	ctx, cancel := context.WithTimeout(context.Background(), s.cfg.DrainTimeout)
	defer cancel()
	var errs []error
	for _, server := range s.servers {
		err := server.Shutdown(ctx)
		if errors.Is(err, context.DeadlineExceeded) {
			s.log.Warn("calls were cut off", "after", s.cfg.DrainTimeout)
			err = server.Close()
		}
		errs = append(errs, err)
	}
	return errors.Join(append(errs, s.release())...)
}

// release ends what runs and closes what is open, also after half a start.
func (s *Server) release() error {
	s.stopWork()
	s.work.Wait()
	var errs []error
	if s.db != nil {
		errs = append(errs, s.db.close())
	}
	if s.telemetry != nil {
		errs = append(errs, s.telemetry.provider.Shutdown(context.Background()))
	}
	for _, listener := range []net.Listener{s.listener, s.metrics} {
		if listener == nil {
			continue
		}
		if err := listener.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
