package disk

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Entries of the log of operations that a program in another process sends: one byte, then
// what is said here, in little endian. The disk is its own judge of what is durable.
const (
	logTime     = 'C' // int64: what follows happens at that time
	logNew      = 'N' // inode uint64, mode uint32 of Linux: a file or directory without a name
	logEdits    = 'E' // count byte, and as often dir uint64, inode uint64 (0: removed), length uint16, name
	logWrite    = 'W' // inode uint64, at uint64, length uint32, bytes
	logTruncate = 'T' // inode uint64, length uint64
	logMode     = 'M' // inode uint64, mode uint32, time int64: durable at once
	logSync     = 'S' // inode uint64, fails byte: of a file or a directory
	logSyncAll  = 'A' // fails byte
	logForget   = 'F' // inode uint64: it has no name and is not open
	logPlace    = 'P' // uint32: where the program was, which makes no difference to a disk
)

// Replay does what a program in another process has done to its copy of the disk, which it
// was given by [Disk.Image]. Its error says what is wrong with the log. Before each operation,
// which is a change of names, of a content, a length or a mode, or a sync, it asks stops,
// unless that is nil, whether to go on no further: stops gets where the program was by then,
// as the log says.
//
// A sync of a file or directory makes a new name of it durable, too, also one that it got by a
// rename, as ext4, XFS and Btrfs do: programs that use a real file system rely on that.
func (d *Disk) Replay(log []byte, stops func(place uint32) bool) (stopped bool, err error) {
	unlock, err := d.use()
	if err != nil {
		return false, err
	}
	defer unlock()
	if d.inodes == nil {
		d.inodes = map[uint64]*node{1: d.root}
	}
	r := &replay{disk: d, left: log, now: time.Unix(0, 0)}
	for len(r.left) > 0 && r.err == nil {
		switch r.left[0] {
		case logEdits, logWrite, logTruncate, logMode, logSync, logSyncAll:
			if stops != nil && stops(r.place) {
				return true, nil
			}
		}
		at := len(log) - len(r.left)
		if r.next(); r.err != nil {
			return false, fmt.Errorf("at byte %d of %d of what it did to its disk: %w", at, len(log), r.err)
		}
	}
	return false, nil
}

// replay reads a log.
type replay struct {
	disk  *Disk
	left  []byte
	now   time.Time
	place uint32
	err   error
}

// bytes returns so many bytes of the log.
func (r *replay) bytes(n int) []byte {
	if r.err == nil && n > len(r.left) {
		r.err = fmt.Errorf("it ends within an entry")
	}
	if r.err != nil {
		return make([]byte, min(n, 8))
	}
	b := r.left[:n]
	r.left = r.left[n:]
	return b
}

func (r *replay) number() uint64 { return binary.LittleEndian.Uint64(r.bytes(8)) }
func (r *replay) flag() bool     { return r.bytes(1)[0] != 0 }

// fail keeps the first error.
func (r *replay) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// inode reads the number of a file or directory. Of what there is not it returns one that
// is of no use.
func (r *replay) inode() *node {
	return r.numbered(r.number())
}

func (r *replay) numbered(number uint64) *node {
	n := r.disk.inodes[number]
	if n == nil {
		r.fail(fmt.Errorf("there is no inode %d", number))
		n = newNode(0)
	}
	return n
}

func (r *replay) next() {
	kind := r.bytes(1)[0]
	switch kind {
	case logTime:
		r.now = time.Unix(0, int64(r.number()))
	case logNew:
		number, mode := r.number(), binary.LittleEndian.Uint32(r.bytes(4))
		if number == 0 || r.disk.inodes[number] != nil {
			r.fail(fmt.Errorf("there is an inode %d already", number))
			return
		}
		n := newNode(fromUnix(mode))
		n.modified = r.now
		r.disk.inodes[number] = n
	case logEdits:
		r.edits()
	case logWrite:
		n, at := r.inode(), r.number()
		p := r.bytes(int(binary.LittleEndian.Uint32(r.bytes(4))))
		if r.err == nil && (n.mode.IsDir() || at > largest) {
			r.fail(fmt.Errorf("it writes at %d of what is no file that long", at))
		}
		if r.err == nil {
			r.done(n, n.write(p, int64(at)))
		}
	case logTruncate:
		n, length := r.inode(), r.number()
		if r.err == nil && n.mode.IsDir() {
			r.fail(syscall.EISDIR)
		}
		if r.err == nil {
			r.done(n, n.truncate(int64(length)))
		}
	case logMode:
		n, mode := r.inode(), binary.LittleEndian.Uint32(r.bytes(4))
		n.mode = n.mode.Type() | fromUnix(mode)&^fs.ModeType
		n.modified = time.Unix(0, int64(r.number()))
	case logSync:
		n, fails := r.inode(), r.flag()
		switch {
		case r.err != nil:
			return
		case n.mode.IsDir():
			_ = r.disk.syncNamesAs(n, fails)
		default:
			_ = n.sync(fails)
		}
		if !fails {
			r.disk.storeName(n)
		}
	case logSyncAll:
		r.syncAll(r.flag())
	case logPlace:
		r.place = binary.LittleEndian.Uint32(r.bytes(4))
	case logForget:
		number := r.number()
		n := r.numbered(number)
		delete(r.disk.inodes, number)
		// A name of it may come back in a crash, with what was durable: the kernel writes
		// no more of it.
		n.seen, n.since = sparse{}, nil
	default:
		r.fail(fmt.Errorf("there is no entry %q", kind))
	}
}

