package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// checkWritten refuses to overwrite a file that was read, and to write two texts to one
// file. A file without a name is not written. Devices and pipes take any number of texts.
func checkWritten(read []string, written ...string) error {
	var before []string
	for _, name := range written {
		if name == "" {
			continue
		}
		for _, other := range read {
			if sameFile(name, other) {
				return fmt.Errorf("%s belongs to what is asked about, and would be lost: write to another file", name)
			}
		}
		for _, other := range before {
			if sameFile(name, other) {
				return fmt.Errorf("%s is to be written twice: write to different files", name)
			}
		}
		before = append(before, name)
	}
	return nil
}

// sameFile tells whether two names are those of one file, which need not exist.
func sameFile(a, b string) bool {
	left, err := os.Stat(a)
	if err != nil {
		return absolute(a) == absolute(b)
	}
	right, err := os.Stat(b)
	return err == nil && left.Mode().IsRegular() && os.SameFile(left, right)
}

func absolute(name string) string {
	if dir, err := filepath.EvalSymlinks(filepath.Dir(name)); err == nil {
		name = filepath.Join(dir, filepath.Base(name))
	}
	if path, err := filepath.Abs(name); err == nil {
		return path
	}
	return name
}
