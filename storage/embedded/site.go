//go:build unix

package embedded

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// site is a data folder that this process has locked, with everything needed
// to start PostgreSQL on it.
type site struct {
	cfg      Config
	id       identity
	bin      Binaries
	run      runDir
	lock     *folderLock
	password string
}

func (s *site) cluster() string { return filepath.Join(s.cfg.DataDir, "pg"+strconv.Itoa(s.bin.Major)) }

// openSite locks the data folder and leaves in it a cluster that is complete,
// readable by the user PostgreSQL runs as, and not running.
func openSite(ctx context.Context, cfg Config) (*site, error) {
	id, err := runAs()
	if err != nil {
		return nil, err
	}
	if cfg, err = cfg.normalised(id.dirMode()); err != nil {
		return nil, err
	}
	s := &site{cfg: cfg, id: id}
	if s.lock, err = lockFolder(ctx, cfg.DataDir); err != nil {
		return nil, err
	}
	if err = s.prepare(ctx); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *site) prepare(ctx context.Context) error {
	majors, err := clusterMajors(s.cfg.DataDir)
	if err != nil {
		return err
	}
	if s.bin, err = locate(ctx, s.id, searchFolders(s.cfg), majors, s.cfg.DataDir); err != nil {
		return err
	}
	if err = s.admit(ctx); err != nil {
		return err
	}
	if s.run, err = chooseRunDir(s.cfg.DataDir, s.id); err != nil {
		return err
	}
	if err = s.run.make(s.id); err != nil {
		return err
	}
	return s.ensureCluster(ctx)
}

func (s *site) close() {
	if s.run.path != "" {
		s.run.remove()
	}
	s.lock.release()
}

// admit makes sure that the user PostgreSQL runs as can reach the data folder.
// It opens the data folder itself for passing through, but no folder above it,
// which this package did not make.
func (s *site) admit(ctx context.Context) error {
	if !s.id.drop {
		return nil
	}
	dir := s.cfg.DataDir
	info, err := os.Stat(dir)
	if err == nil && info.Mode().Perm()&0o001 == 0 && owner(info) != s.id.uid {
		s.cfg.Logger.Info("letting PostgreSQL's user pass through the data folder", "folder", dir, "user", s.id.name)
		err = os.Chmod(dir, info.Mode().Perm()|0o001)
	}
	if err == nil {
		// Only the kernel knows all that decides this (lists, mounts): try.
		err = run(ctx, s.id.command(syscall.SIGKILL, dir, s.bin.path("postgres"), "--version"))
	}
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	closed := closedFolder(dir, s.id)
	return refuse(err, "PostgreSQL runs as %s, who may not enter %s; name a data folder elsewhere, such as /var/lib/recourse, or open that one (chmod o+x)",
		s.id.name, closed).With("folder", closed).With("user", s.id.name)
}

// closedFolder is the first folder on the way to dir that others may not pass.
func closedFolder(dir string, id identity) string {
	closed := dir
	for at := dir; at != "/" && at != "."; at = filepath.Dir(at) {
		if info, err := os.Stat(at); err == nil && info.Mode().Perm()&0o001 == 0 && owner(info) != id.uid {
			closed = at
		}
	}
	return closed
}
