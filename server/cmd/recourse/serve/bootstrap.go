package serve

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/recourse-dev/recourse/core/fault"
	"github.com/recourse-dev/recourse/server/auth"
	"github.com/recourse-dev/recourse/server/service/account"
)

// AdminTokenFile is the first token, bare, in the data folder.
const AdminTokenFile = "admin-token"

// pendingFile holds the first token until the database has it: whatever
// instant the process dies at, the token that works is in one of the two files.
const pendingFile = AdminTokenFile + ".new"

// bootstrap makes the first workspace and token on an empty database, and
// returns the token's secret; "" where there was nothing to do.
func bootstrap(ctx context.Context, accounts *account.Service, folder string) (secret string, err error) {
	if err := adoptPending(ctx, accounts, folder); err != nil {
		return "", err
	}
	pending := filepath.Join(folder, pendingFile)
	secret = auth.NewSecret(auth.KindToken, account.DefaultWorkspace)
	if err := writeSecret(pending, secret); err != nil {
		return "", err
	}
	created, err := accounts.Bootstrap(ctx, secret)
	if err != nil {
		return "", err
	}
	if !created {
		return "", drop(pending)
	}
	return secret, publish(folder)
}

// drop removes a pending file; another replica on the same folder may have.
func drop(pending string) error {
	if err := os.Remove(pending); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// adoptPending ends what a process that was killed had begun.
func adoptPending(ctx context.Context, accounts *account.Service, folder string) error {
	pending := filepath.Join(folder, pendingFile)
	left, err := os.ReadFile(pending)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = accounts.Authenticate(ctx, strings.TrimSpace(string(left)), false)
	switch {
	case err == nil:
		return publish(folder)
	case fault.Is(err, fault.ReasonTokenInvalid):
		return drop(pending)
	}
	return err
}

func publish(folder string) error {
	if err := os.Rename(filepath.Join(folder, pendingFile), filepath.Join(folder, AdminTokenFile)); err != nil {
		return err
	}
	return syncFolder(folder)
}

// writeSecret writes a file that only its owner reads, and waits for the disk.
func writeSecret(name, secret string) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("write the admin token: %w", err)
	}
	_, err = file.WriteString(secret + "\n")
	return errors.Join(err, file.Chmod(0o600), file.Sync(), file.Close())
}

func syncFolder(folder string) error {
	dir, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
