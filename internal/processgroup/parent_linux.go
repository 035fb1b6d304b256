package remote

import (
	"os/exec"
	"syscall"
)

// dieWithParent lets Linux kill the host, though not what it started, when the
// thread that starts it ends.
func dieWithParent(cmd *exec.Cmd) { cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL }
