//go:build unix

package remote

import (
	"os/exec"
	"syscall"
)

// separate lets the host have a process group of its own, so that killing it
// ends what it started as well: go run starts the program that it builds.
func separate(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// kill ends the host and what it started.
func kill(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
