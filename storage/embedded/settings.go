//go:build unix

package embedded

import (
	"maps"
	"slices"
)

const (
	roleName     = "recourse"
	databaseName = "recourse"
)

// durable are the defaults: what PostgreSQL acknowledged survives a power cut.
// They are spelled out, so that no default of a distribution weakens them.
var durable = map[string]string{
	"fsync":              "on",
	"synchronous_commit": "on",
	"full_page_writes":   "on",
	"max_connections":    "100",
	"timezone":           "UTC",
	"log_timezone":       "UTC",
	// A failing statement may carry evidence or a secret; its error suffices.
	"log_min_error_statement": "panic",
}

// private keeps the server on its socket and its log on standard error,
// whatever the files in the cluster folder say.
func private(run runDir) map[string]string {
	return map[string]string{
		"listen_addresses":        "",
		"port":                    "5432",
		"unix_socket_directories": run.path,
		"unix_socket_permissions": "0700",
		"password_encryption":     "scram-sha-256",
		"log_destination":         "stderr",
		"logging_collector":       "off",
		"log_line_prefix":         "", // logWriter reads the severity at the start of a line
	}
}

// settingArgs are the -c options of a postmaster, in a stable order.
func settingArgs(cfg Config, run runDir) []string {
	all := maps.Clone(durable)
	maps.Copy(all, cfg.Settings)
	maps.Copy(all, private(run))
	args := make([]string, 0, 2*len(all))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		args = append(args, "-c", name+"="+all[name])
	}
	return args
}
