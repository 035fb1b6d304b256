package oracle

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Protocols returns a case for each program below testdata/protocols of the
// module that the test runs in, in the order of their paths. A file without
// bounds has to be included by another one; that, and a file that cannot be
// read, fails the test.
func Protocols(t testing.TB) []Case {
	t.Helper()
	dir, err := moduleDir()
	if err != nil {
		t.Fatal(err)
	}
	cases, err := protocolsBelow(filepath.Join(dir, "testdata", "protocols"))
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

// moduleDir returns the closest directory with a go.mod.
func moduleDir() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("looking for the module: %w", err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if filepath.Dir(dir) == dir {
			return "", errors.New("looking for the module: no go.mod here or above")
		}
		dir = filepath.Dir(dir)
	}
}

// inputs is the name of directories with input facts alone, as for the flag --inputs
// of ldfi bisect: they are no programs.
const inputs = "inputs"

// protocolsBelow returns the cases of a directory and its subdirectories.
func protocolsBelow(dir string) ([]Case, error) {
	var cases []Case
	var parts []string
	included := map[string]bool{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".ded" {
			return err
		}
		if filepath.Base(filepath.Dir(path)) == inputs {
			return nil
		}
		p, err := dedalus.Parse(path)
		if err != nil {
			return err
		}
		for _, file := range p.Files[1:] {
			included[filepath.Clean(file)] = true
		}
		if !slices.ContainsFunc(p.Settings, func(s dedalus.Setting) bool { return s.Key == "eot" }) {
			parts = append(parts, path)
			return nil
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		c, err := newCase(filepath.ToSlash(name), "", 1, p)
		cases = append(cases, c)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading the protocols: %w", err)
	}
	if len(cases) == 0 {
		return nil, fmt.Errorf("there are no protocols in %s", dir)
	}
	parts = slices.DeleteFunc(parts, func(path string) bool { return included[path] })
	if len(parts) > 0 {
		return nil, fmt.Errorf("these have no bounds, and no other file includes them: %s", strings.Join(parts, ", "))
	}
	return cases, nil
}
