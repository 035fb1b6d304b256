//go:build linux && (amd64 || arm64)

// Command raw asks Linux by an instruction of its own, past package syscall: it tries to
// change a real file, and prints the answers. Its argument is that file.
package main

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// ask makes a system call.
func ask(call, a1, a2, a3, a4, a5, a6 uintptr) (result uintptr)

func main() {
	path := func(name string) uintptr {
		b := append([]byte(name), 0)
		kept = append(kept, b)
		return uintptr(unsafe.Pointer(&b[0]))
	}
	here := ^uintptr(0) - 99 // AT_FDCWD
	real, beside := path(os.Args[1]), path(os.Args[1]+".new")
	text, times := path("changed"), make([]unix.Timespec, 2)
	kept = append(kept, times)
	reads := ask(unix.SYS_OPENAT, here, real, unix.O_RDONLY, 0, 0, 0)
	for _, t := range []struct {
		what   string
		result uintptr
	}{
		{"open it for writing", ask(unix.SYS_OPENAT, here, real, unix.O_WRONLY, 0, 0, 0)},
		{"empty it", ask(unix.SYS_OPENAT, here, real, unix.O_RDONLY|unix.O_TRUNC, 0, 0, 0)},
		{"truncate it", ask(unix.SYS_TRUNCATE, real, 0, 0, 0, 0, 0)},
		{"write to it", ask(unix.SYS_WRITE, reads, text, 7, 0, 0, 0)},
		{"remove it", ask(unix.SYS_UNLINKAT, here, real, 0, 0, 0, 0)},
		{"rename it", ask(unix.SYS_RENAMEAT2, here, real, here, beside, 0, 0)},
		{"link it", ask(unix.SYS_LINKAT, here, real, here, beside, 0, 0)},
		{"create beside it", ask(unix.SYS_OPENAT, here, beside, unix.O_WRONLY|unix.O_CREAT, 0o644, 0, 0)},
		{"make a directory", ask(unix.SYS_MKDIRAT, here, beside, 0o755, 0, 0, 0)},
		{"make a symbolic link", ask(unix.SYS_SYMLINKAT, real, here, beside, 0, 0, 0)},
		{"make a disk", ask(unix.SYS_MKNODAT, here, beside, unix.S_IFBLK|0o644, 8<<8, 0, 0)},
		{"make a pipe", ask(unix.SYS_MKNODAT, here, beside, unix.S_IFIFO|0o644, 0, 0, 0)},
		{"change its mode", ask(unix.SYS_FCHMODAT, here, real, 0, 0, 0, 0)},
		{"change its mode by descriptor", ask(unix.SYS_FCHMOD, reads, 0, 0, 0, 0, 0)},
		{"change its owner", ask(unix.SYS_FCHOWNAT, here, real, 1, 1, 0, 0)},
		{"change its times", ask(unix.SYS_UTIMENSAT, here, real, uintptr(unsafe.Pointer(&times[0])), 0, 0, 0)},
		{"give it an attribute", ask(unix.SYS_SETXATTR, real, path("user.a"), text, 7, 0, 0)},
		{"change itself in /proc", ask(unix.SYS_OPENAT, here, path("/proc/self/comm"), unix.O_WRONLY, 0, 0, 0)},
		{"mount", ask(unix.SYS_MOUNT, path("none"), real, path("tmpfs"), 0, 0, 0)},
		{"set a flag of it", ask(unix.SYS_IOCTL, reads, unix.FS_IOC_SETFLAGS, uintptr(unsafe.Pointer(&times[0])), 0, 0, 0)},
		{"make a socket", ask(unix.SYS_SOCKET, unix.AF_INET, unix.SOCK_DGRAM, 0, 0, 0, 0)},
		{"ask asynchronously", ask(unix.SYS_IO_URING_SETUP, 1, text, 0, 0, 0, 0)},
		{"open the null device", min(ask(unix.SYS_OPENAT, here, path("/dev/null"), unix.O_WRONLY, 0, 0, 0), 0)},
	} {
		if n := -int(t.result); n > 0 && n < 4096 {
			fmt.Println(t.what+":", syscall.Errno(n))
		} else {
			fmt.Println(t.what + ": done")
		}
	}
	runtime.KeepAlive(kept)
}

var kept []any
