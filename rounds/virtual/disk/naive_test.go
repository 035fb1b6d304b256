package disk_test

import (
	"bytes"
	"maps"
	"slices"
	"strings"
)

const sector = 512

// journal is a naive model of a disk: the list of everything that was done on it, from
// which it works out each time what is seen, what is durable, and what a crash may leave.
type journal struct {
	files []file // by inode; those of directories are empty
	dirs  map[int]bool
	names []naming
}

// file is what was done to a file: on what it began with, which was durable.
type file struct {
	begin []byte
	done  []touch
}

type touch struct {
	kind string // write, truncate, sync, failed
	at   int    // or the new length
	data []byte
}

type naming struct {
	kind  string // change, sync, failed
	dir   int
	edits []naiveEdit
}

type naiveEdit struct {
	dir  int
	name string
	to   int // 0: nothing; the root has no name
}

type tree map[string]int // path to inode

func newJournal() *journal {
	return &journal{files: make([]file, 1), dirs: map[int]bool{0: true}}
}

func (j *journal) inode(isDir bool) int {
	j.files = append(j.files, file{})
	if isDir {
		j.dirs[len(j.files)-1] = true
	}
	return len(j.files) - 1
}

// pending returns the numbers of the changes of names that are not durable, and those
// that are, in order of their becoming so. What a failed sync covered is in neither.
func (j *journal) pending() (durable, pending []int) {
	for i, n := range j.names {
		switch n.kind {
		case "change":
			pending = append(pending, i)
		case "failed":
			pending = slices.DeleteFunc(pending, func(i int) bool { return j.touches(i, n.dir) })
		case "sync":
			whole := []int{n.dir} // directories of which all is synced up to some change
			var now []int
			for k := len(pending) - 1; k >= 0; k-- { // a later change of two pulls along what is earlier
				if slices.ContainsFunc(whole, func(dir int) bool { return j.touches(pending[k], dir) }) {
					now = append(now, pending[k])
					for _, e := range j.names[pending[k]].edits {
						whole = append(whole, e.dir)
					}
				}
			}
			slices.Reverse(now)
			durable = append(durable, now...)
			pending = slices.DeleteFunc(pending, func(i int) bool { return slices.Contains(now, i) })
		}
	}
	return durable, pending
}

func (j *journal) touches(i, dir int) bool {
	return slices.ContainsFunc(j.names[i].edits, func(e naiveEdit) bool { return e.dir == dir })
}

// tree returns the tree that some changes make.
func (j *journal) tree(changes []int) tree {
	entries := map[int]map[string]int{}
	for _, i := range changes {
		for _, e := range j.names[i].edits {
			if entries[e.dir] == nil {
				entries[e.dir] = map[string]int{}
			}
			if delete(entries[e.dir], e.name); e.to != 0 {
				entries[e.dir][e.name] = e.to
			}
		}
	}
	t, walked := tree{"": 0}, map[int]bool{}
	var walk func(dir int, path string)
	walk = func(dir int, path string) {
		walked[dir] = true
		for _, name := range slices.Sorted(maps.Keys(entries[dir])) {
			to := entries[dir][name]
			if j.dirs[to] && walked[to] {
				continue
			}
			t[path+"/"+name] = to
			walk(to, path+"/"+name)
		}
	}
	walk(0, "")
	return t
}

// seen returns the tree as processes see it.
func (j *journal) seen() tree {
	var all []int
	for i, n := range j.names {
		if n.kind == "change" {
			all = append(all, i)
		}
	}
	return j.tree(all)
}

// trees returns all trees that a crash may leave: of each directory's pending changes
// the first so many, where a change of two is done in both or in none.
func (j *journal) trees() (all []tree) {
	durable, pending := j.pending()
	for bits := range 1 << len(pending) {
		var left []int
		for k, i := range pending {
			if bits&(1<<k) != 0 {
				left = append(left, i)
			}
		}
		if j.inOrder(pending, left) {
			all = append(all, j.tree(append(slices.Clone(durable), left...)))
		}
	}
	return all
}

// inOrder says whether nothing is left that comes, in a directory, after something that is not.
func (j *journal) inOrder(pending, left []int) bool {
	for k, i := range pending {
		for _, later := range pending[k+1:] {
			for _, e := range j.names[i].edits {
				if j.touches(later, e.dir) && slices.Contains(left, later) && !slices.Contains(left, i) {
					return false
				}
			}
		}
	}
	return true
}

