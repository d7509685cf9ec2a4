//go:build unix && !linux

package embedded

import (
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// dieWithParent does nothing: this system cannot tie a process to its parent.
// The next start stops an orphan instead; see evictOrphan.
func dieWithParent(*syscall.SysProcAttr, syscall.Signal) {}

// runsCluster says whether pid is a PostgreSQL on the cluster folder, by its
// command line, which names the folder.
func runsCluster(pid int, cluster string) bool {
	out, err := exec.Command("ps", "-o", "args=", "-p", strconv.Itoa(pid)).Output()
	return err == nil && strings.Contains(string(out), "postgres") && strings.Contains(string(out), cluster)
}

// clusterProcesses finds none here: the command lines of PostgreSQL's helpers
// do not name the folder. A start waits for them to end; see launch.
func clusterProcesses(string) []int { return nil }
