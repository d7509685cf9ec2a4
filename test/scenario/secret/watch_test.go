package secret

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// window is how many bytes of a secret in a row are a leak. Fewer tell nothing,
// and may be found in any text by chance.
const window = 12

// watch knows every planted secret and finds pieces of them.
type watch struct {
	mu      sync.Mutex
	pieces  map[string]string   // window → where it was planted
	leaks   map[string][]string // where it was planted → an excerpt, and who reads it
	maybe   []bool              // hash of a window's head → some secret has it; most of any text is settled here
	planted int
	looked  int // bytes
}

func newWatch() *watch {
	return &watch{pieces: map[string]string{}, maybe: make([]bool, 1<<22), leaks: map[string][]string{}}
}

func (w *watch) hide(where, secret string) {
	if len(secret) < window {
		panic("a secret of " + fmt.Sprint(len(secret)) + " bytes: " + where)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.planted++
	for i := range len(secret) - window + 1 {
		w.pieces[secret[i:i+window]] = where
		w.maybe[hash(secret[i:])] = true
	}
}

func hash(text string) uint64 {
	return binary.LittleEndian.Uint64([]byte(text[:8])) * 0x9e3779b97f4a7c15 >> 42
}

// look searches what a reader gets. where names the reader.
func (w *watch) look(where, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.looked += len(text)
	for i := 0; i <= len(text)-window; i++ {
		if !w.maybe[hash(text[i:])] {
			continue
		}
		planted, found := w.pieces[text[i:i+window]]
		if !found {
			continue
		}
		if len(w.leaks[planted]) == 0 {
			w.leaks[planted] = append(w.leaks[planted], fmt.Sprintf("%q", text[max(0, i-40):min(len(text), i+60)]))
		}
		if !slices.Contains(w.leaks[planted], where) {
			w.leaks[planted] = append(w.leaks[planted], where)
		}
		i += window
	}
}

// check fails if anything was found.
func (w *watch) check(t *testing.T) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	t.Logf("%d secrets, %d bytes looked at", w.planted, w.looked)
	if len(w.leaks) == 0 {
		return
	}
	t.Errorf("%d of them leak", len(w.leaks))
	all := slices.Sorted(maps.Keys(w.leaks))
	for _, planted := range all[:min(len(all), 40)] {
		t.Logf("%s → %s", planted, strings.Join(w.leaks[planted], ", "))
	}
}

// tables reads every value of every table of a database, bytes as they are.
func tables(t *testing.T, url string, each func(table, value string)) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { _ = conn.Close(t.Context()) }()
	rows, err := conn.Query(t.Context(), `SELECT format('%I.%I', table_schema, table_name) FROM information_schema.tables
		WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`)
	require.NoError(t, err)
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Greater(t, len(names), 8, "tables: %v", names)
	for _, name := range names {
		rows, err := conn.Query(t.Context(), "SELECT * FROM "+name)
		require.NoError(t, err)
		for rows.Next() {
			for i, raw := range rows.RawValues() {
				each(name+"."+rows.FieldDescriptions()[i].Name, string(raw))
			}
		}
		require.NoError(t, rows.Err())
	}
}
