//go:build unix

package remote

import (
	"os/exec"
	"strconv"
	"syscall"
)

// onDeath waits until its input ends, which is when the program that started it ends for
// any reason. Then it ends a process group and, on Linux, processes that have left the
// group but have its mark in their environment, and removes a directory if it is given one.
const onDeath = `trap '' HUP INT TERM; read -r _; kill -s KILL -- "-$1"
if [ -n "$3" ]; then
  for e in $(grep -slF -e "$3" /proc/[0-9]*/environ 2>/dev/null); do e=${e#/proc/}; kill -s KILL "${e%/environ}"; done
fi
[ -z "$2" ] || rm -rf -- "$2"`

// guard ends the host, and removes its directory, when this program is killed and cannot do
// so itself. The caller has to call end after it has ended the host. On a machine without a
// shell there is no guard: a host ends with its input, too.
func guard(host *exec.Cmd, mark, dir string) (end func()) {
	cmd := exec.Command("/bin/sh", "-c", onDeath, "ldfi-guard", strconv.Itoa(host.Process.Pid), dir, mark)
	cmd.Dir, cmd.SysProcAttr = "/", &syscall.SysProcAttr{Setpgid: true}
	alive, err := cmd.StdinPipe() // which is never written to
	if err != nil || cmd.Start() != nil {
		return func() {}
	}
	return func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = alive.Close()
	}
}
