package config

import (
	"errors"
	"log/slog"
	"strconv"
	"strings"
	"time"
)

// Setting is one value that flag, environment and file may set.
type Setting struct {
	Name string // of the flag, and of the key in the file
	Env  string
	Help string
	Bool bool // a flag without a value means true
	set  func(*Config, string) error
}

// Settings lists every setting.
func Settings() []Setting {
	return []Setting{
		{Name: "listen", Env: "RECOURSE_LISTEN", Help: "host:port to serve on", set: text(func(c *Config) *string { return &c.Listen })},
		{Name: "data", Env: "RECOURSE_DATA", Help: "folder of the admin token and of the embedded database", set: text(func(c *Config) *string { return &c.Data })},
		{Name: "database-url", Env: "DATABASE_URL", Help: "PostgreSQL to use; without one, an embedded PostgreSQL runs in the data folder; prefer the environment, arguments are visible to others", set: text(func(c *Config) *string { return &c.DatabaseURL })},
		{Name: "database-direct-url", Env: "DATABASE_DIRECT_URL", Help: "the same database without a connection pooler, where database-url leads through one", set: text(func(c *Config) *string { return &c.DatabaseDirectURL })},
		{Name: "postgres-bin", Env: "RECOURSE_POSTGRES_BIN", Help: "folder of initdb and postgres for the embedded PostgreSQL; searched if not set", set: text(func(c *Config) *string { return &c.PostgresBin })},
		{Name: "tls-cert", Env: "RECOURSE_TLS_CERT", Help: "certificate (PEM file); serves TLS", set: text(func(c *Config) *string { return &c.TLSCert })},
		{Name: "tls-key", Env: "RECOURSE_TLS_KEY", Help: "the certificate's key (PEM file)", set: text(func(c *Config) *string { return &c.TLSKey })},
		{Name: "insecure-listen", Env: "RECOURSE_INSECURE_LISTEN", Help: "allow an address beyond loopback without TLS", Bool: true, set: boolean(func(c *Config) *bool { return &c.InsecureListen })},
		{Name: "allowed-host", Env: "RECOURSE_ALLOWED_HOST", Help: "further names for this server that a Host header may have, separated by commas", set: list(func(c *Config) *[]string { return &c.AllowedHosts })},
		{Name: "metrics-listen", Env: "RECOURSE_METRICS_LISTEN", Help: "host:port for /metrics without a token; without it /metrics is on --listen and needs one", set: text(func(c *Config) *string { return &c.MetricsListen })},
		{Name: "log-level", Env: "RECOURSE_LOG_LEVEL", Help: "debug, info, warn or error", set: level},
		{Name: "log-format", Env: "RECOURSE_LOG_FORMAT", Help: "text or json", set: text(func(c *Config) *string { return &c.LogFormat })},
		{Name: "max-body-bytes", Env: "RECOURSE_MAX_BODY_BYTES", Help: "longest request", set: integer(func(c *Config, n int64) { c.MaxBodyBytes = n })},
		{Name: "rate", Env: "RECOURSE_RATE", Help: "calls a second of one token, on average", set: float(func(c *Config) *float64 { return &c.RatePerSecond })},
		{Name: "rate-burst", Env: "RECOURSE_RATE_BURST", Help: "calls of one token at once", set: integer(func(c *Config, n int64) { c.RateBurst = int(n) })},
		{Name: "streams-per-token", Env: "RECOURSE_STREAMS_PER_TOKEN", Help: "open streams of one token", set: integer(func(c *Config, n int64) { c.StreamsPerToken = int(n) })},
		{Name: "drain-timeout", Env: "RECOURSE_DRAIN_TIMEOUT", Help: "how long a stop waits for calls in flight", set: span(func(c *Config) *time.Duration { return &c.DrainTimeout })},
		{Name: "lease", Env: "RECOURSE_LEASE", Help: "how long a claim holds without a heartbeat", set: span(func(c *Config) *time.Duration { return &c.Lease })},
		{Name: "catalogue-overlay", Env: "RECOURSE_CATALOGUE_OVERLAY", Help: "folder of your own failure rules, laid over the embedded ones; several are separated by commas; a rule that does not prove itself refuses the start", set: list(func(c *Config) *[]string { return &c.CatalogueOverlay })},
		{Name: "lost-grace", Env: "RECOURSE_LOST_GRACE", Help: "how long a lost run may settle late before a person is asked", set: span(func(c *Config) *time.Duration { return &c.LostGrace })},
	}
}

func text(field func(*Config) *string) func(*Config, string) error {
	return func(c *Config, value string) error {
		*field(c) = value
		return nil
	}
}

func list(field func(*Config) *[]string) func(*Config, string) error {
	return func(c *Config, value string) error {
		var out []string
		for item := range strings.SplitSeq(value, ",") {
			if item = strings.TrimSpace(item); item != "" {
				out = append(out, item)
			}
		}
		*field(c) = out
		return nil
	}
}

func boolean(field func(*Config) *bool) func(*Config, string) error {
	return func(c *Config, value string) error {
		parsed, err := strconv.ParseBool(value)
		if err != nil {
			return errors.New("must be true or false")
		}
		*field(c) = parsed
		return nil
	}
}

func integer(assign func(*Config, int64)) func(*Config, string) error {
	return func(c *Config, value string) error {
		parsed, err := strconv.ParseInt(value, 10, 32)
		if err != nil {
			return errors.New("must be a whole number")
		}
		assign(c, parsed)
		return nil
	}
}

func float(field func(*Config) *float64) func(*Config, string) error {
	return func(c *Config, value string) error {
		parsed, err := strconv.ParseFloat(value, 64)
		if err != nil || parsed != parsed {
			return errors.New("must be a number")
		}
		*field(c) = parsed
		return nil
	}
}

func span(field func(*Config) *time.Duration) func(*Config, string) error {
	return func(c *Config, value string) error {
		parsed, err := time.ParseDuration(value)
		if err != nil {
			return errors.New("must be a duration, as 30s or 5m")
		}
		*field(c) = parsed
		return nil
	}
}

func level(c *Config, value string) error {
	var parsed slog.Level
	if err := parsed.UnmarshalText([]byte(value)); err != nil {
		return errors.New("must be debug, info, warn or error")
	}
	c.LogLevel = parsed
	return nil
}
