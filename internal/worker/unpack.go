package worker

import (
	"os"
	"path/filepath"

	"github.com/lineage-driven/ldfi/internal/subprocess"
	"github.com/lineage-driven/ldfi/internal/work"
)

// Unpack writes the files of a unit into a directory. Any of them may be a program.
func Unpack(dir string, u *work.Unit, file func(digest string) ([]byte, error)) error {
	for name, digest := range u.Files {
		content, err := file(digest)
		if err != nil {
			return err
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := subprocess.Unforked(func() error { return os.WriteFile(path, content, 0o700) }); err != nil {
			return err
		}
	}
	return nil
}
