package serve

import (
	"testing"

	"github.com/recourse-dev/recourse/storage/postgres"
	"github.com/recourse-dev/recourse/storage/storagetest/pg"
)

func TestMain(m *testing.M) { pg.Main(m, pg.Migrate(postgres.Migrate)) }
