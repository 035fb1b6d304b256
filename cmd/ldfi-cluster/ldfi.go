package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/lineage-driven/ldfi/internal/work"
)

// ldfi is the program that does units.
type ldfi struct {
	Path    string `json:"-"`
	Build   string `json:"build"`   // names it
	Version string `json:"version"` // which people read
}

// findLdfi looks for the ldfi that has started this program, or else beside this program,
// and in PATH.
func findLdfi(ctx context.Context) (ldfi, error) {
	path := os.Getenv("LDFI")
	if path == "" {
		var err error
		if path, err = work.Program("ldfi"); err != nil {
			return ldfi{}, errors.New("there is no ldfi beside this program, nor in PATH, which would do the work\ninstall it: go install github.com/lineage-driven/ldfi/cmd/ldfi@latest")
		}
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	found := ldfi{Path: path}
	text, err := exec.CommandContext(ctx, path, "unit", "--build").Output()
	if err == nil {
		err = json.Unmarshal(text, &found)
	}
	if err == nil && found.Build == "" {
		err = errors.New("it does not say which one it is")
	}
	if err != nil {
		return ldfi{}, fmt.Errorf("%s cannot do units (%w): install ldfi and ldfi-cluster of the same version", path, err)
	}
	return found, nil
}
