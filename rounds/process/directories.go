package process

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"github.com/lineage-driven/ldfi/internal/files"
)

// directories has those of all nodes of this program, in one that is there while any node
// has one.
var directories nodeDirs

type nodeDirs struct {
	mutex sync.Mutex
	all   *files.Scratch
	users int
	last  int
}

// enter makes an empty directory for a node.
func (d *nodeDirs) enter() (dir string, err error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	switch {
	case d.all == nil:
		d.all, err = files.NewScratch("", "ldfi-nodes-")
	case d.users == 0:
		err = d.all.Again()
	}
	d.last++
	if err == nil {
		dir, err = d.all.Mkdir(strconv.Itoa(d.last))
	}
	if err != nil {
		return "", fmt.Errorf("the directory of a node: %w", err)
	}
	d.users++
	return dir, nil
}

// copyFiles copies the files that the cluster gives its nodes.
func (p *process) copyFiles() error {
	for _, name := range slices.Sorted(maps.Keys(p.cluster.Files)) {
		from, to := p.cluster.Files[name], filepath.Join(p.dir, name)
		info, err := os.Stat(from)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(to), 0o700)
		}
		if err == nil && info.IsDir() {
			err = os.CopyFS(to, os.DirFS(from))
		} else if err == nil {
			var text []byte
			if text, err = files.Read(from, files.Text); err == nil {
				err = os.WriteFile(to, text, info.Mode().Perm())
			}
		}
		if err != nil {
			return fmt.Errorf("copying %s for node %s: %w", from, p.Name, err)
		}
	}
	return nil
}

// leave removes the directory of a node, and with the last that of all.
func (d *nodeDirs) leave(dir string) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	err := os.RemoveAll(dir)
	if d.users--; d.users == 0 {
		err = d.all.Remove()
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "ldfi: removing the directory of a node: %v\n", err)
	}
}
