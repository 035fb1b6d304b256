package slot

import (
	"os"

	"github.com/shirou/gopsutil/v4/process"
)

// descendants are the processes that a process has started and that still run, and those
// that they have started.
func descendants(pid int) (all []int) {
	for _, child := range children(pid) {
		all = append(all, child)
		all = append(all, descendants(child)...)
	}
	return all
}

// childrenByTable looks for the children of a process among all processes.
func childrenByTable(pid int) (pids []int) {
	all, _ := (&process.Process{Pid: int32(pid)}).Children()
	for _, p := range all {
		pids = append(pids, int(p.Pid))
	}
	return pids
}

// resident is how much memory of the machine a process holds, in bytes.
func resident(pid int) uint64 {
	info, err := (&process.Process{Pid: int32(pid)}).MemoryInfo()
	if err != nil {
		return 0 // it has ended
	}
	return info.RSS
}

// kill kills a process.
func kill(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill()
		_ = p.Release()
	}
}
