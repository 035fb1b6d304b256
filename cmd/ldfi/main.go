package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() { os.Exit(realMain()) }

func realMain() int {
	ctx, stop := interruptible()
	defer stop()
	return run(ctx, os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr})
}

// interruptible returns a context that the first Ctrl-C (or SIGTERM) cancels,
// so that what is known by then can still be said. A second one ends the
// process at once, as it would without this.
func interruptible() (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}
