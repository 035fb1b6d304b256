package limits

import (
	"bytes"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"

	"github.com/lineage-driven/ldfi/internal/files"
)

// DefaultMemory is how much memory evaluations may take where nobody says it: half of what the
// machine has, or of what the control groups of the process may have of it.
var DefaultMemory = sync.OnceValue(func() MemorySize { return (&machine{installed(), "/proc", "/sys/fs/cgroup"}).half() })

// unknown is what a machine is taken to have that does not say it.
const unknown = 8e9

// machine is where it is read how much memory there is.
type machine struct {
	installed int64 // 0: that is not known
	proc      string
	groups    string
}

func (m *machine) half() MemorySize {
	has := m.installed
	if has <= 0 {
		has = unknown
	}
	for _, limit := range m.limits() {
		if 0 < limit && limit < has {
			has = limit
		}
	}
	return MemorySize(has / 2)
}

// limits are those of the control groups that the process is in, and of those around them,
// as far as they can be read. In a container the group of the process has its place at the top.
func (m *machine) limits() []int64 {
	list, _ := files.Read(path.Join(m.proc, "self/cgroup"), files.Text)
	var all []int64
	for line := range strings.Lines(string(list)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) < 3 {
			continue
		}
		switch _, controllers, group := parts[0], parts[1], path.Clean("/"+parts[2]); {
		case controllers == "":
			all = append(all, m.upwards("", group, "memory.max")...)
		case strings.Contains(","+controllers+",", ",memory,"):
			all = append(all, m.upwards(controllers, group, "memory.limit_in_bytes")...)
		}
	}
	return all
}

// upwards reads the limit of a group, and of all around it.
func (m *machine) upwards(hierarchy, group, file string) []int64 {
	var all []int64
	for {
		if limit, ok := number(path.Join(m.groups, hierarchy, group, file)); ok {
			all = append(all, limit)
		}
		if group == "/" {
			return all
		}
		group = path.Dir(group)
	}
}

// number reads a file with a number; one with a word, such as max, has none.
func number(name string) (int64, bool) {
	text, err := files.Read(name, files.Schedule)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64)
	return n, err == nil
}

// least is how much memory this process may take however little evaluations may: the garbage
// collector would hardly do anything else otherwise.
const least = 256e6

// CollectGarbage has garbage collected in time for this process to take no more than a size, as far
// as that can be; otherwise it may take twice as much as is in use. A limit that is lower
// (GOMEMLIMIT) stays. What it returns undoes that.
func CollectGarbage(size MemorySize) (undo func()) {
	before := debug.SetMemoryLimit(-1)
	debug.SetMemoryLimit(min(before, max(int64(size), least)))
	return func() { debug.SetMemoryLimit(before) }
}
