package remote

import (
	"os"
	"os/exec"
	"path/filepath"
)

// workInOwnDirectory lets a go command put what it builds into a temporary
// directory, which is to be removed: a go run which is killed leaves it all behind.
// A test has the directory for its [door]. Other commands stay as they are.
func workInOwnDirectory(cmd *exec.Cmd, words []string) (dir string, err error) {
	if !isGo(words[0]) && !isTest(cmd, words) {
		return "", nil
	}
	if dir, err = os.MkdirTemp(os.Getenv("GOTMPDIR"), "ldfi-host-*"); err != nil {
		return "", err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return "", err
	}
	cmd.Env = append(cmd.Environ(), "GOTMPDIR="+dir)
	return dir, nil
}

// isGo tells whether a program is the go command.
func isGo(program string) bool {
	name := filepath.Base(program)
	return name == "go" || name == "go.exe"
}

// removing returns what removes a directory, if there is one.
func removing(dir string) (remove func()) {
	return func() {
		if dir != "" {
			_ = os.RemoveAll(dir)
		}
	}
}
