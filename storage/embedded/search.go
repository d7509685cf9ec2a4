//go:build unix

package embedded

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
)

// installedPatterns are where packages put PostgreSQL: Debian, the
// PostgreSQL project's RPMs, Homebrew on ARM and on Intel.
var installedPatterns = []string{
	"/usr/lib/postgresql/*/bin",
	"/usr/pgsql-*/bin",
	"/opt/homebrew/opt/postgresql@*/bin",
	"/usr/local/opt/postgresql@*/bin",
}

// searchFolders lists the folders to try, best first, without looking inside.
func searchFolders(cfg Config) []string {
	if cfg.BinDir != "" {
		return []string{absolute(cfg.BinDir)}
	}
	if prefix := os.Getenv(PrefixVariable); prefix != "" {
		prefix = absolute(prefix)
		return []string{filepath.Join(prefix, "bin"), npmFolder(filepath.Join(prefix, "node_modules")), npmFolder(prefix)}
	}
	var folders, roots []string
	if exe, err := os.Executable(); err == nil {
		if resolved, err := filepath.EvalSymlinks(exe); err == nil {
			exe = resolved
		}
		folders = append(folders, filepath.Join(filepath.Dir(exe), "pg", "bin"))
		roots = append(roots, filepath.Dir(filepath.Dir(exe)))
	}
	folders = append(folders, pathFolders()...)
	folders = append(folders, installedFolders(installedPatterns)...)
	if dir, err := os.Getwd(); err == nil {
		roots = append(roots, dir)
	}
	for _, root := range append(roots, cfg.ToolRoots...) {
		folders = append(folders,
			npmFolder(filepath.Join(root, "tools", "pg", "node_modules")),
			npmFolder(filepath.Join(root, "clients", "web", "node_modules")))
	}
	return unique(folders)
}

// pathFolders are the folders of PATH that hold a postgres; the rest would
// only make the message of a failed search unreadable. Relative ones are left
// out, as os/exec does.
func pathFolders() []string {
	var folders []string
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if _, err := os.Stat(filepath.Join(dir, "postgres")); err == nil && filepath.IsAbs(dir) {
			folders = append(folders, dir)
		}
	}
	return folders
}

var numberPattern = regexp.MustCompile(`\d+`)

// installedFolders expands the patterns, newest version first.
func installedFolders(patterns []string) []string {
	var folders []string
	for _, pattern := range patterns {
		found, err := filepath.Glob(pattern)
		if err == nil { // the only error is a bad pattern, and a test walks them
			folders = append(folders, found...)
		}
	}
	return newestFirst(folders)
}

func newestFirst(folders []string) []string {
	slices.SortStableFunc(folders, func(a, b string) int { return cmp.Compare(versionIn(b), versionIn(a)) })
	return folders
}

func versionIn(path string) int {
	n, err := strconv.Atoi(numberPattern.FindString(path))
	if err != nil {
		return 0
	}
	return n
}

// npmFolder is where the npm package keeps its programs.
func npmFolder(modules string) string {
	arch := map[string]string{"amd64": "x64", "386": "ia32", "ppc64le": "ppc64"}[runtime.GOARCH]
	return filepath.Join(modules, "@embedded-postgres", runtime.GOOS+"-"+cmp.Or(arch, runtime.GOARCH), "native", "bin")
}

// absolute keeps a path that cannot be resolved; the probe then says why.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

func unique(folders []string) []string {
	var kept []string
	for _, dir := range folders {
		if !slices.Contains(kept, dir) {
			kept = append(kept, dir)
		}
	}
	return kept
}
