package subprocess

import (
	"os/exec"
	"syscall"
)

// DieWithParent lets Linux kill a separate program, though not what it started, when
// the thread that starts it ends.
func DieWithParent(cmd *exec.Cmd) { cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL }
