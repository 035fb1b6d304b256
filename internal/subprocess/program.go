package subprocess

import "syscall"

// Unforked does something while this process starts no program. Whoever starts one in the
// meantime hands it for a moment all files that are open: where one of these is a program
// that is just written, it cannot be started then ("text file busy"). So programs are
// written like this.
func Unforked(write func() error) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return write()
}
