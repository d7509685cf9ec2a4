package recovery_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/core/classification"
	"github.com/recourse-dev/recourse/core/recovery"
)

func allCodes() []classification.Code {
	var codes []classification.Code
	for _, info := range classification.Codes() {
		codes = append(codes, info.Code)
	}
	return codes
}

func TestEveryTableHasARowForEveryCode(t *testing.T) {
	t.Parallel()
	var interactive, dynamic []classification.Code
	for _, row := range recovery.InteractiveTable() {
		assert.NotEmpty(t, row.Rule, "%s", row.Code)
		interactive = append(interactive, row.Code)
	}
	for _, row := range recovery.DynamicTable() {
		assert.NotEmpty(t, row.Rule, "%s", row.Code)
		dynamic = append(dynamic, row.Code)
	}
	assert.Equal(t, allCodes(), interactive)
	assert.Equal(t, allCodes(), dynamic)
	for _, code := range allCodes() {
		cause := recovery.CauseOf(code)
		assert.Equal(t, code, cause.Code)
		assert.Contains(t, recovery.Remedies(), cause.Remedy, "%s", code)
		assert.Contains(t, recovery.NextSteps(), cause.Next, "%s", code)
		assert.Equal(t, code == classification.AgentRuntimeError, cause.LaunchBudget, "%s", code)
	}
}

func TestACodeWithoutARowIsForAMaintainer(t *testing.T) {
	t.Parallel()
	assert.Equal(t, recovery.Cause{Code: "gremlins", Remedy: recovery.RemedyAskMaintainer, Next: recovery.NextReport}, recovery.CauseOf("gremlins"))
}

// Only the three tables decide by code: a mention elsewhere would be a second
// policy, and a code named nowhere would have none.
func TestOnlyTheTablesMentionCodes(t *testing.T) {
	t.Parallel()
	tables := []string{"cause.go", "dynamic.go", "interactive.go"}
	names := codeConstants(t)
	require.Len(t, names, len(allCodes()))
	files, err := os.ReadDir(".")
	require.NoError(t, err)
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".go") || strings.HasSuffix(file.Name(), "_test.go") {
			continue
		}
		mentioned := mentions(t, file.Name(), names)
		if slices.Contains(tables, file.Name()) {
			assert.ElementsMatch(t, names, mentioned, "%s names every code once", file.Name())
			continue
		}
		assert.Empty(t, mentioned, "%s", file.Name())
	}
}

// codeConstants are the names of the constants of type Code.
func codeConstants(t *testing.T) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), "../classification/code.go", nil, 0)
	require.NoError(t, err)
	var names []string
	ast.Inspect(parsed, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if kind, ok := spec.Type.(*ast.Ident); ok && kind.Name == "Code" {
			names = append(names, spec.Names[0].Name)
		}
		return true
	})
	return names
}

func mentions(t *testing.T, file string, names []string) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	require.NoError(t, err)
	var found []string
	ast.Inspect(parsed, func(n ast.Node) bool {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		pkg, ok := selector.X.(*ast.Ident)
		if ok && pkg.Name == "classification" && slices.Contains(names, selector.Sel.Name) {
			found = append(found, selector.Sel.Name)
		}
		return true
	})
	return found
}

// The tables and the classes must not drift apart: what the gate never lets
// through needs no rule, and everything else needs one.
func TestRulesAgreeWithTheClasses(t *testing.T) {
	t.Parallel()
	interactive, dynamic := recovery.InteractiveTable(), recovery.DynamicTable()
	for i, info := range classification.Codes() {
		automatic := info.Class == classification.ClassTransient || info.Class == classification.ClassHard
		assert.Equal(t, automatic, interactive[i].Rule != recovery.InteractiveStopGate, "%s", info.Code)
		assert.Equal(t, automatic, dynamic[i].Rule != recovery.DynamicStopGate, "%s", info.Code)
		retries := interactive[i].Rule == recovery.InteractiveRetry || interactive[i].Rule == recovery.InteractiveRetryIfShort
		assert.Equal(t, info.Class == classification.ClassTransient, retries, "%s", info.Code)
		parks := automatic && dynamic[i].Rule != recovery.DynamicLaunchOnly
		assert.Equal(t, parks, dynamic[i].Park != "", "%s", info.Code)
	}
}
