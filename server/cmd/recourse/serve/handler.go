package serve

import (
	"context"
	"net/http"
	"strings"
	"time"

	"buf.build/go/protovalidate"
	"connectrpc.com/connect/v2"
	"connectrpc.com/connect/v2/connecthttp"
	"connectrpc.com/connect/v2/connectproto"

	webui "github.com/recourse-dev/recourse/clients/web"
	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/gen"
	"github.com/recourse-dev/recourse/server/gateway"
	"github.com/recourse-dev/recourse/server/interceptor"
	"github.com/recourse-dev/recourse/server/rpc"
	"github.com/recourse-dev/recourse/server/rpc/codec"
	"github.com/recourse-dev/recourse/server/rpc/rpcerror"
	"github.com/recourse-dev/recourse/server/web"
)

// maxCall is the longest that a unary call may take.
const maxCall = 60 * time.Second

// writeTimeout is how long one write of an answer may take.
const writeTimeout = 30 * time.Second

// bodyTimeout is how long a request's body may take to arrive.
const bodyTimeout = 30 * time.Second

// newHandler puts every protocol and page on one handler.
func (s *Server) newHandler(handlers rpc.Handlers) (http.Handler, error) {
	validator, err := protovalidate.New()
	if err != nil {
		return nil, err
	}
	server := connect.NewServer(interceptor.Chain(interceptor.Config{
		Auth: s.accounts, Log: s.log, Now: time.Now, Validator: validator, Limiter: s.limiter, Drain: s.drain,
		MaxCall: maxCall, MaxBodyBytes: s.cfg.MaxBodyBytes, Telemetry: s.telemetry.interceptor,
	})...)
	rpc.Register(server, handlers)
	rest, err := gateway.New(server, s.cfg.MaxBodyBytes)
	if err != nil {
		return nil, err
	}
	edge := &interceptor.Edge{
		Hosts: interceptor.NewHosts(s.hosts()...), Log: s.log, Now: time.Now,
		MaxBodyBytes: s.cfg.MaxBodyBytes, ReadTimeout: bodyTimeout, WriteTimeout: writeTimeout,
	}
	return edge.Wrap(s.route(s.procedures(server), rest)), nil
}

// procedures serves gRPC, gRPC-Web and Connect.
func (s *Server) procedures(server *connect.Server) http.Handler {
	specs := map[string]connect.Spec{}
	for spec := range server.Specs() {
		specs[spec.Procedure] = spec
	}
	mux := http.NewServeMux()
	connecthttp.Mount(mux, server,
		connecthttp.WithReadMaxBytes(int(s.cfg.MaxBodyBytes)),
		connecthttp.WithCodecs(connectproto.NewBinaryCodec(), codec.JSON{}),
		connecthttp.WithCompressMinBytes(1024),
	)
	find := func(procedure string) (connect.Spec, bool) {
		spec, ok := specs[procedure]
		return spec, ok
	}
	return interceptor.Protocols(find, mux)
}

func (s *Server) route(procedures, rest http.Handler) http.Handler {
	mux := http.NewServeMux()
	ui := web.NewUI(webui.Dist())
	mux.Handle("/ui/", ui)
	mux.Handle("POST /ui/login", web.Login(s.accounts))
	mux.Handle("POST /ui/logout", web.Logout(s.accounts))
	mux.Handle("/{$}", http.RedirectHandler("/ui/", http.StatusFound))
	mux.Handle("/ui", http.RedirectHandler("/ui/", http.StatusFound))
	mux.Handle("/openapi.json", get(serveOpenAPI))
	mux.Handle("/healthz", get(serveText("ok\n")))
	mux.Handle("/readyz", get(s.serveReady))
	if s.cfg.MetricsListen == "" {
		mux.Handle("/metrics", get(s.guarded(s.telemetry.metrics)))
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Before the mux, which would redirect a path that is not clean.
		switch {
		case strings.HasPrefix(r.URL.Path, "/v1/"):
			rest.ServeHTTP(w, r)
			return
		case rpcerror.IsProcedure(r.URL.Path):
			procedures.ServeHTTP(w, r)
			return
		}
		if _, pattern := mux.Handler(r); pattern == "" {
			rpcerror.WriteREST(w, interceptor.RouteNotFound(r.URL.Path))
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// get refuses every method that changes something.
func get(next http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			rpcerror.WriteREST(w, interceptor.MethodNotAllowed(r.Method))
			return
		}
		next(w, r)
	})
}

// guarded lets any working token of a reader in.
func (s *Server) guarded(next http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if _, err := interceptor.Authenticate(r.Context(), s.accounts); err != nil {
			rpcerror.WriteREST(w, rpcerror.From(err))
			return
		}
		next.ServeHTTP(w, r)
	}
}

func serveOpenAPI(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(gen.OpenAPI) // the reader may be gone
}

func serveText(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = w.Write([]byte(text)) // the reader may be gone
	}
}

// serveReady answers 200 while the server takes calls that it can serve.
func (s *Server) serveReady(w http.ResponseWriter, r *http.Request) {
	if err := s.ready(r.Context()); err != nil {
		rpcerror.WriteREST(w, rpcerror.From(err))
		return
	}
	serveText("ready\n")(w, r)
}

func (s *Server) ready(ctx context.Context) error {
	select {
	case <-s.drain.Begun():
		return fault.New(fault.Unavailable, fault.ReasonShuttingDown, "the server is stopping")
	default:
	}
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	return s.accounts.Ready(ctx)
}

const readyTimeout = 2 * time.Second
