package subject

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// A cache does not grow without end. Its entries lie in 256 directories by the
// first letters of their names. Whenever one gets a new entry, what nobody has
// asked for in a month is removed from it, and the oldest of what is too much: so
// the work is bounded, and several processes need not agree on who does it.
const (
	unusedFor   = 30 * 24 * time.Hour
	mostInShard = 2 << 20 // bytes; 512 MiB altogether
	usedAgain   = 24 * time.Hour
)

// used notes that an entry was asked for, unless that was noted lately.
func used(file string, now time.Time) {
	if info, err := os.Stat(file); err == nil && now.Sub(info.ModTime()) > usedAgain {
		_ = os.Chtimes(file, now, now)
	}
}

// prune removes from a directory what is old or too much, except for one entry. What
// cannot be removed stays.
func prune(dir, except string, now time.Time) {
	entries, _ := os.ReadDir(dir)
	var all []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && info.Name() != filepath.Base(except) {
			all = append(all, info)
		}
	}
	slices.SortFunc(all, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	left := int64(mostInShard)
	if info, err := os.Stat(except); err == nil {
		left -= info.Size()
	}
	for _, info := range all {
		left -= info.Size()
		if left < 0 || now.Sub(info.ModTime()) > unusedFor {
			_ = os.Remove(filepath.Join(dir, info.Name()))
		}
	}
}
