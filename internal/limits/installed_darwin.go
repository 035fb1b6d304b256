package limits

import "golang.org/x/sys/unix"

// installed is how many bytes of memory the machine has, 0 if it does not say that.
func installed() int64 {
	n, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return int64(n)
}
