package slot

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/subprocess"
)

// The exit codes of [Keep] that are not those of the program.
const (
	exitNoStart = 127
	signalled   = 128 // and the number of the signal that ended the program
	killed      = signalled + 9
)

// Keep runs a program: its arguments are a directory of [scratch], which is held meanwhile,
// the program, and its arguments. The program reads the standard input of this process. When
// that ends, also because who holds the other end was killed, and when the program ends, all
// that the program started and that still runs is killed. Keep returns the exit code.
func Keep(args []string) int {
	if len(args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: ldfi-cluster keep DIRECTORY PROGRAM [ARGUMENT]...")
		return 2
	}
	signal.Notify(make(chan os.Signal, 1), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP) // they are for who has started this
	err := files.Hold(args[0])
	if err == nil {
		err = adopt()
	}
	cmd := exec.Command(args[1], args[2:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	subprocess.Separate(cmd)
	var in io.WriteCloser
	if err == nil {
		in, err = cmd.StdinPipe()
	}
	if err == nil {
		err = subprocess.Start(cmd)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return exitNoStart
	}
	stopReaping := reap(cmd.Process.Pid)
	go func() {
		_, _ = io.Copy(in, os.Stdin)
		killTree(cmd)
	}()
	_ = cmd.Wait()
	stopReaping()
	killTree(cmd)
	killOrphans()
	return exitCode(cmd.ProcessState)
}

// killTree kills a program and all that it started, as far as that can be seen.
func killTree(cmd *exec.Cmd) {
	for _, pid := range descendants(os.Getpid()) {
		kill(pid)
	}
	_ = subprocess.Kill(cmd) // which changes nothing if there is nobody
}

// exitCode is that of a shell for a program that has ended.
func exitCode(state *os.ProcessState) int {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return signalled + int(status.Signal())
	}
	return state.ExitCode()
}
