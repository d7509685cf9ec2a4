//go:build layering

// Package layering checks the direction of imports over the whole dependency
// graph, which a linter that reads one file at a time cannot see, and that
// core/ stays pure. It runs uncached: the go tool does not know what it reads.
package layering

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/recourse-dev/recourse/"

// ban says what the packages under From may never reach, directly or through others.
type ban struct {
	from   string
	to     []string
	except []string // packages under From that are exempt
	why    string
}

var bans = []ban{
	{from: "core", to: []string{module + "storage", module + "server", module + "clients", module + "gen", module + "catalogue"}, why: "core decides; it knows no wire, store or surface"},
	{from: "core", to: []string{"net/http", "net", "os/exec", "database/sql", "math/rand", "math/rand/v2", "google.golang.org/protobuf", "connectrpc.com", "github.com/jackc"}, why: "core is pure: no I/O, no randomness, no proto, no SQL"},
	{from: "core/fault", to: []string{module}, why: "every layer returns faults, so fault imports nothing of ours"},
	{from: "catalogue", to: []string{module + "storage", module + "server", module + "clients"}, why: "rules are data for the core"},
	{from: "storage", to: []string{module + "server", module + "clients", module + "gen/go/recourse/v1", "google.golang.org/grpc", "connectrpc.com"}, except: []string{"storage/storagetest"}, why: "storage never sees the wire contract"},
	{from: "server/service", to: []string{module + "storage", module + "server/rpc", module + "gen/go/recourse/v1", "connectrpc.com", "github.com/jackc"}, why: "use cases speak in core types and own small ports"},
	{from: "server/rpc", to: []string{module + "storage", "github.com/jackc"}, why: "handlers never see SQL"},
	{from: "clients", to: []string{module + "server", module + "storage"}, why: "clients use the public contract only"},
	{from: "clients/go", to: []string{module + "core", module + "catalogue"}, except: nil, why: "the client library is thin; only core/fault is shared"},
}

// allowed lists imports that a ban would catch and that are meant.
var allowed = map[string][]string{
	// The error type that servers return and the client rebuilds.
	"clients/go": {module + "core/fault"},
}

type pkg struct {
	ImportPath string
	Dir        string
	Deps       []string
	GoFiles    []string
}

func list(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,Deps,GoFiles", "./...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	require.NoError(t, err)
	var pkgs []pkg
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := dec.Decode(&p); err == io.EOF {
			return pkgs
		} else if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(p.ImportPath, module) {
			pkgs = append(pkgs, p)
		}
	}
}

func under(path, prefix string) bool {
	return path == prefix || strings.HasPrefix(path, strings.TrimSuffix(prefix, "/")+"/")
}

func TestImportDirection(t *testing.T) {
	t.Parallel()
	pkgs := list(t)
	for _, b := range bans {
		matched := false
		for _, p := range pkgs {
			if !under(p.ImportPath, module+b.from) || exempt(p.ImportPath, b.except) {
				continue
			}
			matched = true
			for _, dep := range p.Deps {
				for _, to := range b.to {
					if under(dep, to) && !permitted(b.from, dep) {
						t.Errorf("%s reaches %s: %s", p.ImportPath, dep, b.why)
					}
				}
			}
		}
		require.True(t, matched, "no package under %s: the ban is dead", b.from)
	}
}

func exempt(path string, except []string) bool {
	for _, e := range except {
		if under(path, module+e) {
			return true
		}
	}
	return false
}

func permitted(from, dep string) bool {
	for _, a := range allowed[from] {
		if under(dep, a) {
			return true
		}
	}
	return false
}

// forbiddenCalls are functions of allowed packages that would make core impure.
var forbiddenCalls = map[string][]string{
	"time": {"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "NewTimer", "NewTicker", "Tick"},
	"fmt":  {"Print", "Println", "Printf", "Scan", "Scanln", "Scanf"},
	"os":   nil, // the whole package
}

func TestCoreIsPure(t *testing.T) {
	t.Parallel()
	seen := 0
	for _, p := range list(t) {
		if !under(p.ImportPath, module+"core") {
			continue
		}
		for _, name := range p.GoFiles {
			seen++
			checkPure(t, filepath.Join(p.Dir, name))
		}
	}
	require.Greater(t, seen, 10)
}

func checkPure(t *testing.T, path string) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, nil, 0)
	require.NoError(t, err)
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			t.Errorf("%s: core starts no goroutine", fset.Position(n.Pos()))
		case *ast.SelectorExpr:
			ident, ok := n.X.(*ast.Ident)
			if !ok || ident.Obj != nil {
				return true
			}
			names, listed := forbiddenCalls[ident.Name]
			if listed && (names == nil || contains(names, n.Sel.Name)) {
				t.Errorf("%s: core uses %s.%s", fset.Position(n.Pos()), ident.Name, n.Sel.Name)
			}
		}
		return true
	})
}

func contains(list []string, s string) bool {
	for _, e := range list {
		if e == s {
			return true
		}
	}
	return false
}
