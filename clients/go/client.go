// Package client is the Go client of Recourse: the generated clients of every
// service behind one address and one token, with errors turned back into
// *fault.Error.
package client

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"connectrpc.com/connect/v2"
	"connectrpc.com/connect/v2/connecthttp"

	"github.com/recourse-dev/recourse/gen/go/recourse/v1/recoursev1connect"
)

// Protocol is how calls travel.
type Protocol string

// The protocols. All reach the same handlers.
const (
	Connect     Protocol = "connect" // HTTP/1.1 or HTTP/2, binary
	ConnectJSON Protocol = "connect+json"
	GRPC        Protocol = "grpc" // HTTP/2 only
	GRPCWeb     Protocol = "grpcweb"
)

// Client holds the clients of every service. It is safe for concurrent use.
type Client struct {
	Classification recoursev1connect.ClassificationServiceClient
	Recovery       recoursev1connect.RecoveryServiceClient
	Routing        recoursev1connect.RoutingServiceClient
	Workspace      recoursev1connect.WorkspaceServiceClient

	address *url.URL
	http    *http.Client
}

type options struct {
	protocol  Protocol
	http      *http.Client
	timeout   time.Duration
	userAgent string
}

// Option changes how a client calls.
type Option func(*options)

// WithProtocol picks a protocol; Connect if not given.
func WithProtocol(p Protocol) Option { return func(o *options) { o.protocol = p } }

// WithHTTPClient replaces the HTTP client, as for a private certificate. For
// gRPC without TLS its transport must allow unencrypted HTTP/2.
func WithHTTPClient(c *http.Client) Option { return func(o *options) { o.http = c } }

// WithTimeout bounds each unary call whose context has no deadline; 65 s if not
// given, a little more than the server's own bound. Streams are not bounded.
func WithTimeout(d time.Duration) Option { return func(o *options) { o.timeout = d } }

// WithUserAgent names the caller to the server, as "agentctl/1.2.0".
func WithUserAgent(name string) Option { return func(o *options) { o.userAgent = name } }

const (
	defaultTimeout = 65 * time.Second
	// maxAnswer bounds one answer; a page of a thousand runs fits.
	maxAnswer = 64 << 20
)

// New makes a client of the server at addr, as "http://127.0.0.1:8080" or
// "127.0.0.1:8080". An empty token sends none. It connects at the first call.
func New(addr, token string, opts ...Option) (*Client, error) {
	o := options{protocol: Connect, timeout: defaultTimeout, userAgent: "recourse-go"}
	for _, opt := range opts {
		opt(&o)
	}
	address, err := parse(addr)
	if err != nil {
		return nil, err
	}
	if o.http == nil {
		o.http = newHTTPClient(o.protocol, address.Scheme)
	}
	transport, err := newTransport(o, address)
	if err != nil {
		return nil, err
	}
	calls := connect.NewClient(transport, callInterceptor(token, o))
	return &Client{
		Classification: recoursev1connect.NewClassificationServiceClient(calls),
		Recovery:       recoursev1connect.NewRecoveryServiceClient(calls),
		Routing:        recoursev1connect.NewRoutingServiceClient(calls),
		Workspace:      recoursev1connect.NewWorkspaceServiceClient(calls),
		address:        address,
		http:           o.http,
	}, nil
}

// Address is where the client calls, without a path.
func (c *Client) Address() string { return c.address.String() }

// Close drops idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

func parse(addr string) (*url.URL, error) {
	if !strings.Contains(addr, "://") {
		addr = "http://" + addr
	}
	address, err := url.Parse(addr)
	if err != nil || address.Host == "" || (address.Scheme != "http" && address.Scheme != "https") {
		return nil, fmt.Errorf("%q is no server address; give one as http://127.0.0.1:8080", addr)
	}
	address.Path = strings.TrimSuffix(address.Path, "/")
	return address, nil
}

func newTransport(o options, address *url.URL) (connect.Transport, error) {
	settings := []connecthttp.Option{connecthttp.WithReadMaxBytes(maxAnswer)}
	switch o.protocol {
	case Connect:
	case ConnectJSON:
		settings = append(settings, connecthttp.WithProtoJSON())
	case GRPC:
		settings = append(settings, connecthttp.WithGRPC())
	case GRPCWeb:
		settings = append(settings, connecthttp.WithGRPCWeb())
	default:
		return nil, fmt.Errorf("there is no protocol %q", o.protocol)
	}
	return connecthttp.NewTransport(o.http, address.String(), settings...), nil
}

// newHTTPClient follows no redirect: a token goes to the server that was named only.
func newHTTPClient(protocol Protocol, scheme string) *http.Client {
	protocols := new(http.Protocols)
	if protocol == GRPC && scheme == "http" {
		protocols.SetUnencryptedHTTP2(true)
	} else {
		protocols.SetHTTP1(protocol != GRPC)
		protocols.SetHTTP2(true)
	}
	return &http.Client{
		Transport: &http.Transport{
			Proxy:                 http.ProxyFromEnvironment,
			Protocols:             protocols,
			ForceAttemptHTTP2:     true,
			MaxIdleConnsPerHost:   16,
			IdleConnTimeout:       90 * time.Second,
			TLSHandshakeTimeout:   10 * time.Second,
			ExpectContinueTimeout: time.Second,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
