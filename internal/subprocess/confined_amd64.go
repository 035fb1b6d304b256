//go:build linux

package subprocess

import "golang.org/x/sys/unix"

const architecture = unix.AUDIT_ARCH_X86_64

// ofArchitecture are calls that only this architecture has.
var ofArchitecture = []uint32{unix.SYS_CHMOD, unix.SYS_CHOWN, unix.SYS_LCHOWN, unix.SYS_UTIME, unix.SYS_UTIMES, unix.SYS_FUTIMESAT}
