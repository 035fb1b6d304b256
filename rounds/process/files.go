package process

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/rounds/virtual/disk"
)

// The directories that are on the disk of each node.
const (
	dataDir = "/data" // where a program starts, and the files of the cluster are
	homeDir = "/home"
	tempDir = "/tmp"
)

// load reads the files that the cluster gives its nodes. It keeps them as the image of a
// disk.
func (c *Cluster) load() error {
	d := disk.New()
	for _, dir := range []string{dataDir, homeDir, tempDir} {
		if err := c.folder(d, dir, 0o755); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Files)) {
		from, to := c.Files[name], path.Join(dataDir, filepath.ToSlash(name))
		root, err := filepath.EvalSymlinks(from)
		if err == nil {
			err = filepath.WalkDir(root, func(file string, _ fs.DirEntry, err error) error {
				if err != nil {
					return err
				}
				below, err := filepath.Rel(root, file)
				if err != nil {
					return err
				}
				return c.give(d, file, path.Join(to, filepath.ToSlash(below)))
			})
		}
		if err != nil {
			return fmt.Errorf("reading %s for the nodes: %w", from, err)
		}
	}
	c.image = d.Image()
	return nil
}

// give copies a real file or folder to a disk.
func (c *Cluster) give(d *disk.Disk, from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if link, err := os.Lstat(from); err == nil && info.IsDir() && !link.IsDir() {
		return fmt.Errorf("%s is a link to a folder: name that folder itself", from)
	}
	if info.IsDir() {
		return c.folder(d, to, info.Mode().Perm())
	}
	text, err := files.Read(from, files.Program)
	if err != nil {
		return err
	}
	if err := c.folder(d, path.Dir(to), 0o755); err != nil {
		return err
	}
	f, err := d.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, info.Mode().Perm())
	if err != nil {
		return err
	}
	if _, err := f.Write(text); err != nil {
		return err
	}
	return d.Chtimes(to, c.Epoch, c.Epoch)
}

func (c *Cluster) folder(d *disk.Disk, dir string, perm fs.FileMode) error {
	if _, err := d.Stat(dir); err == nil {
		return nil
	}
	if err := d.MkdirAll(dir, perm); err != nil {
		return err
	}
	return d.Chtimes(dir, c.Epoch, c.Epoch)
}

// newDisk makes the disk that a node begins with: all of it is durable.
func (c *Cluster) newDisk() (*disk.Disk, error) {
	d := disk.New()
	if err := d.Replay(c.image); err != nil {
		return nil, err
	}
	return d.Crash(disk.Kept, nil)
}
