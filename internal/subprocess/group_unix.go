//go:build unix

package subprocess

import (
	"os/exec"
	"syscall"
)

// Separate lets a program that is not started yet have a process group of its own.
func Separate(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// Kill ends the program and what it started: go run starts the program that it
// builds, and go build compilers.
func Kill(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
