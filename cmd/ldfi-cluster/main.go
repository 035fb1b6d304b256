// Ldfi-cluster carries the work of ldfi to other machines: ldfi serve, ldfi worker,
// ldfi workers and the flag --workers start it.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/slot"
)

// The exit codes, as those of ldfi.
const (
	exitDone  = 0
	exitUsage = 2
)

// streams are where a command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "keep" { // of which people do not have to know
		os.Exit(slot.Keep(os.Args[2:]))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	os.Exit(run(ctx, os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr}))
}

// run carries out one command line and returns the exit code.
func run(ctx context.Context, args []string, s streams) int {
	root := s.root()
	root.SetArgs(args)
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	err := root.ExecuteContext(ctx)
	if err != nil && !(ctx.Err() != nil && errors.Is(err, context.Canceled)) {
		fmt.Fprintf(s.err, "ldfi-cluster: %v\n", err)
		return exitUsage
	}
	return exitDone
}
