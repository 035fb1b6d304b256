//go:build !unix

package subprocess

import "os/exec"

// Separate does nothing.
func Separate(*exec.Cmd) {}

// Kill ends the program.
func Kill(cmd *exec.Cmd) error { return cmd.Process.Kill() }
