// Package servertest starts the real server on loopback, on a database of the
// test's own, for tests that speak to it as callers do.
package servertest

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	client "github.com/recourse-dev/recourse/clients/go"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/server/cmd/recourse/serve"
	"github.com/recourse-dev/recourse/server/config"
	"github.com/recourse-dev/recourse/server/rpc"
	"github.com/recourse-dev/recourse/storage/postgres"
	"github.com/recourse-dev/recourse/storage/storagetest/pg"
)

// Main runs the tests of a package that starts servers; call it from TestMain.
// It stops the database and looks for leaked goroutines.
func Main(m *testing.M, options ...pg.Option) {
	pg.Main(m, append([]pg.Option{pg.Migrate(postgres.Migrate)}, options...)...)
}

// Server is a running server.
type Server struct {
	URL        string // as "http://127.0.0.1:40123"
	AdminToken string // an instance admin's
	Data       string // the data folder
	Log        *Log

	server *serve.Server
	config config.Config
	opts   serve.Options
}

// Option changes a server before it starts.
type Option func(*Server)

// Configure changes settings.
func Configure(change func(*config.Config)) Option {
	return func(s *Server) { change(&s.config) }
}

// Handlers replaces handlers, as by one that panics.
func Handlers(replace func(rpc.Handlers) rpc.Handlers) Option {
	return func(s *Server) { s.opts.Handlers = replace }
}

// Start starts a server that stops with the test.
func Start(tb testing.TB, options ...Option) *Server {
	tb.Helper()
	s := &Server{Data: tb.TempDir(), Log: &Log{}, config: config.Default()}
	s.config.Listen, s.config.Data, s.config.DatabaseURL = "127.0.0.1:0", s.Data, pg.URL(tb)
	s.opts = serve.Options{Version: "test", Log: slog.New(slog.NewJSONHandler(s.Log, &slog.HandlerOptions{Level: slog.LevelDebug}))}
	for _, option := range options {
		option(s)
	}
	s.start(tb)
	tb.Cleanup(func() { s.Stop(tb) })
	return s
}

func (s *Server) start(tb testing.TB) {
	tb.Helper()
	server, err := serve.Start(context.Background(), s.config, s.opts)
	if err != nil {
		tb.Fatalf("start the server: %v", err)
	}
	s.server, s.URL = server, server.URL()
	token, err := os.ReadFile(filepath.Join(s.Data, serve.AdminTokenFile))
	if err != nil {
		tb.Fatalf("read the admin token: %v", err)
	}
	s.AdminToken = strings.TrimSpace(string(token))
}

// Stop ends the server in order. A second call does nothing.
func (s *Server) Stop(tb testing.TB) {
	tb.Helper()
	if s.server == nil {
		return
	}
	if err := s.server.Stop(); err != nil {
		tb.Errorf("stop the server: %v", err)
	}
	s.server = nil
}

// Restart stops the server and starts one on the same database and folder; its
// address changes.
func (s *Server) Restart(tb testing.TB) {
	tb.Helper()
	s.Stop(tb)
	s.start(tb)
}

// Client makes a client that closes with the test. An empty token sends none.
func (s *Server) Client(tb testing.TB, token string, options ...client.Option) *client.Client {
	tb.Helper()
	c, err := client.New(s.URL, token, options...)
	if err != nil {
		tb.Fatalf("make a client: %v", err)
	}
	tb.Cleanup(c.Close)
	return c
}

// Token makes a token of the default workspace with this role.
func (s *Server) Token(tb testing.TB, role recoursev1.Role) string {
	tb.Helper()
	made, err := s.Client(tb, s.AdminToken).Workspace.CreateApiToken(tb.Context(), &recoursev1.CreateApiTokenRequest{
		DisplayName: strings.ToLower(role.String()), Role: role,
	})
	if err != nil {
		tb.Fatalf("make a token: %v", err)
	}
	return made.GetSecret()
}
