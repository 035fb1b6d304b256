package disk

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"maps"
	"slices"
)

// Fingerprint names the state of the disk: its content, its durable content, and the
// operations that are not durable. It does not cover files that have only an open
// handle and no name, nor the times of writes.
func (d *Disk) Fingerprint() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	w := &walk{hash: sha256.New(), numbers: map[*node]int{}}
	fmt.Fprintln(w.hash, d.failing, d.crashed, w.number(d.root))
	for _, c := range d.changes {
		for _, e := range c {
			fmt.Fprint(w.hash, w.number(e.dir), " ", e.name, " ", w.number(e.to), ";")
		}
		fmt.Fprintln(w.hash)
	}
	for i := 0; i < len(w.met); i++ {
		w.node(w.met[i])
	}
	return hex.EncodeToString(w.hash.Sum(nil)[:8])
}

// walk writes all files and directories, each with a number.
type walk struct {
	hash    hash.Hash
	numbers map[*node]int
	met     []*node
}

// number returns the number of a node, 0 of none.
func (w *walk) number(n *node) int {
	if n == nil {
		return 0
	}
	if w.numbers[n] == 0 {
		w.met = append(w.met, n)
		w.numbers[n] = len(w.met)
	}
	return w.numbers[n]
}

func (w *walk) node(n *node) {
	fmt.Fprintf(w.hash, "%v %q %q\n", n.mode, n.seen.bytes(), n.durable.bytes())
	for _, o := range n.since {
		fmt.Fprintf(w.hash, "%d %d %q\n", o.length, o.at, o.sectors)
	}
	for _, names := range []map[string]*node{n.names, n.directory.stored} {
		for _, name := range slices.Sorted(maps.Keys(names)) {
			fmt.Fprintf(w.hash, "%q %d\n", name, w.number(names[name]))
		}
	}
}
