package embedded

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// dieWithParent asks the kernel to send sig when the thread that forks the
// process ends. See spawn, which keeps that thread alive.
func dieWithParent(attr *syscall.SysProcAttr, sig syscall.Signal) { attr.Pdeathsig = sig }

// runsCluster says whether pid is a PostgreSQL on the cluster folder. A
// process id alone proves nothing: after a reboot, or in a container, the
// number of a dead postmaster soon belongs to someone else.
func runsCluster(pid int, cluster string) bool {
	proc := filepath.Join("/proc", strconv.Itoa(pid))
	comm, err := os.ReadFile(filepath.Join(proc, "comm"))
	if err != nil || strings.TrimSpace(string(comm)) != "postgres" {
		return false
	}
	// PostgreSQL works inside its cluster folder. Only its own user and root
	// may read the link, and only they could run it on our folder.
	cwd, err := os.Readlink(filepath.Join(proc, "cwd"))
	return err == nil && cwd == cluster
}

// clusterProcesses lists the PostgreSQL processes that work in the cluster
// folder.
func clusterProcesses(cluster string) []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var pids []int
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil && runsCluster(pid, cluster) {
			pids = append(pids, pid)
		}
	}
	return pids
}
