package remote

import (
	"os"
	"os/exec"
	"path/filepath"
)

// workInOwnDirectory lets a go command put what it builds into a temporary
// directory, and returns what removes that: a go run which is killed leaves it
// all behind. Other commands stay as they are.
func workInOwnDirectory(cmd *exec.Cmd, program string) (remove func(), err error) {
	if name := filepath.Base(program); name != "go" && name != "go.exe" {
		return func() {}, nil
	}
	dir, err := os.MkdirTemp(os.Getenv("GOTMPDIR"), "ldfi-host-*")
	if err != nil {
		return nil, err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	cmd.Env = append(cmd.Environ(), "GOTMPDIR="+dir)
	return func() { _ = os.RemoveAll(dir) }, nil
}
