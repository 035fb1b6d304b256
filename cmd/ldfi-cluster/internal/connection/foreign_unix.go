//go:build unix

package connection

import (
	"io/fs"
	"os"
	"syscall"
)

// foreign tells whether a file belongs neither to this user nor to root.
func foreign(info fs.FileInfo) bool {
	owner, ok := info.Sys().(*syscall.Stat_t)
	return ok && owner.Uid != 0 && int64(owner.Uid) != int64(os.Geteuid())
}
