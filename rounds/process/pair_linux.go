package process

import (
	"fmt"
	"os"
	"syscall"
)

// socketPair returns two sockets that are connected, for the driver and a node.
func socketPair() (driver, node *os.File, err error) {
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("a pair of sockets: %w", err)
	}
	return os.NewFile(uintptr(pair[0]), "driver"), os.NewFile(uintptr(pair[1]), "node"), nil
}
