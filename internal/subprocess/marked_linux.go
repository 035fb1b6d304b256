package subprocess

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/lineage-driven/ldfi/internal/files"
)

// Marked lets a program that is not started yet be known by a variable in its environment,
// and with it what it starts, also what leaves its process group, its session and its
// parent: who has lost that becomes a child of this process.
func Marked(cmd *exec.Cmd) (mark string) {
	adopt()
	name := make([]byte, 8) // of one length: what is in memory at the start does not depend on it
	_, _ = rand.Read(name)
	mark = "LDFI_STARTED=" + hex.EncodeToString(name)
	cmd.Env = append(cmd.Environ(), mark)
	return mark
}

// adopt makes this process the parent of those below it that lose theirs.
var adopt = sync.OnceFunc(func() {
	const setChildSubreaper = 36 // of prctl(2)
	_, _, _ = syscall.RawSyscall6(syscall.SYS_PRCTL, setChildSubreaper, 1, 0, 0, 0, 0)
})

// longestSweep is how long processes are looked for that go on starting others.
const longestSweep = 200 * time.Millisecond

// KillMarked ends what lives below this process and has the mark of a program that was
// started, or comes from one that has. The program itself is still to be waited for.
func KillMarked(cmd *exec.Cmd, mark string) {
	ended := map[int]bool{}
	// A child whose parent ends while processes are looked at is below nobody then: so
	// nothing has to be there twice.
	for end, none := time.Now().Add(longestSweep), 0; ; time.Sleep(time.Millisecond) {
		left := marked(cmd.Process.Pid, mark)
		for _, id := range left {
			_ = syscall.Kill(id, syscall.SIGKILL)
			ended[id] = id != cmd.Process.Pid
		}
		if none++; len(left) > 0 {
			none = 0
		}
		if none == 2 || time.Now().After(end) {
			break
		}
	}
	for id, inherited := range ended {
		if inherited {
			_, _ = syscall.Wait4(id, nil, syscall.WNOHANG, nil)
		}
	}
}

// process is one of this machine. One that has ended is there until its parent has waited
// for it, and has children until the last of its threads has ended.
type process struct {
	id, parent int
	ended      bool
}

// marked returns the processes that are to end: the program that was started, processes
// with its mark, and what comes from either.
func marked(program int, mark string) (found []int) {
	self, below := os.Getpid(), map[int][]process{}
	for _, p := range processes() {
		below[p.parent] = append(below[p.parent], p)
	}
	var visit func(parent int, ends bool)
	visit = func(parent int, ends bool) {
		for _, p := range below[parent] {
			ends := ends || p.id == program
			if !ends {
				environ, _ := files.Read("/proc/"+strconv.Itoa(p.id)+"/environ", files.Text)
				ends = bytes.Contains(environ, []byte(mark))
			}
			if ends && !p.ended {
				found = append(found, p.id)
			}
			visit(p.id, ends)
		}
	}
	visit(self, false)
	return found
}

// processes returns all processes. They are looked at whenever a program that was started
// ends: so each takes no more calls of the system than it has to.
func processes() (all []process) {
	entries, _ := os.ReadDir("/proc")
	begin := make([]byte, 512)
	for _, entry := range entries {
		id, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		text := begin[:readBeginning("/proc/"+entry.Name()+"/stat", begin)]
		// After the name, which may have anything in it, come the state and the parent.
		fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
		if len(fields) < 2 {
			continue
		}
		parent, _ := strconv.Atoi(string(fields[1]))
		all = append(all, process{id, parent, fields[0][0] == 'Z' || fields[0][0] == 'X'})
	}
	return all
}

// readBeginning reads what a file begins with, and returns how much it is.
func readBeginning(file string, begin []byte) int {
	fd, err := syscall.Open(file, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return 0
	}
	defer syscall.Close(fd)
	n, _ := syscall.Read(fd, begin)
	return max(n, 0)
}
