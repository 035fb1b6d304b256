package subprocess

import (
	"os/exec"
	"runtime"
	"sync"
	"syscall"
)

// Start starts a separate program, which Linux kills, though not what it started, when this
// process ends.
func Start(cmd *exec.Cmd) error { return StartOn(starter(), cmd) }

// starter returns the calls of a thread that lasts as long as this process: Linux takes the
// end of the thread that starts a program for the end of its parent.
var starter = sync.OnceValue(Thread)

// Thread returns the calls of a thread of its own, which ends when the channel is closed:
// what it gives up, such as the network of this machine, only those programs do not have
// either that it starts ([StartOn]).
func Thread() chan<- func() {
	calls := make(chan func())
	go onThread(func() {
		for call := range calls {
			call()
		}
	})
	return calls
}

// onThread does something on a thread of its own, which ends with it. That is not the main
// one: by the rights of that others judge the whole program.
func onThread(do func()) {
	runtime.LockOSThread()
	if syscall.Gettid() != syscall.Getpid() {
		do()
		return
	}
	begun := make(chan bool)
	go func() {
		runtime.LockOSThread() // another one, while this goroutine has the main thread
		close(begun)
		do()
	}()
	<-begun
	runtime.UnlockOSThread()
}

// StartOn is Start by a [Thread], with whose end the program is killed.
func StartOn(thread chan<- func(), cmd *exec.Cmd) error {
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
	started := make(chan error)
	thread <- func() { started <- cmd.Start() }
	return <-started
}
