package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/catalogue"
)

const houseRule = `rules:
  - id: own.house.limit
    about: the house gateway's words for a used-up month
    code: quota_limited
    priority: 990
    provenance: {source: "the gateway's manual", date: "2026-11-30"}
    when: {text: [{any: ["house allowance is gone"]}]}
    fixtures:
      match:
        - signal: {stderr: "the house allowance is gone"}
      miss:
        - {signal: {stderr: "the house is gone"}, code: unclassified}
`

func overlay(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	return dir
}

// A bad overlay refuses the start before anything is touched, and says all that is wrong.
func TestABadOverlayRefusesTheStart(t *testing.T) {
	t.Parallel()
	dir := overlay(t, map[string]string{
		"one.yaml": strings.Replace(houseRule, "the house is gone", "the house allowance is gone", 1),
		"two.yaml": strings.NewReplacer("own.house", "own.other", "quota_limited", "quota_gone").Replace(houseRule),
		"tre.yaml": "rules: {",
	})
	data := filepath.Join(t.TempDir(), "data")
	code, stdout, stderr := runCommand(t, "serve", "--listen", "127.0.0.1:0", "--data", data, "--catalogue-overlay", dir)
	require.Equal(t, 1, code)
	require.Empty(t, stdout)
	require.NoDirExists(t, data)
	require.True(t, strings.HasPrefix(stderr, "recourse: catalogue-overlay: the catalogue is not sound, "), stderr)
	for _, want := range []string{
		filepath.Join(dir, "one.yaml") + ": own.house.limit: miss 0: the rule decides it",
		filepath.Join(dir, "two.yaml") + `: own.other.limit: code "quota_gone" does not exist`,
		filepath.Join(dir, "tre.yaml") + ": ",
	} {
		require.Contains(t, stderr, want)
	}
	for path, want := range map[string]string{filepath.Join(dir, "none"): "no such file", t.TempDir(): "holds no rule file"} {
		code, _, stderr = runCommand(t, "serve", "--listen", "127.0.0.1:0", "--data", data, "--catalogue-overlay", path)
		require.Equal(t, 1, code)
		require.Contains(t, stderr, "catalogue-overlay: ")
		require.Contains(t, stderr, want)
	}
}

// One real start with an overlay: it is in the digest, the list and the answers.
func TestServeWithAnOverlay(t *testing.T) {
	t.Parallel()
	data := dataFolder(t)
	dir := overlay(t, map[string]string{"90-house.yaml": houseRule})
	server := serveOn(t, data, "--catalogue-overlay", dir)
	token := server.token(t, data)
	plain, err := catalogue.Plain()
	require.NoError(t, err)

	shown := server.json(t, http.MethodGet, "/v1/catalogue", token, "")
	require.Equal(t, catalogue.Version+"+overlay", shown["version"])
	require.Regexp(t, "^sha256:", shown["digest"])
	require.NotEqual(t, plain.Classifier.Digest(), shown["digest"])
	require.InDelta(t, len(plain.Rules())+1, shown["ruleCount"], 0)

	rule := map[string]any{
		"ruleId": "own.house.limit", "code": "CODE_QUOTA_LIMITED", "confidence": "CONFIDENCE_HIGH", "scope": "SCOPE_ACCOUNT", "dialect": "house",
		"priority": 990.0, "description": "the house gateway's words for a used-up month", "provenance": "the gateway's manual (2026-11-30)",
	}
	require.Equal(t, rule, server.json(t, http.MethodGet, "/v1/rules/own.house.limit", token, "")["rule"])
	require.Equal(t, []any{rule}, server.json(t, http.MethodGet, "/v1/rules?dialect=house", token, "")["rules"])

	answer := server.json(t, http.MethodPost, "/v1/workspaces/default/failures:classify", token,
		`{"envelope": {"agentKind": "codex", "signals": [{"stderr": {"text": "the house allowance is gone"}}, {"processExit": {"exitCode": 1}}]}}`)
	named, ok := answer["classification"].(map[string]any)
	require.True(t, ok, answer)
	require.Equal(t, "own.house.limit", named["ruleId"])
	require.Equal(t, shown["digest"], named["catalogueDigest"])
	server.end(t)
}

// json asks the server and reads its answer.
func (r running) json(t *testing.T, method, path, token, body string) map[string]any {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, r.url+path, strings.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "application/json")
	req.Close = true
	response, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	defer response.Body.Close()
	var out map[string]any
	require.NoError(t, json.NewDecoder(response.Body).Decode(&out))
	require.Equal(t, http.StatusOK, response.StatusCode, out)
	return out
}
