package gobuild

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
)

// Installation is an installed Go.
type Installation struct {
	Version string // go1.26.8
	Root    string // its GOROOT
	Cache   string // its GOMODCACHE
	Flags   string // GOFLAGS, from the environment or `go env -w`
	Folder  string // where it was asked; "": in the working directory
}

// Installed returns the Go that the go command uses in a folder: go.mod and GOTOOLCHAIN
// may select another one than the one that is found first.
func Installed(ctx context.Context, command, folder string, environ []string) (Installation, error) {
	c := exec.CommandContext(ctx, command, "env", "-json", "GOVERSION", "GOROOT", "GOMODCACHE", "GOFLAGS")
	c.Dir, c.Env = folder, environ
	out, err := c.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) && len(exit.Stderr) > 0 {
			err = fmt.Errorf("%w: %s", err, strings.TrimSpace(string(exit.Stderr)))
		}
		return Installation{}, fmt.Errorf("asking `go env` which Go this is: %w", err)
	}
	var answer struct{ GOVERSION, GOROOT, GOMODCACHE, GOFLAGS string }
	if err := json.Unmarshal(out, &answer); err != nil {
		return Installation{}, fmt.Errorf("asking `go env` which Go this is: %w", err)
	}
	return Installation{answer.GOVERSION, answer.GOROOT, answer.GOMODCACHE, answer.GOFLAGS, folder}, nil
}

// Release returns the minor release: go1.26.
func (g Installation) Release() string {
	return regexp.MustCompile(`^go1\.[0-9]+`).FindString(g.Version)
}
