package postgres_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/sql/migrations"
	"github.com/recourse-dev/recourse/storage/postgres"
	"github.com/recourse-dev/recourse/storage/storagetest/pg"
)

// Tables are co-located by workspace on a distributed PostgreSQL: these tests
// keep it possible.

func strs(t *testing.T, query string) []string {
	t.Helper()
	rows, err := pg.New(t).Query(t.Context(), query)
	require.NoError(t, err)
	defer rows.Close()
	var out []string
	for rows.Next() {
		var s string
		require.NoError(t, rows.Scan(&s))
		out = append(out, s)
	}
	require.NoError(t, rows.Err())
	return out
}

const ourTables = `n.nspname = 'public' AND c.relkind IN ('r', 'p') AND c.relname NOT LIKE 'goose%'`

func TestEveryPrimaryKeyStartsWithTheWorkspace(t *testing.T) {
	t.Parallel()
	all := strs(t, `SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE `+ourTables)
	keyed := strs(t, `SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
		JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
		JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
		WHERE a.attname = 'workspace_id' AND `+ourTables)
	require.NotEmpty(t, all)
	require.ElementsMatch(t, all, keyed)
}

func TestEveryIndexStartsWithTheWorkspace(t *testing.T) {
	t.Parallel()
	require.Empty(t, strs(t, `SELECT i.indexrelid::regclass::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
		JOIN pg_index i ON i.indrelid = c.oid
		JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
		WHERE a.attname <> 'workspace_id' AND `+ourTables))
}

func TestEveryForeignKeyNamesTheWorkspace(t *testing.T) {
	t.Parallel()
	require.Empty(t, strs(t, `SELECT k.conname FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE k.contype = 'f' AND NOT EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum = k.conkey[1] AND a.attname = 'workspace_id') AND `+ourTables))
	require.Empty(t, strs(t, `SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'public' AND c.relkind = 'S' AND c.relname NOT LIKE 'goose%'`), "no sequences")
}

// acrossWorkspaces are the queries that look for something due in every
// workspace, and those that touch no workspace's rows.
var acrossWorkspaces = map[string]string{
	"ReadClock":          "touches no table",
	"SendHint":           "touches no table",
	"BootstrapWorkspace": "asks whether there is any workspace",
	"ListWorkspaces":     "the instance admin's list, and the pruner's",
	"SurveyWatched":      "finder on a partial index",
	"FindOverdue":        "finder on a partial index",
	"FindUnnumbered":     "finder on a partial index",
	"CountOpen":          "metrics, a few times a minute, on a partial index",
}

var (
	queryHead   = regexp.MustCompile(`(?m)^-- name: (\w+) :\w+$`)
	byWorkspace = regexp.MustCompile(`(?i)\bworkspace_id\s*=\s*@workspace_id|\(workspace_id,[^)]*\)\s*(VALUES \(|SELECT )@workspace_id`)
)

func TestEveryQueryNamesTheWorkspace(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("..", "..", "sql", "queries", "*.sql"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	excused := map[string]bool{}
	count := 0
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		text := string(raw)
		heads := queryHead.FindAllStringSubmatchIndex(text, -1)
		for i, h := range heads {
			end := len(text)
			if i+1 < len(heads) {
				end = heads[i+1][0]
			}
			name, body := text[h[2]:h[3]], text[h[1]:end]
			count++
			if acrossWorkspaces[name] != "" {
				excused[name] = true
				continue
			}
			require.Regexp(t, byWorkspace, body, "query %s of %s does not name its workspace", name, filepath.Base(file))
		}
	}
	require.Len(t, excused, len(acrossWorkspaces), "an exception is no longer needed")
	require.Greater(t, count, 40)
}

func TestTheClockIsTheDatabases(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("..", "..", "sql", "queries", "*.sql"))
	require.NoError(t, err)
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		for n, line := range strings.Split(string(raw), "\n") {
			if strings.HasPrefix(line, "--") || !strings.Contains(line, "now()") && !strings.Contains(line, "clock_timestamp()") {
				continue
			}
			require.Contains(t, line, "sqlc.narg('now')", "%s:%d has a clock that a test cannot move", filepath.Base(file), n+1)
		}
	}
}

func TestMigrations(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	version, err := store.SchemaVersion(t.Context())
	require.NoError(t, err)
	require.Equal(t, postgres.TargetVersion(), version)
	entries, err := migrations.FS.ReadDir(".")
	require.NoError(t, err)
	require.Len(t, entries, int(version), "numbers without holes")
}

func TestMigrateTogether(t *testing.T) {
	t.Parallel()
	url := pg.URL(t)
	errs := make(chan error, 4)
	for range cap(errs) {
		go func() { errs <- postgres.Migrate(t.Context(), url) }()
	}
	for range cap(errs) {
		require.NoError(t, <-errs)
	}
}

// The faults that constraints stand for are found by name: a renamed one would
// turn into an internal error.
func TestConstraintsThatCallersMayBreakExist(t *testing.T) {
	t.Parallel()
	names := strs(t, `SELECT conname FROM pg_constraint UNION SELECT indexrelid::regclass::text FROM pg_index`)
	for _, name := range postgres.ConstraintsWithFaults() {
		require.Contains(t, names, name)
	}
}
