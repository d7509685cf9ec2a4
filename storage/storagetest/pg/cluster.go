package pg

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/recourse-dev/recourse/storage/embedded"
)

const (
	folderPrefix = "recourse-pgtest-"
	// abandonedAfter is far beyond the life of a test process.
	abandonedAfter = 6 * time.Hour
	// clusterRevision changes when a cached cluster would differ from a new one.
	clusterRevision = "1"
)

// fast gives up durability, which a database that dies with its test does not
// need, and background work, which makes timings vary and may hold the
// template while it is copied.
var fast = map[string]string{
	"fsync":                 "off",
	"synchronous_commit":    "off",
	"full_page_writes":      "off",
	"wal_level":             "minimal",
	"max_wal_senders":       "0",
	"max_wal_size":          "4GB",
	"checkpoint_timeout":    "1h",
	"autovacuum":            "off",
	"bgwriter_lru_maxpages": "0",
	"max_connections":       "200",
	"jit":                   "off",
}

// Durable is a server of the test's own with the settings of production, on a
// migrated database. The test may kill it; it goes with the test.
func Durable(tb testing.TB) *embedded.Server {
	tb.Helper()
	s := suiteOf(tb)
	folder, err := newFolder(os.TempDir())
	if err != nil {
		tb.Fatalf("make a folder for a durable server: %v", err)
	}
	tb.Cleanup(func() { _ = os.RemoveAll(folder) })
	server, err := startCached(tb.Context(), configIn(folder, nil))
	if err != nil {
		tb.Fatalf("start a durable server: %v", err)
	}
	tb.Cleanup(func() {
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		_ = server.Stop(ended) // at once: its folder goes too
	})
	if s.migrate != nil {
		if err := s.migrate(tb.Context(), server.URL()); err != nil {
			tb.Fatalf("migrate a durable server: %v", err)
		}
	}
	return server
}

func configIn(folder string, settings map[string]string) embedded.Config {
	cfg := embedded.Config{DataDir: folder, Settings: settings, Logger: slog.New(slog.DiscardHandler)}
	if root := moduleRoot(); root != "" {
		cfg.ToolRoots = []string{root}
	}
	return cfg
}

// moduleRoot is the nearest folder above a test with a go.mod, where make
// setup puts a PostgreSQL.
func moduleRoot() string {
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
		dir = filepath.Dir(dir)
	}
	return ""
}

// newFolder is a data folder under base; testing's own is closed to the user
// that root hands PostgreSQL to. It also removes those of test processes that
// were killed.
func newFolder(base string) (string, error) {
	old, _ := filepath.Glob(filepath.Join(base, folderPrefix+"*"))
	for _, dir := range old {
		if info, err := os.Stat(dir); err == nil && time.Since(info.ModTime()) > abandonedAfter {
			_ = os.RemoveAll(dir) // perhaps another user's
		}
	}
	return os.MkdirTemp(base, folderPrefix)
}

// memory is where files cost no disk, and roomy how much of it the clusters of
// a test run may need together.
const (
	memory = "/dev/shm"
	roomy  = 4 << 30
)

// quickBase is where a server without durability keeps its files: in memory if
// there is room, unless TMPDIR says where.
func quickBase() string {
	var fs syscall.Statfs_t
	if os.Getenv("TMPDIR") != "" || syscall.Statfs(memory, &fs) != nil || int64(fs.Bavail)*int64(fs.Bsize) < roomy { //nolint:unconvert // Bsize has another type on other systems
		return os.TempDir()
	}
	probe, err := os.MkdirTemp(memory, folderPrefix)
	if err != nil {
		return os.TempDir()
	}
	_ = os.Remove(probe)
	return memory
}

// startCached starts a server on a new folder, from a copy of a cluster that
// an earlier process made: copying takes a fifth of the time of initdb.
func startCached(ctx context.Context, cfg embedded.Config) (*embedded.Server, error) {
	bin, err := embedded.Locate(ctx, cfg)
	if err != nil {
		return nil, err
	}
	cfg.BinDir = bin.Dir
	cached, err := cachePath(bin)
	if err != nil {
		return embedded.Start(ctx, cfg) // this user has no cache folder
	}
	if err := os.CopyFS(cfg.DataDir, os.DirFS(cached)); err == nil {
		return embedded.Start(ctx, cfg)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err := embedded.Initialize(ctx, cfg); err != nil {
		return nil, err
	}
	if err := store(cfg.DataDir, cached); err != nil {
		cfg.Logger.Warn("cannot cache the cluster", "error", err)
	}
	return embedded.Start(ctx, cfg)
}

// cachePath is where the cluster of a PostgreSQL is kept.
func cachePath(bin embedded.Binaries) (string, error) {
	cache, err := os.UserCacheDir()
	sum := sha256.Sum256([]byte(clusterRevision + "\n" + bin.Dir + "\n" + bin.Version))
	return filepath.Join(cache, "recourse", "test-cluster", hex.EncodeToString(sum[:8])), err
}

// store copies a cluster into the cache, complete or not at all. Another
// process may do the same; the first wins.
func store(folder, cached string) error {
	if err := os.MkdirAll(filepath.Dir(cached), 0o700); err != nil {
		return err
	}
	building, err := os.MkdirTemp(filepath.Dir(cached), "new-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(building) }()
	if err := os.CopyFS(building, os.DirFS(folder)); err != nil {
		return err
	}
	if err := os.Rename(building, cached); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}
