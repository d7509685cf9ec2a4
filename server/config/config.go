// Package config reads the server's settings: a flag wins over the
// environment, that over the file, that over the default. Every problem is
// reported, not only the first.
package config

import (
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"time"
)

// Config are the settings of one server.
type Config struct {
	File              string   // the configuration file, "" for none
	Listen            string   // host:port to serve on
	Data              string   // folder of the admin token and of the embedded database
	DatabaseURL       string   // PostgreSQL; "" runs an embedded one in Data
	DatabaseDirectURL string   // the same database without a pooler, for LISTEN
	PostgresBin       string   // folder of initdb and postgres, for the embedded one
	TLSCert           string   // PEM file
	TLSKey            string   // PEM file
	InsecureListen    bool     // allows Listen beyond loopback without TLS
	AllowedHosts      []string // names that a Host header may have, besides loopback's
	MetricsListen     string   // host:port of /metrics without a token; "" serves it on Listen, with one
	LogLevel          slog.Level
	LogFormat         string        // text or json
	MaxBodyBytes      int64         // of a request
	RatePerSecond     float64       // calls of one token, on average
	RateBurst         int           // calls of one token at once
	StreamsPerToken   int           // open streams of one token
	DrainTimeout      time.Duration // how long a stop waits for calls in flight
	Lease             time.Duration // how long a claim holds without a heartbeat
	LostGrace         time.Duration // how long a lost run may settle late
	CatalogueOverlay  []string      // folders of the operator's own rules, laid over the embedded ones
}

// Default are the settings that nobody has set.
func Default() Config {
	return Config{
		Listen:          "127.0.0.1:8080",
		Data:            defaultData(),
		LogLevel:        slog.LevelInfo,
		LogFormat:       "text",
		MaxBodyBytes:    1 << 20,
		RatePerSecond:   10_000,
		RateBurst:       20_000,
		StreamsPerToken: 64,
		DrainTimeout:    20 * time.Second,
		Lease:           30 * time.Second,
		LostGrace:       10 * time.Minute,
	}
}

// Problem is one thing that is wrong with the settings.
type Problem struct {
	Setting string // the flag's name
	Origin  string // where the value came from, as "environment RECOURSE_LISTEN"
	Text    string
}

func (p Problem) String() string {
	if p.Origin == "" {
		return fmt.Sprintf("%s: %s", p.Setting, p.Text)
	}
	return fmt.Sprintf("%s (from %s): %s", p.Setting, p.Origin, p.Text)
}

// check finds what is wrong between settings.
func (c Config) check() []Problem {
	var out []Problem
	problem := func(setting, format string, args ...any) {
		out = append(out, Problem{Setting: setting, Text: fmt.Sprintf(format, args...)})
	}
	if (c.TLSCert == "") != (c.TLSKey == "") {
		problem("tls-cert", "a certificate and its key go together: set --tls-cert and --tls-key, or neither")
	}
	host, _, err := net.SplitHostPort(c.Listen)
	switch {
	case err != nil:
		problem("listen", "must be host:port, as 127.0.0.1:8080")
	case !loopback(host) && c.TLSCert == "" && !c.InsecureListen:
		problem("listen", "%s can be reached from other machines, and without TLS tokens would cross the network in the clear: "+
			"set --tls-cert and --tls-key, or --insecure-listen if something in front of it does TLS", c.Listen)
	}
	if c.MetricsListen != "" {
		if _, _, err := net.SplitHostPort(c.MetricsListen); err != nil {
			problem("metrics-listen", "must be host:port, as 127.0.0.1:9090")
		}
	}
	if c.Data == "" {
		problem("data", "must name a folder")
	}
	if c.LogFormat != "text" && c.LogFormat != "json" {
		problem("log-format", "must be text or json")
	}
	return append(out, c.checkNumbers()...)
}

func (c Config) checkNumbers() []Problem {
	const maxLease = time.Hour
	var out []Problem
	for _, rule := range []struct {
		setting, text string
		ok            bool
	}{
		{"max-body-bytes", "must be from 1024 to 67108864", c.MaxBodyBytes >= 1024 && c.MaxBodyBytes <= 64<<20},
		{"rate", "must be above 0", c.RatePerSecond > 0},
		{"rate-burst", "must be at least 1", c.RateBurst >= 1},
		{"streams-per-token", "must be at least 1", c.StreamsPerToken >= 1},
		{"drain-timeout", "must not be negative", c.DrainTimeout >= 0},
		{"lease", "must be from 1s to 1h", c.Lease >= time.Second && c.Lease <= maxLease},
		{"lost-grace", "must be above 0", c.LostGrace > 0},
	} {
		if !rule.ok {
			out = append(out, Problem{Setting: rule.setting, Text: rule.text})
		}
	}
	return out
}

// loopback reports whether only this machine reaches host. A name other than
// localhost may resolve to anything.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsLoopback()
}
