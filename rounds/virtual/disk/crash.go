package disk

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"
)

// The outcomes of a crash, as in "crash a@12/torn".
const (
	Lost = "lost" // only what is durable
	Kept = "kept" // everything, except what a failed sync should have made durable
	Torn = "torn" // something in between
)

// Crash crashes the machine: every operation on this disk fails from now on, also on
// open files. It returns the disk as the machine finds it at its next start. The
// outcome is Lost, Kept or Torn. Torn draws from random, which the other outcomes do
// not use.
func (d *Disk) Crash(outcome string, random *rand.Rand) (*Disk, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var leave leaver
	switch {
	case d.crashed:
		return nil, fmt.Errorf("crash of a disk: %w", ErrCrashed)
	case outcome == Lost:
		leave = leavesDurable{}
	case outcome == Kept:
		leave = leavesAll{}
	case outcome == Torn && random == nil:
		return nil, fmt.Errorf("crash of a disk: what a torn disk keeps is drawn, and there are no random numbers")
	case outcome == Torn:
		leave = draw(random)
	default:
		return nil, fmt.Errorf("crash of a disk: no outcome %q: there are %s, %s and %s", outcome, Lost, Kept, Torn)
	}
	d.crashed = true
	d.storeChanges(leave.changes(d.changes))
	d.root.reload(leave, map[*node]bool{})
	return &Disk{root: d.root}, nil
}

// leaver decides what a crash leaves of what is not durable.
type leaver interface {
	// changes returns how many of the changes are left, for each directory that they touch.
	changes(all []change) map[*node]int
	// content returns what is left of a file.
	content(c *content) sparse
}

type leavesDurable struct{}

func (leavesDurable) changes([]change) map[*node]int { return map[*node]int{} }
func (leavesDurable) content(c *content) sparse      { return c.durable }

type leavesAll struct{}

func (leavesAll) changes(all []change) map[*node]int {
	limits := map[*node]int{}
	for _, c := range all {
		for _, e := range c {
			limits[e.dir] = len(all)
		}
	}
	return limits
}

func (leavesAll) content(c *content) sparse {
	_ = c.sync(false)
	return c.durable
}

// reload makes what is durable below a directory that which is seen. What is in two
// places, by renames of which one was lost, stays in the first if it is a directory.
func (n *node) reload(leave leaver, loaded map[*node]bool) {
	if loaded[n] {
		return
	}
	loaded[n] = true
	if !n.mode.IsDir() {
		left := leave.content(&n.content)
		n.content = content{seen: left.clone(), durable: left}
		return
	}
	for _, name := range slices.Sorted(maps.Keys(n.stored)) {
		if child := n.stored[name]; child.mode.IsDir() && loaded[child] {
			delete(n.stored, name)
		} else {
			child.reload(leave, loaded)
		}
	}
	n.names = maps.Clone(n.stored)
}

// Remember remembers what is seen on the disk. The function that it returns compares another
// disk with that, such as the one that a crash left, and returns the names of the files that
// are not there as they were, sorted.
func (d *Disk) Remember() (differ func(left *Disk) []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	before := d.root.files("", map[string]seen{})
	return func(left *Disk) (names []string) {
		left.mu.Lock()
		defer left.mu.Unlock()
		after := left.root.files("", map[string]seen{})
		for name, s := range before {
			if a, there := after[name]; !there || !s.equal(&a) {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		return names
	}
}

// seen is a file as it is seen.
type seen struct {
	mode fs.FileMode
	sparse
}

func (s *seen) equal(o *seen) bool { return s.mode == o.mode && s.sparse.equal(&o.sparse) }

// files adds the files below a directory by their names.
func (n *node) files(name string, all map[string]seen) map[string]seen {
	for base, child := range n.names {
		whole := name + "/" + base
		if child.mode.IsDir() {
			child.files(whole, all)
		} else {
			all[whole] = seen{child.mode, child.content.seen}
		}
	}
	return all
}