// done takes note of the time of a change.
func (r *replay) done(n *node, err error) {
	if err != nil {
		r.fail(err)
	}
	n.modified = r.now
}

// edits reads a change of names.
func (r *replay) edits() {
	count := int(r.bytes(1)[0])
	var c change
	for range count {
		dir, number := r.inode(), r.number()
		name := string(r.bytes(int(binary.LittleEndian.Uint16(r.bytes(2)))))
		to := r.disk.inodes[number]
		switch {
		case r.err != nil:
			return
		case number != 0 && to == nil:
			r.fail(fmt.Errorf("there is no inode %d", number))
		case !dir.mode.IsDir():
			r.fail(syscall.ENOTDIR)
		case name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\x00"):
			r.fail(fmt.Errorf("%q is no name of a file", name))
		}
		c = append(c, edit{dir, name, to})
	}
	if r.err != nil {
		return
	}
	r.disk.change(c...)
	for _, e := range c {
		e.dir.modified = r.now
	}
}

// storeName makes the names durable that a file or directory has got, and those of the
// directories that it is in, as far as these have none that is durable. All usual file
// systems of Linux do so at a sync of it.
func (d *Disk) storeName(n *node) {
	limits := map[*node]int{}
	for synced := n; n != d.root && (n == synced || !n.named); {
		dir := (*node)(nil)
		for i := len(d.changes) - 1; i >= 0 && dir == nil; i-- {
			for _, e := range d.changes[i] {
				if e.to == n && limits[e.dir] <= i {
					dir = e.dir
					limits[dir] = i + 1
				}
			}
		}
		if dir == nil {
			break
		}
		n = dir
	}
	if len(limits) > 0 {
		d.storeChanges(limits)
	}
}

// syncAll is a sync of all files and directories.
func (r *replay) syncAll(fails bool) {
	d := r.disk
	for _, number := range slices.Sorted(maps.Keys(d.inodes)) {
		if n := d.inodes[number]; !n.mode.IsDir() {
			_ = n.sync(fails)
		}
	}
	if !fails {
		d.storeChanges(leavesAll{}.changes(d.changes))
	}
	d.changes = nil
}

// Image returns the log that makes an empty disk equal to what is seen of this one. From
// then on the numbers of [Disk.Replay] are those of the image.
func (d *Disk) Image() []byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	w := &image{inodes: map[uint64]*node{1: d.root}, numbers: map[*node]uint64{d.root: 1}}
	for number := uint64(1); number <= uint64(len(w.inodes)); number++ {
		w.node(number, w.inodes[number])
	}
	d.inodes = w.inodes
	return w.log
}

// image writes a log.
type image struct {
	log     []byte
	inodes  map[uint64]*node
	numbers map[*node]uint64
}

func (w *image) put(kind byte, numbers ...uint64) {
	w.log = append(w.log, kind)
	for _, n := range numbers {
		w.log = binary.LittleEndian.AppendUint64(w.log, n)
	}
}

// node writes what is in a file or directory.
func (w *image) node(number uint64, n *node) {
	for _, name := range slices.Sorted(maps.Keys(n.names)) {
		child := n.names[name]
		if w.numbers[child] == 0 {
			new := uint64(len(w.inodes) + 1)
			w.numbers[child], w.inodes[new] = new, child
			w.put(logTime, uint64(child.modified.UnixNano()))
			w.put(logNew, new)
			w.log = binary.LittleEndian.AppendUint32(w.log, toUnix(child.mode))
		}
		w.log = append(w.log, logEdits, 1)
		w.log = binary.LittleEndian.AppendUint64(w.log, number)
		w.log = binary.LittleEndian.AppendUint64(w.log, w.numbers[child])
		w.log = binary.LittleEndian.AppendUint16(w.log, uint16(len(name)))
		w.log = append(w.log, name...)
	}
	if n.mode.IsDir() || n.seen.size == 0 {
		return
	}
	w.put(logTruncate, number, uint64(n.seen.size))
	for k, c := range n.seen.chunks {
		if len(c) > 0 {
			w.put(logWrite, number, uint64(k*chunk))
			w.log = binary.LittleEndian.AppendUint32(w.log, uint32(len(c)))
			w.log = append(w.log, c...)
		}
	}
}

// Modes as Linux has them.
const (
	unixType    = 0o170000
	unixDir     = 0o040000
	unixSymlink = 0o120000
	unixFile    = 0o100000
)

var unixBits = map[fs.FileMode]uint32{fs.ModeSetuid: 0o4000, fs.ModeSetgid: 0o2000, fs.ModeSticky: 0o1000}

func fromUnix(mode uint32) fs.FileMode {
	m := fs.FileMode(mode) & fs.ModePerm
	switch mode & unixType {
	case unixDir:
		m |= fs.ModeDir
	case unixSymlink:
		m |= fs.ModeSymlink
	}
	for bit, unix := range unixBits {
		if mode&unix != 0 {
			m |= bit
		}
	}
	return m
}

func toUnix(mode fs.FileMode) uint32 {
	m := uint32(mode.Perm())
	switch {
	case mode.IsDir():
		m |= unixDir
	case mode&fs.ModeSymlink != 0:
		m |= unixSymlink
	default:
		m |= unixFile
	}
	for bit, unix := range unixBits {
		if mode&bit != 0 {
			m |= unix
		}
	}
	return m
}
