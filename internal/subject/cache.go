package subject

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// Cache is a directory with answers. Several processes can use one at once, and
// be killed at any moment: an entry is there as a whole or not at all. What is old
// or too much is removed (prune.go).
//
// An entry is a file with a line that has the checksum of the rest, and the rest:
// the key and the answer as JSON. Its name comes from the key of the question and
// the version of the program that found the answer.
type Cache struct {
	dir, version string
}

// NewCache returns the cache in a directory, which need not exist yet. A version
// sees only answers of its own.
func NewCache(dir, version string) *Cache {
	files.RemoveTemporary(dir)
	return &Cache{dir, version}
}

// cached is an entry.
type cached struct {
	Version string         `json:"version"` // of the program
	Key     string         `json:"key"`
	Answer  *result.Answer `json:"answer"`
}

const cacheHead = "ldfi answer 1 sha256:"

// file returns the name of the file for a key.
func (c *Cache) file(key string) string {
	name := work.Digest([]byte(c.version + "\n" + key))
	return filepath.Join(c.dir, name[:2], name[2:])
}

// Get returns the answer for a key, nil if there is none. An error says that
// there is an entry which cannot be trusted.
func (c *Cache) Get(key string) (*result.Answer, error) {
	file := c.file(key)
	data, err := files.Read(file, files.Recording)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, c.fails("reading", err)
	}
	e, err := decode(data)
	if err == nil && (e.Version != c.version || e.Key != key) {
		err = errors.New("it answers another question")
	}
	if err != nil {
		return nil, fmt.Errorf("the entry %s of the cache is damaged: %w", file, err)
	}
	used(file, time.Now())
	return e.Answer, nil
}

func decode(data []byte) (*cached, error) {
	head, body, _ := bytes.Cut(data, []byte("\n"))
	sum, ok := strings.CutPrefix(string(head), cacheHead)
	if !ok {
		return nil, errors.New("its first line is wrong")
	}
	if sum != work.Digest(body) {
		return nil, errors.New("its checksum is wrong")
	}
	e := &cached{}
	if err := json.Unmarshal(body, e); err != nil {
		return nil, err
	}
	if e.Answer == nil {
		return nil, errors.New("it lacks the answer")
	}
	return e, nil
}

// Put keeps an answer under a key.
func (c *Cache) Put(key string, a *result.Answer) error {
	body, err := json.Marshal(cached{c.version, key, a})
	if err != nil {
		return fmt.Errorf("writing to the cache: %w", err)
	}
	file := c.file(key)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return c.fails("writing to", err)
	}
	err = files.ReplaceUnsynced(c.dir, file, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s%s\n%s", cacheHead, work.Digest(body), body)
		return err
	})
	if err != nil {
		return c.fails("writing to", err)
	}
	prune(filepath.Dir(file), file, time.Now())
	return nil
}

// fails returns the error of a directory that cannot be used. The error does not name the
// entry, so that it is the same for all entries.
func (c *Cache) fails(doing string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return fmt.Errorf("%s the cache in %s: %w", doing, c.dir, err)
}

// A cache does not grow without end. Its entries lie in 256 directories by the first
// letters of their names. A new entry in a directory removes the entries there that were
// not used for a month, and the oldest ones above the limit. So the work is bounded, and
// several processes need no agreement about it.
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

// prune removes from dir the entries that are old or too many, except for one. Files that
// cannot be removed stay.
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
