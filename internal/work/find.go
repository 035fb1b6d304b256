package work

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// carrier is the name of the program that talks to a server.
const carrier = "ldfi-cluster"

// errMissing says how to get it.
var errMissing = fmt.Errorf("%s, which talks to a server and its workers, lies neither beside ldfi nor in PATH; install it by\n  go install github.com/lineage-driven/ldfi/cmd/ldfi-cluster@latest", carrier)

// Find returns the file of the program, see [Program].
func Find() (string, error) {
	found, err := Program(carrier)
	if err != nil {
		return "", errMissing
	}
	return found, nil
}

// Program returns the file of a program: beside this one, which was installed together with
// it, or in PATH.
func Program(name string) (string, error) {
	if own, err := os.Executable(); err == nil {
		if beside, err := exec.LookPath(filepath.Join(filepath.Dir(own), name)); err == nil {
			return beside, nil
		}
	}
	return exec.LookPath(name)
}
