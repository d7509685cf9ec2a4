package pg

import (
	"context"
	"os"
	"path/filepath"

	"github.com/recourse-dev/recourse/storage/embedded"
)

// UseToolRoot lets the servers that a test process starts find the PostgreSQL
// of make setup where the machine has none. Call it from TestMain.
func UseToolRoot(ctx context.Context) error {
	bin, err := embedded.Locate(ctx, configIn("", nil))
	if err != nil {
		return err
	}
	return os.Setenv(embedded.PrefixVariable, filepath.Dir(bin.Dir))
}
