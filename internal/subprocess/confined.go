//go:build linux && (amd64 || arm64)

package subprocess

import (
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// StartConfined is Start of a program that can read files, but neither write, create, rename
// and remove them, nor change their modes, owners, times and attributes, nor make a
// connection: Linux takes these rights away before the program begins, from what it starts,
// too. It also gains none by a program that has more rights than its user. /dev/null can be
// written. [Unconfined] says what of this the Linux of this machine cannot do.
func StartConfined(cmd *exec.Cmd) error {
	return StartOn(confinedStarter(), cmd)
}

// confinedStarter is a thread of its own: what a thread has given up it never has again, and
// neither have the programs that it starts.
var confinedStarter = sync.OnceValue(func() chan<- func() {
	calls := Thread()
	calls <- func() { _ = confine() }
	return calls
})

// Unconfined says what programs can still do that are started by [StartConfined]; "" if
// this is nothing.
var Unconfined = sync.OnceValue(func() string {
	said := make(chan string)
	go onThread(func() { said <- strings.Join(confine(), "; ") })
	return <-said
})

// confine takes rights away from this thread, and returns what it could not.
func confine() (left []string) {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return []string{fmt.Sprintf("they keep all rights of yours: no_new_privs: %v", err)}
	}
	if why := withoutFiles(); why != "" {
		left = append(left, why)
	}
	if err := withoutCalls(); err != nil {
		left = append(left, fmt.Sprintf("they can make connections, and change the modes and owners of real files: seccomp: %v", err))
	}
	return left
}

const (
	changesFiles = unix.LANDLOCK_ACCESS_FS_WRITE_FILE |
		unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG |
		unix.LANDLOCK_ACCESS_FS_MAKE_SOCK | unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_SYM
	usesTCP   = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	leaves    = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	threadsOK = 1 << 1 // an erratum: threads of this program can send each other signals
)

// withoutFiles takes away, by Landlock, the right to change real files, and as far as the
// version of it goes to use devices, TCP, and signals to other programs. Links and renames
// across directories are taken away by all versions.
func withoutFiles() (left string) {
	version, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return fmt.Sprintf("they can change real files: this Linux has no Landlock (%v)", errno)
	}
	rules, null := unix.LandlockRulesetAttr{Handled_access_fs: changesFiles}, uint64(unix.LANDLOCK_ACCESS_FS_WRITE_FILE)
	if version < 3 {
		left = fmt.Sprintf("they can empty real files: the Landlock of this Linux has version %d, and it takes 3", version)
	} else {
		rules.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
		null |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if version >= 4 {
		rules.Handled_access_net = usesTCP
	}
	if version >= 5 {
		rules.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	if errata, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_ERRATA); version >= 6 && errno == 0 && errata&threadsOK != 0 {
		rules.Scoped = leaves
	}
	set, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&rules)), unsafe.Sizeof(rules), 0)
	if errno == 0 {
		defer unix.Close(int(set))
		if fd, err := unix.Open("/dev/null", unix.O_PATH|unix.O_CLOEXEC, 0); err == nil {
			defer unix.Close(fd)
			rule := unix.LandlockPathBeneathAttr{Allowed_access: null, Parent_fd: int32(fd)}
			_, _, errno = unix.RawSyscall6(unix.SYS_LANDLOCK_ADD_RULE, set, unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
		}
	}
	if errno == 0 {
		_, _, errno = unix.RawSyscall(unix.SYS_LANDLOCK_RESTRICT_SELF, set, 0, 0)
	}
	if errno != 0 {
		return fmt.Sprintf("they can change real files: Landlock: %v", errno)
	}
	return left
}

// refusedCalls are system calls that Landlock does not know: they change what there is to
// know of a file besides its content and its name, or make a socket.
var refusedCalls = append(ofArchitecture,
	unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWN, unix.SYS_FCHOWNAT, unix.SYS_UTIMENSAT,
	unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, unix.SYS_SETXATTRAT,
	unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR, unix.SYS_REMOVEXATTRAT, unix.SYS_FILE_SETATTR,
	unix.SYS_SOCKET, unix.SYS_IO_URING_SETUP)

// withoutCalls lets the operating system refuse system calls, by seccomp: EPERM, and ENOTTY
// for those of devices, as none of what a program is given is one. The two that are left say
// of a descriptor whether who uses it waits, and whether it is closed in other programs:
// Node.js asks for them of its pipes.
func withoutCalls() error {
	const (
		numberAt, architectureAt, secondAt = 0, 4, 24 // in what a filter sees of a call
		refuses                            = unix.SECCOMP_RET_ERRNO
		setsWaiting, closesInOthers        = 0x5421, 0x5451 // FIONBIO, FIOCLEX
	)
	load := func(at uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
	}
	returns := func(value uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: value}
	}
	unless := func(test uint16, value uint32) unix.SockFilter { // the next one is left out
		return unix.SockFilter{Code: unix.BPF_JMP | test | unix.BPF_K, Jf: 1, K: value}
	}
	filter := []unix.SockFilter{
		load(architectureAt),
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: 1, K: architecture},
		returns(refuses | uint32(unix.EPERM)),
		load(numberAt),
		unless(unix.BPF_JGE, otherNumbers), returns(refuses | uint32(unix.EPERM)),
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jf: 6, K: unix.SYS_IOCTL},
		load(secondAt),
		unless(unix.BPF_JEQ, setsWaiting), returns(unix.SECCOMP_RET_ALLOW),
		unless(unix.BPF_JEQ, closesInOthers), returns(unix.SECCOMP_RET_ALLOW),
		returns(refuses | uint32(unix.ENOTTY)),
	}
	for _, call := range refusedCalls {
		filter = append(filter, unless(unix.BPF_JEQ, call), returns(refuses|uint32(unix.EPERM)))
	}
	filter = append(filter, returns(unix.SECCOMP_RET_ALLOW))
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	return unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)), 0, 0)
}

// otherNumbers are those of system calls of x32, a second form of those of amd64.
const otherNumbers = 0x40000000
