//go:build !linux

package processgroup

import "os/exec"

// DieWithParent does nothing.
func DieWithParent(*exec.Cmd) {}
