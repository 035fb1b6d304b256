package limits

import "golang.org/x/sys/unix"

// installed is how many bytes of memory the machine has, 0 if it does not say that.
func installed() int64 {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0
	}
	return int64(uint64(info.Totalram) * uint64(info.Unit))
}
