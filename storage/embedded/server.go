//go:build unix

package embedded

import (
	"context"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/recourse-dev/recourse/core/fault"
)

// A postmaster that dies more often than this is not started again: something
// is wrong that a person has to see.
const (
	restartLimit  = 5
	restartWindow = time.Minute
)

// Server is a running PostgreSQL. It starts a postmaster that dies on its own
// again, on the same socket: clients lose their connections and nothing else.
type Server struct {
	site *site
	pid  atomic.Int64

	stopping context.CancelFunc // begins an orderly stop
	stopped  context.Context    // ends when stopping was called
	hurry    chan struct{}      // closed: stop at once
	hurried  sync.Once
	done     chan struct{}
	err      error // set before done closes
}

func newServer(s *site, postmaster *child) *Server {
	srv := &Server{site: s, hurry: make(chan struct{}), done: make(chan struct{})}
	srv.stopped, srv.stopping = context.WithCancel(context.Background())
	srv.pid.Store(int64(postmaster.pid()))
	go srv.supervise(postmaster)
	return srv
}

// URL is the connection string of the database over the Unix socket. It holds
// the password and stays valid while the Server lives.
func (srv *Server) URL() string { return srv.site.url() }

func (s *site) url() string {
	u := url.URL{
		Scheme:   "postgres",
		User:     url.UserPassword(roleName, s.password),
		Path:     "/" + databaseName,
		RawQuery: url.Values{"host": {s.run.path}, "port": {"5432"}}.Encode(),
	}
	return u.String()
}

// PID is the process id of the current postmaster.
func (srv *Server) PID() int { return int(srv.pid.Load()) }

// Done closes when PostgreSQL is gone for good: after Stop, or when it kept
// dying. Err says which.
func (srv *Server) Done() <-chan struct{} { return srv.done }

// Err is nil until Done closes, and after an orderly stop.
func (srv *Server) Err() error {
	select {
	case <-srv.done:
		return srv.err
	default:
		return nil
	}
}

// Stop shuts PostgreSQL down, cutting off its clients, and frees the data
// folder. When ctx ends first, PostgreSQL is stopped at once, which loses
// nothing but makes the next start recover; Stop then says so. Stopping twice
// is fine.
func (srv *Server) Stop(ctx context.Context) error {
	srv.stopping()
	select {
	case <-srv.done:
	case <-ctx.Done():
		srv.hurried.Do(func() { close(srv.hurry) })
		<-srv.done // bounded by crashSafeStop
	}
	return srv.err
}

func (srv *Server) supervise(postmaster *child) {
	defer close(srv.done)
	defer srv.release()
	var restarts []time.Time
	for {
		select {
		case <-srv.stopped.Done():
			if !postmaster.stop(srv.hurry) {
				srv.err = fault.New(fault.DeadlineExceeded, fault.ReasonDatabaseUnavailable,
					"PostgreSQL had no time for an orderly stop; its next start recovers from the log")
			}
			return
		case <-postmaster.exited:
		}
		if srv.stopped.Err() != nil {
			return
		}
		restarts = recent(append(restarts, time.Now()))
		var err error
		if postmaster, err = srv.restart(postmaster, len(restarts)); err != nil {
			if srv.stopped.Err() == nil {
				srv.err = asFault(err, "the embedded PostgreSQL in %s is gone", srv.site.cfg.DataDir)
			}
			return
		}
	}
}

// release frees the data folder. A postmaster that was killed leaves processes
// which would go on writing to it.
func (srv *Server) release() {
	srv.stopping()
	s := srv.site
	if err := dismissSurvivors(context.Background(), s.cluster()); err != nil {
		s.cfg.Logger.Error("processes of PostgreSQL do not end", "folder", s.cluster(), "error", err)
	}
	s.close()
}

// restart starts a postmaster in place of one that died.
func (srv *Server) restart(dead *child, count int) (*child, error) {
	s := srv.site
	if count > restartLimit {
		return nil, broken(dead.err, "PostgreSQL on %s died %d times within %s; see its log for the cause", s.cluster(), count, restartWindow).
			With("folder", s.cluster())
	}
	s.cfg.Logger.Error("PostgreSQL died; starting it again", "folder", s.cluster(), "error", dead.err, "restart", count)
	if err := evictOrphan(srv.stopped, s.cluster(), s.run, s.id); err != nil {
		return nil, err
	}
	s.run.clear()
	postmaster, err := s.launch(srv.stopped)
	if err == nil {
		srv.pid.Store(int64(postmaster.pid()))
	}
	return postmaster, err
}

// recent keeps the instants that still count against the restart limit.
func recent(instants []time.Time) []time.Time {
	for len(instants) > 0 && time.Since(instants[0]) > restartWindow {
		instants = instants[1:]
	}
	return instants
}
