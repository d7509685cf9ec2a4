package serve

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/recourse-dev/recourse/server/auth"
	"github.com/recourse-dev/recourse/server/service/account"
	"github.com/recourse-dev/recourse/storage/postgres"
	"github.com/recourse-dev/recourse/storage/storagetest/pg"
)

func setupAccounts(t *testing.T) (*account.Service, string) {
	t.Helper()
	store, err := postgres.Open(t.Context(), postgres.Config{URL: pg.URL(t)})
	require.NoError(t, err)
	t.Cleanup(store.Close)
	return account.New(store, newID), t.TempDir()
}

func read(t *testing.T, folder, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(folder, name))
	require.NoError(t, err)
	return strings.TrimSpace(string(data))
}

func requireWorks(t *testing.T, accounts *account.Service, secret string) {
	t.Helper()
	caller, err := accounts.Authenticate(t.Context(), secret, false)
	require.NoError(t, err)
	require.True(t, caller.InstanceAdmin)
	require.Equal(t, account.DefaultWorkspace, caller.WorkspaceID)
}

func TestTheFirstStartMakesOneToken(t *testing.T) {
	t.Parallel()
	accounts, folder := setupAccounts(t)
	secret, err := bootstrap(t.Context(), accounts, folder)
	require.NoError(t, err)
	require.Equal(t, secret, read(t, folder, AdminTokenFile))
	requireWorks(t, accounts, secret)
	info, err := os.Stat(filepath.Join(folder, AdminTokenFile))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	again, err := bootstrap(t.Context(), accounts, folder)
	require.NoError(t, err)
	require.Empty(t, again)
	require.Equal(t, secret, read(t, folder, AdminTokenFile))
	require.NoFileExists(t, filepath.Join(folder, pendingFile))
}

// A process may die at any instant; the next start ends what it had begun.
func TestAStartThatDied(t *testing.T) {
	t.Parallel()
	for name, died := range map[string]func(t *testing.T, accounts *account.Service, pending, secret string){
		"before the database had the token": func(t *testing.T, _ *account.Service, pending, secret string) {
			t.Helper()
			require.NoError(t, writeSecret(pending, secret))
		},
		"in the middle of the file": func(t *testing.T, _ *account.Service, pending, secret string) {
			t.Helper()
			require.NoError(t, writeSecret(pending, secret[:10]))
		},
		"after the database had the token": func(t *testing.T, accounts *account.Service, pending, secret string) {
			t.Helper()
			require.NoError(t, writeSecret(pending, secret))
			created, err := accounts.Bootstrap(t.Context(), secret)
			require.NoError(t, err)
			require.True(t, created)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			accounts, folder := setupAccounts(t)
			died(t, accounts, filepath.Join(folder, pendingFile), auth.NewSecret(auth.KindToken, account.DefaultWorkspace))
			_, err := bootstrap(t.Context(), accounts, folder)
			require.NoError(t, err)
			requireWorks(t, accounts, read(t, folder, AdminTokenFile))
			require.NoFileExists(t, filepath.Join(folder, pendingFile))
		})
	}
}

// Of two first starts on one database, one makes the token.
func TestTwoFirstStartsAtOnce(t *testing.T) {
	t.Parallel()
	accounts, folder := setupAccounts(t)
	other := t.TempDir()
	results := make(chan string, 2)
	for _, f := range []string{folder, other} {
		go func() {
			secret, err := bootstrap(t.Context(), accounts, f)
			if err != nil {
				secret = err.Error()
			}
			results <- secret
		}()
	}
	first, second := <-results, <-results
	require.True(t, (first == "") != (second == ""), "%q and %q", first, second)
	requireWorks(t, accounts, first+second)
}

// Replicas on one folder that start at once do not stop each other: each may
// find that what it wants to remove is gone.
func TestStartsAtOnceOnOneFolder(t *testing.T) {
	t.Parallel()
	accounts, folder := setupAccounts(t)
	_, err := bootstrap(t.Context(), accounts, folder)
	require.NoError(t, err)
	const starts = 8
	results := make(chan error, starts)
	for range starts {
		go func() {
			for range 5 {
				if _, err := bootstrap(t.Context(), accounts, folder); err != nil {
					results <- err
					return
				}
			}
			results <- nil
		}()
	}
	for range starts {
		require.NoError(t, <-results)
	}
}
