package gobuild

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
)

// elsewhere returns another path of the GOROOT: that of a link to it, or where there
// are no links that of a copy.
func (g Installation) elsewhere() (string, error) {
	cache, err := Cache()
	if err != nil {
		return "", err
	}
	key := sha256.Sum256([]byte(g.Root))
	root := filepath.Join(cache, "overlay", "goroot-"+g.Version+"-"+hex.EncodeToString(key[:6]))
	if whole(root) {
		return root, nil
	}
	if err := os.MkdirAll(filepath.Dir(root), 0o755); err != nil {
		return "", err
	}
	temporary, err := os.MkdirTemp(filepath.Dir(root), "tmp-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(temporary)
	other := filepath.Join(temporary, "root")
	if os.Symlink(g.Root, other) != nil {
		if err := os.CopyFS(other, os.DirFS(g.Root)); err != nil {
			return "", err
		}
	}
	_ = os.Remove(root) // a link to what is not there any more
	if err := os.Rename(other, root); err != nil && !whole(root) {
		return "", err
	}
	return root, nil
}

// whole tells whether there is a Go below a path.
func whole(root string) bool {
	_, err := os.Stat(filepath.Join(root, "src", "runtime"))
	return err == nil
}
