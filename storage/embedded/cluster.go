//go:build unix

package embedded

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// ensureCluster makes the cluster, or makes the existing one ready to start.
func (s *site) ensureCluster(ctx context.Context) error {
	s.sweep()
	password, fresh, err := loadPassword(s.cfg.DataDir)
	if err != nil {
		return err
	}
	s.password = password
	version, err := os.ReadFile(filepath.Join(s.cluster(), "PG_VERSION"))
	if errors.Is(err, fs.ErrNotExist) {
		return s.createCluster(ctx, fresh)
	}
	if err != nil || strings.TrimSpace(string(version)) != strconv.Itoa(s.bin.Major) {
		return refuse(ErrForeignFolder, "%s does not hold a cluster of PostgreSQL %d; move it away", s.cluster(), s.bin.Major).With("folder", s.cluster())
	}
	if err := evictOrphan(ctx, s.cluster(), s.run, s.id); err != nil {
		return err
	}
	if err := s.adopt(s.cluster()); err != nil {
		return err
	}
	s.run.clear()
	if !fresh {
		return nil
	}
	s.cfg.Logger.Warn("the database password was lost; setting a new one", "folder", s.cfg.DataDir)
	if err := s.singleUser(ctx, s.cluster(), "ALTER ROLE "+roleName+" PASSWORD '"+password+"'"); err != nil {
		return err
	}
	return savePassword(s.cfg.DataDir, password)
}

// createCluster builds the cluster beside its place and moves it there
// complete, so that a crash never leaves half a cluster.
func (s *site) createCluster(ctx context.Context, freshPassword bool) error {
	if _, err := os.Lstat(s.cluster()); err == nil {
		return refuse(ErrForeignFolder, "%s exists and is no cluster of PostgreSQL; move it away", s.cluster()).With("folder", s.cluster())
	}
	// A name of its own: the remains of a killed initdb may still be written to.
	building, err := os.MkdirTemp(s.cfg.DataDir, filepath.Base(s.cluster())+".new-")
	if err == nil {
		err = s.id.own(building)
	}
	if err != nil {
		return refuse(err, "cannot make a cluster in %s", s.cfg.DataDir).With("folder", s.cfg.DataDir)
	}
	defer func() { _ = os.RemoveAll(building) }() // gone already after the rename
	if err := s.initdb(ctx, building); err != nil {
		return err
	}
	if err := s.singleUser(ctx, building, "CREATE DATABASE "+databaseName); err != nil {
		return err
	}
	if freshPassword {
		if err := savePassword(s.cfg.DataDir, s.password); err != nil {
			return err
		}
	}
	if err := errors.Join(os.Rename(building, s.cluster()), syncFolder(s.cfg.DataDir)); err != nil {
		return broken(err, "cannot move the new cluster to %s", s.cluster()).With("folder", s.cluster())
	}
	return nil
}

func (s *site) initdb(ctx context.Context, dir string) error {
	passwordFile := filepath.Join(s.run.path, "initial-password")
	if err := writeOwned(passwordFile, s.password+"\n", s.id); err != nil {
		return broken(err, "cannot hand the password to initdb in %s", s.run.path).With("folder", s.run.path)
	}
	defer func() { _ = os.Remove(passwordFile) }()
	// The C locale sorts alike on every system and every libc version, so that
	// an upgrade of the machine cannot corrupt an index.
	args := []string{
		"--pgdata=" + dir, "--username=" + roleName, "--pwfile=" + passwordFile, "--auth=scram-sha-256",
		"--encoding=UTF8", "--no-locale", "--data-checksums",
	}
	if s.cfg.Settings["fsync"] == "off" {
		args = append(args, "--no-sync")
	}
	return s.tool(ctx, dir, "", "initdb", args...)
}

// singleUser runs one statement on a cluster that no postmaster serves.
func (s *site) singleUser(ctx context.Context, dir, statement string) error {
	args := append([]string{"--single", "-D", dir}, settingArgs(s.cfg, s.run)...)
	return s.tool(ctx, dir, statement+"\n", "postgres", append(args, "-c", "exit_on_error=on", "postgres")...)
}

// tool runs a PostgreSQL program to its end.
func (s *site) tool(ctx context.Context, dir, input, program string, args ...string) error {
	cmd := s.id.command(syscall.SIGTERM, dir, s.bin.path(program), args...)
	cmd.Stdin = strings.NewReader(input)
	out := &logWriter{logger: s.cfg.Logger}
	cmd.Stderr = out // standard output is a prompt and progress
	if err := run(ctx, cmd); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return broken(err, "%s of %s failed: %s", program, s.bin.Version, out.lastLines()).With("folder", s.cfg.DataDir)
	}
	return nil
}

// sweep removes clusters that were never finished; nobody used them.
func (s *site) sweep() {
	left, err := filepath.Glob(filepath.Join(s.cfg.DataDir, "pg*.new-*"))
	if err != nil {
		return // the data folder's name is a bad pattern: they only take space
	}
	for _, dir := range left {
		_ = os.RemoveAll(dir) // what a dying initdb still writes goes next time
	}
}

// adopt gives a cluster to the user PostgreSQL runs as: a restored backup
// belongs to root, and that user changes when PostgreSQL's package is
// installed later.
func (s *site) adopt(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() {
		return refuse(ErrForeignFolder, "%s is not a folder; move it away", dir).With("folder", dir)
	}
	err = os.Chmod(dir, 0o700)
	if err == nil && s.id.drop && owner(info) != s.id.uid {
		err = filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			return errors.Join(err, s.id.own(path))
		})
	}
	if err != nil {
		return refuse(err, "cannot give %s to %s", dir, s.id.name).With("folder", dir)
	}
	return nil
}

func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
