package remote

import "syscall"

// dieWithParent lets Linux kill the host, though not what it started, when the
// thread that starts it ends.
func dieWithParent(attributes *syscall.SysProcAttr) { attributes.Pdeathsig = syscall.SIGKILL }
