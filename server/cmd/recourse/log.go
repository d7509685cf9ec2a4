package main

import (
	"log/slog"
	"os"

	"github.com/recourse-dev/recourse/core/evidence"
	"github.com/recourse-dev/recourse/server/config"
)

// plain are the attributes that hold ids, names and numbers of our own. The
// redaction would take an id for a stranger's account id.
var plain = map[string]bool{
	slog.TimeKey: true, slog.LevelKey: true, slog.SourceKey: true,
	"request_id": true, "token_id": true, "workspace_id": true, "wakeup_id": true, "run_id": true, "session_id": true,
	"procedure": true, "protocol": true, "remote": true, "code": true, "reason": true,
}

// newLog writes to stderr; every text that it writes is redacted.
func newLog(cfg config.Config) *slog.Logger {
	options := &slog.HandlerOptions{Level: cfg.LogLevel, ReplaceAttr: redact}
	if cfg.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(os.Stderr, options))
	}
	return slog.New(slog.NewTextHandler(os.Stderr, options))
}

func redact(_ []string, attr slog.Attr) slog.Attr {
	if plain[attr.Key] {
		return attr
	}
	switch attr.Value.Kind() {
	case slog.KindString:
		attr.Value = slog.StringValue(evidence.Redact(attr.Value.String()))
	case slog.KindAny:
		if err, ok := attr.Value.Any().(error); ok {
			attr.Value = slog.StringValue(evidence.Redact(err.Error()))
		}
	}
	return attr
}
