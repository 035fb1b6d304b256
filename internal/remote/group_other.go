//go:build !unix

package remote

import "os/exec"

func separate(*exec.Cmd) {}

// kill ends the host.
func kill(cmd *exec.Cmd) error { return cmd.Process.Kill() }

// guard does nothing: a host ends with its input.
func guard(*exec.Cmd, string) (end func()) { return func() {} }
