//go:build !unix

package wire

import "os/exec"

func separate(*exec.Cmd) {}

// kill ends the host.
func kill(cmd *exec.Cmd) error { return cmd.Process.Kill() }
