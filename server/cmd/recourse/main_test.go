package main

import (
	"context"
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/recourse-dev/recourse/storage/storagetest/pg"
)

func TestMain(m *testing.M) {
	if err := pg.UseToolRoot(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}
