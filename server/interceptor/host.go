package interceptor

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/recourse-dev/recourse/core/fault"
)

// Hosts is the allow-list of the Host header. A page on another name that
// resolves to this server (DNS rebinding) is refused by it, on loopback too.
type Hosts struct {
	names []string
}

// NewHosts allows localhost and the given names, without ports.
func NewHosts(names ...string) *Hosts {
	h := &Hosts{names: []string{"localhost"}}
	for _, name := range names {
		if name != "" {
			h.names = append(h.names, canonicalHost(name))
		}
	}
	return h
}

// check returns a fault unless the request names one of this server's hosts. An
// address is always right where the connection came in on it: rebinding needs a name.
func (h *Hosts) check(r *http.Request) *fault.Error {
	host := canonicalHost(r.Host)
	if slices.Contains(h.names, host) {
		return nil
	}
	if addr, err := netip.ParseAddr(host); err == nil {
		if addr.IsLoopback() || addr.Unmap() == localAddr(r) {
			return nil
		}
	}
	return fault.New(fault.PermissionDenied, fault.ReasonHostNotAllowed,
		"host %q is not one of this server's; start it with --allowed-host to add it", printable(r.Host)).With("host", printable(r.Host))
}

func localAddr(r *http.Request) netip.Addr {
	addr, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	if !ok {
		return netip.Addr{}
	}
	return addr.AddrPort().Addr().Unmap()
}

// canonicalHost drops the port, brackets, a final dot and the case.
func canonicalHost(hostport string) string {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = hostport
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// printable bounds what a caller sent before it is sent back or logged.
func printable(text string) string {
	const longest = 128
	text = strings.Map(func(c rune) rune {
		if c < ' ' || c > '~' {
			return '?'
		}
		return c
	}, text)
	if len(text) > longest {
		text = text[:longest]
	}
	return text
}
