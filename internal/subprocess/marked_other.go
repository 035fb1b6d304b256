//go:build !linux

package subprocess

import "os/exec"

// Marked does nothing: there is no mark.
func Marked(*exec.Cmd) (mark string) { return "" }

// KillMarked does nothing.
func KillMarked(*exec.Cmd, string) {}
