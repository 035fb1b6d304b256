package limits

import "runtime/debug"

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