// sees returns what is read from a file after some of what was done.
func (f file) sees(done int) []byte {
	b := slices.Clone(f.begin)
	for _, t := range f.done[:done] {
		switch t.kind {
		case "write":
			b = append(b, make([]byte, max(0, t.at+len(t.data)-len(b)))...)
			copy(b[t.at:], t.data)
		case "truncate":
			b = append(b, make([]byte, max(0, t.at-len(b)))...)[:t.at]
		}
	}
	return b
}

// dirties says whether something done to a file has the sector at a place written.
func (t touch) dirties(at int) bool {
	switch t.kind {
	case "write":
		return at < t.at+len(t.data) && t.at < at+sector
	case "truncate":
		return at < t.at && t.at < at+sector
	}
	return false
}

// images returns what is on the disk after the last sync, and after each of the operations since.
func (f file) images() (all [][]byte) {
	disk := slices.Clone(f.begin)
	var waiting []int
	for i, t := range f.done {
		switch t.kind {
		case "failed":
			waiting = nil
		case "sync":
			for _, w := range waiting {
				disk = f.brought(disk, w)
			}
			waiting = nil
		default:
			waiting = append(waiting, i)
		}
	}
	all = append(all, disk)
	for _, w := range waiting {
		disk = f.brought(disk, w)
		all = append(all, disk)
	}
	return all
}

// brought returns a disk to which one operation was brought: the length of the file, and each sector that it has written.
func (f file) brought(disk []byte, i int) []byte {
	seen := f.sees(i + 1)
	next := append(slices.Clone(disk), make([]byte, max(0, len(seen)-len(disk)))...)[:len(seen)]
	for at := 0; at < len(seen); at += sector {
		if f.done[i].dirties(at) {
			copy(next[at:min(at+sector, len(seen))], seen[at:])
		}
	}
	return next
}

// permits says whether a crash may leave this of the file.
func (f file) permits(left []byte) bool {
	images := f.images()
	for last := range images {
		if lengthPermitted(images, last, len(left)) && sectorsPermitted(images, last, left) {
			return true
		}
	}
	return false
}

func lengthPermitted(images [][]byte, last, length int) bool {
	if length == len(images[last]) {
		return true
	}
	return last > 0 && length%sector == 0 && len(images[last-1]) < length && length < len(images[last])
}

func sectorsPermitted(images [][]byte, last int, left []byte) bool {
	for at := 0; at < len(left); at += sector {
		end := min(at+sector, len(left))
		ok := false
		for t := range images {
			if cutBetween(images, min(t, last), max(t, last), at+sector) {
				continue
			}
			was := append(slices.Clone(images[t]), make([]byte, end)...)[at:end]
			if len(images[t]) <= at {
				was = make([]byte, end-at)
			}
			ok = ok || bytes.Equal(was, left[at:end])
		}
		if !ok {
			return false
		}
	}
	return true
}

// cutBetween says whether the file got shorter than some place in between.
func cutBetween(images [][]byte, from, to, place int) bool {
	for t := from + 1; t <= to; t++ {
		if len(images[t]) < len(images[t-1]) && len(images[t]) < place {
			return true
		}
	}
	return false
}

// left is what a crash has left: paths, with what is in the files.
type left map[string][]byte

// permits says whether a crash may leave this.
func (j *journal) permits(got left) bool {
	return slices.ContainsFunc(j.trees(), func(t tree) bool {
		if len(t) != len(got) {
			return false
		}
		first := map[int]string{}
		for _, path := range slices.Sorted(maps.Keys(t)) {
			inode := t[path]
			b, there := got[path]
			if !there || (b == nil) != j.dirs[inode] || b != nil && !j.files[inode].permits(b) {
				return false
			}
			if twin, ok := first[inode]; ok && !bytes.Equal(got[twin], b) {
				return false
			}
			first[inode] = path
		}
		return true
	})
}

// exactly returns what a crash leaves that loses or keeps everything.
func (j *journal) exactly(kept bool) left {
	changes, pending := j.pending()
	if kept {
		changes = append(changes, pending...)
	}
	got := left{}
	for path, inode := range j.tree(changes) {
		got[path] = nil
		if !j.dirs[inode] {
			images := j.files[inode].images()
			got[path] = images[0]
			if kept {
				got[path] = images[len(images)-1]
			}
			if got[path] == nil {
				got[path] = []byte{}
			}
		}
	}
	return got
}

// parent returns the inode of the directory that a path is in, and its last part.
func (t tree) parent(path string) (dir int, name string) {
	i := strings.LastIndex(path, "/")
	return t[path[:i]], path[i+1:]
}
