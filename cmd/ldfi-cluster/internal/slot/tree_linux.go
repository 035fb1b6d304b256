package slot

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/lineage-driven/ldfi/internal/files"
)

// listed reports whether this kernel lists the children of processes.
var listed = sync.OnceValue(func() bool {
	_, err := os.Stat("/proc/thread-self/children")
	return err == nil
})

func children(pid int) (pids []int) {
	if !listed() {
		return childrenByTable(pid)
	}
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, thread := range threads {
		text, _ := files.Read(thread, files.Text) // nothing if it has ended
		for _, field := range strings.Fields(string(text)) {
			if child, err := strconv.Atoi(field); err == nil {
				pids = append(pids, child)
			}
		}
	}
	return pids
}
