package disk

import (
	"slices"
	"syscall"
	"time"
)

// change is one operation on names: it is done as a whole or not at all.
type change []edit

// edit is what a change does to one name.
type edit struct {
	dir  *node
	name string
	to   *node // nil: the name is removed
}

func (c change) touches(dir *node) bool {
	return slices.ContainsFunc(c, func(e edit) bool { return e.dir == dir })
}

// change changes names, as far as it is seen.
func (d *Disk) change(c ...edit) {
	for _, e := range c {
		set(e.dir.names, e.name, e.to)
		e.dir.modified = time.Now()
	}
	d.changes = append(d.changes, c)
}

// store makes a change durable.
func (c change) store() {
	for _, e := range c {
		set(e.dir.stored, e.name, e.to)
		if e.to != nil {
			e.to.named = true
		}
	}
}

func set(names map[string]*node, name string, to *node) {
	if to == nil {
		delete(names, name)
	} else {
		names[name] = to
	}
}

// SyncDir makes the names in a directory durable. If it fails, names that are not
// durable yet never become so, unless they are created, renamed or removed again.
func (d *Disk) SyncDir(name string) error {
	return d.onPath("sync", name, func() error {
		dir, err := d.find(name)
		switch {
		case err != nil:
			return err
		case !dir.mode.IsDir():
			return syscall.ENOTDIR
		}
		return d.syncNames(dir)
	})
}

func (d *Disk) syncNames(dir *node) error { return d.syncNamesAs(dir, d.failing) }

func (d *Disk) syncNamesAs(dir *node, fails bool) error {
	if fails {
		d.changes = slices.DeleteFunc(d.changes, func(c change) bool { return c.touches(dir) })
		return syscall.EIO
	}
	d.storeChanges(map[*node]int{dir: len(d.changes)})
	return nil
}

// storeChanges makes changes durable: of each directory those before a limit, and what
// belongs to these. Changes of two directories are done in both, in the order of both.
func (d *Disk) storeChanges(limits map[*node]int) {
	within := func(i int) bool {
		return slices.ContainsFunc(d.changes[i], func(e edit) bool { return i < limits[e.dir] })
	}
	for grown := true; grown; {
		grown = false
		for i, c := range d.changes {
			for _, e := range c {
				if within(i) && i >= limits[e.dir] {
					limits[e.dir], grown = i+1, true
				}
			}
		}
	}
	var left []change
	for i, c := range d.changes {
		if within(i) {
			c.store()
		} else {
			left = append(left, c)
		}
	}
	d.changes = left
}
