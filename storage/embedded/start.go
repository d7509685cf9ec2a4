//go:build unix

package embedded

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/recourse-dev/recourse/core/fault"
)

// Start runs a PostgreSQL on cfg.DataDir, with a new cluster where there is
// none, and returns once it accepts connections. It recovers from a crash of
// an earlier server, of PostgreSQL or of the machine. It refuses a folder that
// another server uses (ErrInUse), one whose clusters no PostgreSQL here can
// open (ErrOtherMajor), and a machine without PostgreSQL (ErrNoBinaries). A
// context that ends after Start returned has no effect.
func Start(ctx context.Context, cfg Config) (*Server, error) {
	s, err := openSite(ctx, cfg)
	if err != nil {
		return nil, asFault(err, "cannot prepare the embedded PostgreSQL in %s", cfg.DataDir)
	}
	postmaster, err := s.launch(ctx)
	if err != nil {
		s.close()
		return nil, asFault(err, "cannot start the embedded PostgreSQL in %s", cfg.DataDir)
	}
	return newServer(s, postmaster), nil
}

// Initialize makes the cluster in cfg.DataDir without starting it; an existing
// one stays as it is.
func Initialize(ctx context.Context, cfg Config) error {
	s, err := openSite(ctx, cfg)
	if err != nil {
		return asFault(err, "cannot prepare the embedded PostgreSQL in %s", cfg.DataDir)
	}
	s.close()
	return nil
}

// survivors is what PostgreSQL says while processes of a killed postmaster
// still use its memory; they end by themselves.
const survivors = "pre-existing shared memory block"

// launch starts a postmaster and waits until it serves.
func (s *site) launch(ctx context.Context) (*child, error) {
	ctx, cancel := context.WithTimeout(ctx, s.cfg.StartTimeout)
	defer cancel()
	var postmaster *child
	err := poll(ctx, 250*time.Millisecond, func() (bool, error) {
		out := &logWriter{logger: s.cfg.Logger}
		var err error
		postmaster, err = s.launchOnce(ctx, out)
		if err != nil && strings.Contains(out.lastLines(), survivors) {
			return false, nil
		}
		return err == nil, err
	})
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, fault.Wrap(err, fault.DeadlineExceeded, fault.ReasonDatabaseUnavailable,
			"PostgreSQL on %s was not ready after %s; if it recovers from a crash, start again with more time", s.cluster(), s.cfg.StartTimeout).
			With("folder", s.cluster()).With("limit", s.cfg.StartTimeout.String())
	}
	return postmaster, err
}

func (s *site) launchOnce(ctx context.Context, out *logWriter) (*child, error) {
	args := append([]string{"-D", s.cluster()}, settingArgs(s.cfg, s.run)...)
	// A fast shutdown, should this process die: it leaves nothing to recover.
	cmd := s.id.command(syscall.SIGINT, s.cluster(), s.bin.path("postgres"), args...)
	cmd.Stdout, cmd.Stderr = out, out
	postmaster, err := spawn(cmd)
	if err != nil {
		return nil, broken(err, "cannot run %s", cmd.Path).With("program", cmd.Path)
	}
	if err := s.awaitReady(ctx, postmaster, out); err != nil {
		hurry := make(chan struct{})
		close(hurry)
		postmaster.stop(hurry)
		return nil, err
	}
	return postmaster, nil
}

// awaitReady waits until our own postmaster accepts connections. The process
// id matters: a client would be content with anyone's server on that socket.
func (s *site) awaitReady(ctx context.Context, postmaster *child, out *logWriter) error {
	err := poll(ctx, 10*time.Millisecond, func() (bool, error) {
		select {
		case <-postmaster.exited:
			return false, broken(postmaster.err, "PostgreSQL did not start on %s: %s", s.cluster(), out.lastLines()).With("folder", s.cluster())
		default:
		}
		f, ok := readPidFile(s.cluster())
		return ok && f.ready && f.pid == postmaster.pid(), nil
	})
	if err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, s.url())
	if err != nil {
		return broken(err, "PostgreSQL on %s runs but refuses the server; if its password was changed, remove %s/password and start again",
			s.cluster(), s.cfg.DataDir).With("folder", s.cluster()).With("pid", strconv.Itoa(postmaster.pid()))
	}
	return conn.Close(ctx)
}
