package slot

import (
	"fmt"
	"os"
	"os/signal"
	"time"

	"golang.org/x/sys/unix"
)

// adopt makes this process the parent of all whose parents end, among those that it and
// they have started.
func adopt() error {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("becoming the parent of what units start: %w", err)
	}
	return nil
}

// reap lets adopted processes go when they have ended, until it is stopped. The program that
// this process has started itself is waited for elsewhere.
func reap(program int) (stop func()) {
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, unix.SIGCHLD)
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		for range ended {
			for _, pid := range children(os.Getpid()) {
				if pid != program {
					_, _ = unix.Wait4(pid, nil, unix.WNOHANG, nil)
				}
			}
		}
	}()
	return func() {
		signal.Stop(ended)
		close(ended)
		<-stopped
	}
}

// killOrphans kills all that this process has adopted, and what they start meanwhile.
func killOrphans() {
	for begun := time.Now(); time.Since(begun) < 10*time.Second; time.Sleep(time.Millisecond) {
		for _, pid := range descendants(os.Getpid()) {
			kill(pid)
		}
		for {
			pid, err := unix.Wait4(-1, nil, unix.WNOHANG, nil)
			if err == unix.ECHILD {
				return // there is nobody any more
			}
			if pid <= 0 {
				break
			}
		}
	}
	fmt.Fprintln(os.Stderr, "ldfi-cluster: programs that a unit has started go on and start others faster than they can be killed")
}

// conceal keeps other processes of the same user from reading the memory of this one and the
// environment that it was started with.
func conceal() error { return unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) }
