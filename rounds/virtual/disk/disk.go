package disk

import (
	"errors"
	"io/fs"
	"path"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Disk is the disk of a machine, from one start of the machine to its next crash.
// It may be used by several goroutines at once.
type Disk struct {
	mu      sync.Mutex
	root    *node
	changes []change // of names, not yet durable
	failing bool     // syncs fail
	crashed bool
	inodes  map[uint64]*node // by the numbers of a program in another process, if there is one
}

// ErrCrashed is the error of every operation on a disk after its method Crash has been
// called. The disk that Crash returns works.
var ErrCrashed = errors.New("the machine has crashed")

// New returns an empty disk.
func New() *Disk { return &Disk{root: newNode(fs.ModeDir | 0o755)} }

// FailSync sets whether syncs fail from now on.
func (d *Disk) FailSync(fails bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.failing = fails
}

// node is a file or a directory.
type node struct {
	mode     fs.FileMode
	modified time.Time
	named    bool // a name of it was durable
	content
	directory
}

// directory is what is in a directory: by what is seen, and by what is durable.
type directory struct{ names, stored map[string]*node }

func newNode(mode fs.FileMode) *node {
	n := &node{mode: mode, modified: time.Now()}
	if mode.IsDir() {
		n.names, n.stored = map[string]*node{}, map[string]*node{}
	}
	return n
}

// clean returns the one form of a name: "" is the root, others are as "dir/file".
func clean(name string) string { return strings.TrimPrefix(path.Clean("/"+name), "/") }

// find returns what has a name.
func (d *Disk) find(name string) (*node, error) {
	if name == "" {
		return nil, syscall.ENOENT
	}
	n := d.root
	for part := range strings.SplitSeq(clean(name), "/") {
		if part == "" {
			break
		}
		if !n.mode.IsDir() {
			return nil, syscall.ENOTDIR
		}
		if n = n.names[part]; n == nil {
			return nil, syscall.ENOENT
		}
	}
	return n, nil
}

// place returns the directory that a name is in, or would be in, and its last part.
func (d *Disk) place(name string) (dir *node, base string, err error) {
	base = path.Base(clean(name))
	switch {
	case name == "":
		return nil, "", syscall.ENOENT
	case base == ".":
		return nil, "", syscall.EBUSY // the root
	case len(base) > 255:
		return nil, "", syscall.ENAMETOOLONG
	}
	dir, err = d.find("/" + path.Dir(clean(name)))
	if err == nil && !dir.mode.IsDir() {
		err = syscall.ENOTDIR
	}
	return dir, base, err
}

// use locks the disk for an operation, unless the machine has crashed.
func (d *Disk) use() (unlock func(), err error) {
	d.mu.Lock()
	if d.crashed {
		d.mu.Unlock()
		return nil, ErrCrashed
	}
	return d.mu.Unlock, nil
}

// onPath does something on a locked disk, and says of an error what it was about.
func (d *Disk) onPath(op, name string, do func() error) error {
	unlock, err := d.use()
	if err == nil {
		err = do()
		unlock()
	}
	if err != nil {
		return &fs.PathError{Op: op, Path: name, Err: err}
	}
	return nil
}
