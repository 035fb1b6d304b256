package connection

import (
	"fmt"
	"os"
	"runtime"
)

// Exposed says that others on this machine can read the key in a file, and what to do; ""
// if they cannot, or there is no key.
func Exposed(file string) string {
	info, err := os.Stat(file)
	if err != nil || runtime.GOOS == "windows" || info.Mode().Perm()&0o077 == 0 {
		return ""
	}
	return fmt.Sprintf("others on this machine can read the key in %s: chmod 600 %s", file, file)
}
