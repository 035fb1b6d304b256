package subprocess

import (
	"os/exec"
	"runtime"
	"sync"
	"syscall"
)

// Start starts a separate program, which Linux kills, though not what it started, when this
// process ends.
func Start(cmd *exec.Cmd) error {
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
	started := make(chan error)
	starter() <- func() { started <- cmd.Start() }
	return <-started
}

// starter returns the calls of a thread that lasts as long as this process: Linux takes the
// end of the thread that starts a program for the end of its parent.
var starter = sync.OnceValue(func() chan<- func() {
	calls := make(chan func())
	go func() {
		runtime.LockOSThread()
		for call := range calls {
			call()
		}
	}()
	return calls
})
