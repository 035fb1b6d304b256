//go:build unix && !linux

package remote

import "syscall"

func dieWithParent(*syscall.SysProcAttr) {}
