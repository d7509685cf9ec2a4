// Command recourse is the server of Recourse.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := execute(ctx, stop, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// execute runs one command; release gives signals back to the system, so that
// a second one ends a stop that takes too long.
func execute(ctx context.Context, release func(), args []string, stdout, stderr *os.File) int {
	root := newRoot(release)
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	if err := root.ExecuteContext(ctx); err != nil {
		fmt.Fprintf(stderr, "recourse: %v\n", err)
		return 1
	}
	return 0
}
