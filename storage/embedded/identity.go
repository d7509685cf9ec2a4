//go:build unix

package embedded

import (
	"os"
	"os/exec"
	"os/user"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// identity is the user that PostgreSQL runs as.
type identity struct {
	name     string
	uid, gid int
	drop     bool // the process is root and hands PostgreSQL to this user
}

// unprivileged are the users that root hands PostgreSQL to, best first:
// postgres and initdb refuse to run as root.
var unprivileged = []string{"postgres", "nobody"}

// runAs decides which user PostgreSQL runs as.
func runAs() (identity, error) {
	if os.Geteuid() != 0 {
		return identity{name: "uid " + strconv.Itoa(os.Geteuid()), uid: os.Geteuid(), gid: os.Getegid()}, nil
	}
	return firstUser(unprivileged)
}

func firstUser(names []string) (identity, error) {
	for _, name := range names {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, uidErr := strconv.Atoi(u.Uid)
		gid, gidErr := strconv.Atoi(u.Gid)
		if uidErr == nil && gidErr == nil && uid != 0 {
			return identity{name: name, uid: uid, gid: gid, drop: true}, nil
		}
	}
	return identity{}, refuse(nil, "PostgreSQL refuses to run as root, and this machine has no user %s; make one, or start as an ordinary user",
		strings.Join(names, " or "))
}

// dirMode is the mode of a new data folder.
func (id identity) dirMode() os.FileMode {
	if id.drop {
		return 0o711
	}
	return 0o700
}

// inherited are the only variables PostgreSQL gets from this process: the rest
// may hold secrets, and PG* ones would change what it does.
var inherited = []string{"PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "ICU_DATA"}

// command prepares a PostgreSQL program; onParentDeath is sent to it when this
// process dies, where the system can do that.
func (id identity) command(onParentDeath syscall.Signal, dir, path string, args ...string) *exec.Cmd {
	cmd := exec.Command(path, args...)
	cmd.Dir = dir
	cmd.Env = []string{"LC_ALL=C", "TZ=UTC"}
	for _, kv := range os.Environ() {
		if name, _, _ := strings.Cut(kv, "="); slices.Contains(inherited, name) {
			cmd.Env = append(cmd.Env, kv)
		}
	}
	// A group of its own: a Ctrl-C in the terminal is for the server, which
	// stops PostgreSQL last.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(cmd.SysProcAttr, onParentDeath)
	if id.drop {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(id.uid), Gid: uint32(id.gid)}
	}
	// Survivors of a killed postmaster keep its output open; do not wait for
	// them to reap it.
	cmd.WaitDelay = time.Second
	return cmd
}

// own gives a file or folder to the user PostgreSQL runs as.
func (id identity) own(path string) error {
	if !id.drop {
		return nil
	}
	return os.Lchown(path, id.uid, id.gid)
}

// owner is the user id of a file.
func owner(info os.FileInfo) int {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(st.Uid)
	}
	return -1
}
