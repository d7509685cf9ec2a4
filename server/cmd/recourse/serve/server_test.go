package serve

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	client "github.com/recourse-dev/recourse/clients/go"
	recoursev1 "github.com/recourse-dev/recourse/gen/go/recourse/v1"
	"github.com/recourse-dev/recourse/server/config"
	"github.com/recourse-dev/recourse/storage/storagetest/pg"
)

func testConfig(t *testing.T) config.Config {
	t.Helper()
	cfg := config.Default()
	cfg.Listen, cfg.Data, cfg.DatabaseURL = "127.0.0.1:0", t.TempDir(), pg.URL(t)
	return cfg
}

func start(t *testing.T, cfg config.Config, opts Options) *Server {
	t.Helper()
	opts.Version, opts.Log = "test", slog.New(slog.DiscardHandler)
	s, err := Start(t.Context(), cfg, opts)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Stop()) })
	return s
}

// certificate writes a self-signed certificate for loopback.
func certificate(t *testing.T, folder string) (certFile, keyFile string, pool *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	require.NoError(t, err)
	keyDER, err := x509.MarshalECPrivateKey(key)
	require.NoError(t, err)
	certFile, keyFile = filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	require.NoError(t, os.WriteFile(certFile, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	require.NoError(t, os.WriteFile(keyFile, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: keyDER}), 0o600))
	parsed, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	pool = x509.NewCertPool()
	pool.AddCert(parsed)
	return certFile, keyFile, pool
}

func TestTLSServesEveryProtocolAndSecureCookies(t *testing.T) {
	t.Parallel()
	cfg := testConfig(t)
	var pool *x509.CertPool
	cfg.TLSCert, cfg.TLSKey, pool = certificate(t, cfg.Data)
	s := start(t, cfg, Options{})
	require.True(t, strings.HasPrefix(s.URL(), "https://"))
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}, ForceAttemptHTTP2: true}
	t.Cleanup(transport.CloseIdleConnections)
	httpClient := &http.Client{Transport: transport}
	for _, protocol := range []client.Protocol{client.Connect, client.ConnectJSON, client.GRPC, client.GRPCWeb} {
		c, err := client.New(s.URL(), s.FirstToken, client.WithProtocol(protocol), client.WithHTTPClient(httpClient))
		require.NoError(t, err)
		_, err = c.Workspace.GetCaller(t.Context(), &recoursev1.GetCallerRequest{})
		require.NoError(t, err, protocol)
	}
	c, err := client.New(s.URL(), s.FirstToken, client.WithHTTPClient(httpClient))
	require.NoError(t, err)
	link, err := c.Workspace.CreateLoginLink(t.Context(), &recoursev1.CreateLoginLinkRequest{})
	require.NoError(t, err)
	_, code, _ := strings.Cut(link.GetPath(), "#")
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL()+"/ui/login", strings.NewReader(`{"code":"`+code+`"}`))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Origin", s.URL())
	response, err := httpClient.Do(req)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusNoContent, response.StatusCode)
	cookie := response.Header.Get("Set-Cookie")
	require.True(t, strings.HasPrefix(cookie, "__Host-recourse_session="), cookie)
	require.Contains(t, cookie, "Secure")
	require.NotContains(t, cookie, "Domain")
}

func TestWhatAPersonIsTold(t *testing.T) {
	t.Parallel()
	for _, terminal := range []bool{true, false} {
		var out bytes.Buffer
		cfg := testConfig(t)
		s := start(t, cfg, Options{Out: &out, Terminal: terminal})
		require.Contains(t, out.String(), "serves "+s.URL()+", data in "+cfg.Data)
		require.NotContains(t, out.String(), s.FirstToken)
		require.Equal(t, terminal, strings.Contains(out.String(), "/ui/login#"), "a login link is for a terminal only")
	}
}

func TestMetricsOnAPortOfTheirOwn(t *testing.T) {
	t.Parallel()
	cfg := testConfig(t)
	cfg.MetricsListen = "127.0.0.1:0"
	s := start(t, cfg, Options{})
	require.Equal(t, http.StatusNotFound, status(t, s.URL()+"/metrics"))
	require.Equal(t, http.StatusOK, status(t, "http://"+s.metrics.Addr().String()+"/metrics"))
	require.Equal(t, http.StatusNotFound, status(t, "http://"+s.metrics.Addr().String()+"/v1/codes"))
}

func status(t *testing.T, url string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	require.NoError(t, err)
	req.Close = true
	response, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode
}

func TestAStartThatCannotBe(t *testing.T) {
	t.Parallel()
	taken := start(t, testConfig(t), Options{})
	for name, c := range map[string]struct {
		change func(*config.Config)
		want   string
	}{
		"a port in use":    {func(c *config.Config) { c.Listen = taken.listener.Addr().String() }, "address already in use"},
		"no database":      {func(c *config.Config) { c.DatabaseURL = "postgres://nobody@127.0.0.1:1/none?connect_timeout=2" }, "database"},
		"no certificate":   {func(c *config.Config) { c.TLSCert, c.TLSKey = "/no/cert", "/no/key" }, "TLS certificate"},
		"a file as folder": {func(c *config.Config) { c.Data = filepath.Join(c.Data, "x"); _ = os.WriteFile(c.Data, nil, 0o600) }, "data folder"},
	} {
		cfg := testConfig(t)
		c.change(&cfg)
		_, err := Start(t.Context(), cfg, Options{Log: slog.New(slog.DiscardHandler)})
		require.ErrorContains(t, err, c.want, name)
	}
}
