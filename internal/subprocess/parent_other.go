//go:build !linux

package subprocess

import "os/exec"

// DieWithParent does nothing.
func DieWithParent(*exec.Cmd) {}
