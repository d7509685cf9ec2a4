//go:build lint

// Package lintconfig proves that each ban of .golangci.yml bites: it plants one
// violation of each in a scratch module and expects the linter to name it with
// the ban's reason. `make lint` runs it; it needs bin/golangci-lint.
package lintconfig

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// seed is one planted violation.
type seed struct {
	file   string // where it stands
	source string // what it says, after the package clause
	want   string // part of the linter's message
}

var seeds = []seed{
	{"core/recovery/a.go", `import _ "net/http"`, "core-pure"},
	{"core/recovery/b.go", `import _ "math/rand"`, "core-pure"},
	{"core/recovery/c.go", `import _ "os"`, "core-pure"},
	{"core/evidence/a.go", `import _ "github.com/recourse-dev/recourse/storage"`, "core-pure"},
	{"core/fault/a.go", `import _ "github.com/recourse-dev/recourse/core/evidence"`, "core/fault imports nothing of ours"},
	{"storage/postgres/a.go", `import _ "github.com/recourse-dev/recourse/gen/go/recourse/v1"`, "storage never sees the wire contract"},
	{"storage/postgres/b.go", `import _ "github.com/recourse-dev/recourse/server/service"`, "storage implements ports"},
	{"storage/postgres/c.go", `import _ "github.com/recourse-dev/recourse/clients/go"`, "storage never calls a client"},
	{"server/service/x/a.go", `import _ "github.com/recourse-dev/recourse/gen/go/recourse/v1"`, "use cases speak in core types"},
	{"server/service/x/b.go", `import _ "github.com/recourse-dev/recourse/storage"`, "a service owns a small port"},
	{"server/service/x/c.go", `import _ "connectrpc.com/connect/v2"`, "use cases know no protocol"},
	{"server/service/x/d.go", `import _ "github.com/jackc/pgx/v5"`, "SQL lives in sql/queries"},
	{"server/rpc/a.go", `import _ "github.com/recourse-dev/recourse/storage"`, "handlers never see SQL"},
	{"server/rpc/b.go", `import _ "github.com/jackc/pgx/v5"`, "handlers never see SQL"},
	{"clients/web/a.go", `import _ "github.com/recourse-dev/recourse/server/service"`, "clients use the public contract only"},
	{"clients/web/b.go", `import _ "github.com/recourse-dev/recourse/storage"`, "clients use the public contract only"},
	{"clients/go/a.go", `import _ "github.com/recourse-dev/recourse/core/recovery"`, "the client library is thin"},
	{"clients/go/b.go", `import _ "github.com/recourse-dev/recourse/core/classification"`, "the client library is thin"},
	{"clients/go/c.go", `import _ "github.com/recourse-dev/recourse/catalogue"`, "the client library is thin"},
	{"server/rpc/c.go", "import \"time\"\n\nfunc nap() { time.Sleep(1) }\n\nvar _ = nap", "wait for a condition"},
	{"server/rpc/d.go", "import connect \"connectrpc.com/connect/v2\"\n\nvar _ = connect.NewError()", "return a core/fault error"},
	{"server/rpc/long.go", "func long() int {\n\tn := 0\n" + strings.Repeat("\tn++\n", 70) + "\treturn n\n}\n\nvar _ = long", "Function 'long' is too long"},
	{"server/rpc/skip_test.go", "import \"testing\"\n\nfunc TestX(t *testing.T) { t.Skip(\"no\") }", "a test that is skipped proves nothing"},
}

// stubs are the packages that the violations import.
var stubs = map[string]string{
	"storage/stub.go":             "package storage",
	"server/service/stub.go":      "package service",
	"gen/go/recourse/v1/stub.go":  "package recoursev1",
	"clients/go/stub.go":          "package client",
	"clients/web/stub.go":         "package web",
	"catalogue/stub.go":           "package catalogue",
	"core/evidence/stub.go":       "package evidence",
	"core/recovery/stub.go":       "package recovery",
	"core/classification/stub.go": "package classification",
	"core/fault/stub.go":          "package fault",
	"stub/connect/go.mod":         "module connectrpc.com/connect/v2\n\ngo 1.26.0",
	"stub/connect/stub.go":        "package connect\n\nfunc NewError() error { return nil }",
	"stub/pgx/go.mod":             "module github.com/jackc/pgx/v5\n\ngo 1.26.0",
	"stub/pgx/stub.go":            "package pgx",
	"server/rpc/stub.go":          "package rpc",
	"server/service/x/stub.go":    "package x",
	"storage/postgres/stub.go":    "package postgres",
	"go.mod": "module github.com/recourse-dev/recourse\n\ngo 1.26.0\n\nrequire (\n\tconnectrpc.com/connect/v2 v2.0.0\n\tgithub.com/jackc/pgx/v5 v5.0.0\n)\n\n" +
		"replace connectrpc.com/connect/v2 => ./stub/connect\n\nreplace github.com/jackc/pgx/v5 => ./stub/pgx",
}

func TestEachBanBites(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	dir := t.TempDir()
	for name, text := range stubs {
		write(t, filepath.Join(dir, name), text+"\n")
	}
	for _, s := range seeds {
		clause := "package " + packageOf(t, dir, s.file)
		write(t, filepath.Join(dir, s.file), clause+"\n\n"+s.source+"\n")
	}
	cmd := exec.Command(filepath.Join(root, "bin", "golangci-lint"), "run", "--config", filepath.Join(root, ".golangci.yml"),
		"--output.text.path", "stdout", "--output.text.colors=false", "./...")
	cmd.Dir = dir
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	require.Error(t, err, "the linter found nothing")
	lines := strings.Split(stdout.String(), "\n")
	for _, s := range seeds {
		require.Truef(t, reported(lines, s), "%s: no report with %q\n%s%s", s.file, s.want, stdout.String(), stderr.String())
	}
}

func reported(lines []string, s seed) bool {
	for _, line := range lines {
		if strings.Contains(line, "/"+s.file+":") && strings.Contains(line, s.want) {
			return true
		}
	}
	return false
}

// packageOf is the package clause of the stub beside file.
func packageOf(t *testing.T, dir, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, filepath.Dir(file), "stub.go"))
	require.NoError(t, err)
	return strings.Fields(string(text))[1]
}

func write(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}
