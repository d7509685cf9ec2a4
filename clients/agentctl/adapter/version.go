package adapter

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/recourse-dev/recourse/core/recovery"
)

// versionTimeout bounds what an agent may take to say its version.
const versionTimeout = 5 * time.Second

var triple = regexp.MustCompile(`\b\d+\.\d+\.\d+(?:-[0-9A-Za-z.]+)?\b`)

// Version finds the version of an agent that did not print it: in the path of
// its installation, in its package's manifest, or by asking it. A shell script
// is not asked, because a wrapper may do anything with the question. "" is unknown.
func Version(ctx context.Context, program string) string {
	path, err := filepath.EvalSymlinks(program)
	if err != nil {
		return ""
	}
	if v := triple.FindString(filepath.Base(path)); v != "" {
		return v
	}
	if v := manifestVersion(filepath.Dir(path)); v != "" {
		return v
	}
	if script(path) {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, versionTimeout)
	defer cancel()
	command := exec.CommandContext(ctx, path, "--version")
	command.WaitDelay = time.Second
	out, err := command.Output()
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(string(out), "\n")
	return triple.FindString(first)
}

// AssumedVersion is the version to go by when none was found: the one on which
// the agent's resume was tried, marked as assumed. A resume that does not work
// there costs one attempt and repeats nothing. "" for an agent without one.
func AssumedVersion(kind string) string {
	for _, row := range recovery.ResumeTable() {
		if row.AgentKind == kind && row.ProvenFrom != "" {
			return row.ProvenFrom + " (assumed)"
		}
	}
	return ""
}

// manifestVersion looks for the package that holds the program, one or two
// folders up: bin/ and dist/ hold the entry points of packages.
func manifestVersion(folder string) string {
	for range 3 {
		text, err := os.ReadFile(filepath.Join(folder, "package.json"))
		if err == nil {
			var manifest struct {
				Version string          `json:"version"`
				Bin     json.RawMessage `json:"bin"`
			}
			if json.Unmarshal(text, &manifest) == nil && len(manifest.Bin) > 0 {
				return triple.FindString(manifest.Version)
			}
			return ""
		}
		folder = filepath.Dir(folder)
	}
	return ""
}

// script reports a program that another one interprets, unless that is Node:
// the agents that are Node programs have their own entry points.
func script(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return true
	}
	defer f.Close()
	head := make([]byte, 128)
	n, _ := f.Read(head)
	line, _, _ := strings.Cut(string(head[:n]), "\n")
	return strings.HasPrefix(line, "#!") && !strings.Contains(line, "node")
}
