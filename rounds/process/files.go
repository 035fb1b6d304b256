package process

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual/disk"
)

// The directories that are on the disk of each node.
const (
	dataDir = "/data" // where a program starts, and the files of the cluster are
	homeDir = "/home"
	tempDir = "/tmp"
)

// template is how the name of a file ends in which words in braces are replaced.
const template = ".tmpl"

// load reads the files that the node gets. It keeps them as the image of a disk.
func (p *program) load() error {
	d := disk.New()
	for _, dir := range []string{dataDir, homeDir, tempDir} {
		if err := p.folder(d, dir, 0o755); err != nil {
			return err
		}
	}
	all := maps.Clone(p.cluster.Files)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, p.Files)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if !filepath.IsLocal(name) {
			return fmt.Errorf("files: %s is no name below /data", name)
		}
		digest, err := p.copyTo(d, path.Join(dataDir, filepath.ToSlash(name)), below(p.cluster.Dir, all[name]))
		if err != nil {
			return fmt.Errorf("files: %w", err)
		}
		p.given = append(p.given, fact{"file", []any{filepath.ToSlash(name), digest}})
	}
	p.image = d.Image()
	return nil
}

// copyTo copies a real file or folder to a disk. It returns a digest: of a file the SHA-256
// of what it has, and of a folder that of the lines that sha256sum prints for its files.
func (p *program) copyTo(d *disk.Disk, to, from string) (digest string, err error) {
	root, err := filepath.EvalSymlinks(from)
	if err != nil {
		return "", err
	}
	folder := sha256.New()
	err = filepath.WalkDir(root, func(file string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		below = filepath.ToSlash(below)
		text, err := p.give(d, file, path.Join(to, below))
		if text != nil {
			digest = sum(text)
			fmt.Fprintf(folder, "%s  %s\n", digest, below)
		}
		return err
	})
	if info, e := os.Stat(root); e == nil && info.IsDir() {
		digest = hex.EncodeToString(folder.Sum(nil))
	}
	return digest, err
}

// sum returns the SHA-256 of a text.
func sum(text []byte) string {
	s := sha256.Sum256(text)
	return hex.EncodeToString(s[:])
}

// give copies a real file or folder to a disk, and returns what a file has there.
func (p *program) give(d *disk.Disk, from, to string) (text []byte, err error) {
	info, err := os.Stat(from)
	if err != nil {
		return nil, err
	}
	if link, err := os.Lstat(from); err == nil && info.IsDir() && !link.IsDir() {
		return nil, fmt.Errorf("%s is a link to a folder: name that folder itself", from)
	}
	if info.IsDir() {
		return nil, p.folder(d, to, info.Mode().Perm())
	}
	if text, err = files.Read(from, files.Program); err != nil {
		return nil, err
	}
	if strings.HasSuffix(from, template) {
		to = strings.TrimSuffix(to, template)
		if text, err = p.fill(from, text); err != nil {
			return nil, err
		}
	}
	if err := p.folder(d, path.Dir(to), 0o755); err != nil {
		return nil, err
	}
	f, err := d.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, info.Mode().Perm())
	if err != nil {
		return nil, err
	}
	if _, err := f.Write(text); err != nil {
		return nil, err
	}
	return text, d.Chtimes(to, p.cluster.Epoch, p.cluster.Epoch)
}

// fill replaces what stands in braces in the lines of a template.
func (p *program) fill(file string, text []byte) ([]byte, error) {
	var all strings.Builder
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		out, err := p.cluster.expand(p, line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, number, err)
		}
		all.WriteString(out)
	}
	return []byte(all.String()), nil
}

func (p *program) folder(d *disk.Disk, dir string, perm fs.FileMode) error {
	if _, err := d.Stat(dir); err == nil {
		return nil
	}
	if err := d.MkdirAll(dir, perm); err != nil {
		return err
	}
	return d.Chtimes(dir, p.cluster.Epoch, p.cluster.Epoch)
}

// newDisk makes the disk that a node begins with: all of it is durable.
func (p *process) newDisk(s *system.Step) (*disk.Disk, error) {
	d := disk.New()
	if _, err := d.Replay(p.image, nil); err != nil {
		return nil, err
	}
	if err := p.giveRequests(s, d); err != nil {
		return nil, err
	}
	return d.Crash(disk.Kept, nil)
}
