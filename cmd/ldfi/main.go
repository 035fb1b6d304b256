package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/remote"
)

func main() { os.Exit(realMain()) }

// realMain carries out the command line of this process. It leaves no host behind,
// however it ends.
func realMain() int {
	limits.CollectGarbage(limits.DefaultMemory())
	remote.Self, _ = os.Executable()
	var hosts remote.Hosts
	defer files.RemoveLeftScratch()
	defer hosts.Kill()
	ctx, again := interruptible(hosts.Context(context.Background()))
	ended := make(chan int, 1)
	go func() { ended <- run(ctx, os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr}) }()
	select {
	case code := <-ended:
		return code
	case <-again:
		fmt.Fprintln(os.Stderr, "\nldfi: interrupted twice: the results so far are not printed")
		return exitInconclusive
	}
}

// oneSignal is the time after the first signal in which others count as the same one:
// timeout(1) sends it to the process and then to its group, which takes a while on a machine
// that is busy. Nobody presses Ctrl-C twice as fast as oneKey.
const (
	oneSignal = 2 * time.Second
	oneKey    = 100 * time.Millisecond
)

// interruptible returns a context that the first Ctrl-C (or SIGTERM) cancels, so that the
// results so far can still be written, and a channel that a second one closes.
func interruptible(ctx context.Context) (_ context.Context, again <-chan struct{}) {
	ctx, cancel := context.WithCancel(ctx)
	signals, second := make(chan os.Signal, 2), make(chan struct{})
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		same := oneSignal
		if <-signals == os.Interrupt {
			same = oneKey
		}
		cancel()
		for first := time.Now(); time.Since(first) < same; {
			<-signals
		}
		close(second)
	}()
	return ctx, second
}
