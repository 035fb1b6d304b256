package main

import (
	"os"
	"path/filepath"

	"github.com/lineage-driven/ldfi/internal/subject"
)

// openCache returns the cache of answers in a directory, or in that of the user; nil if
// there is no such directory.
func openCache(dir string) (*subject.Cache, error) {
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return nil, nil // there is nowhere to keep anything
		}
		dir = filepath.Join(user, "ldfi")
	}
	build, err := buildID()
	if err != nil {
		return nil, err
	}
	return subject.NewCache(dir, build), nil
}
