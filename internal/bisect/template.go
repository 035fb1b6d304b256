package bisect

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/lineage-driven/ldfi/internal/files"
)

// templateSuffix is the end of the names of templates: host.go.tmpl is the template of
// host.go.
const templateSuffix = ".go.tmpl"

// fillTemplates writes the templates below the directory of a Go module for one release:
// {{package}} becomes its path, {{module}} and {{version}} those of its module. It returns
// a file that makes go build use the results in the places of the templates; "" if there
// are no templates.
func fillTemplates(dir, scratch, path string, f *found) (overlay string, err error) {
	fill := strings.NewReplacer("{{package}}", path, "{{module}}", f.module, "{{version}}", f.version)
	replaced := map[string]string{}
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != dir && !partOfModule(name, d.Name()):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, templateSuffix):
			return nil
		}
		text, err := files.Read(name, files.Text)
		if err != nil {
			return err
		}
		target := strings.TrimSuffix(name, ".tmpl")
		if _, err := os.Lstat(target); err == nil {
			return fmt.Errorf("%s is the template of %s, which is there as well: rename one of them", name, filepath.Base(target))
		}
		replaced[target] = filepath.Join(scratch, fmt.Sprintf("template%d.go", len(replaced)))
		return os.WriteFile(replaced[target], []byte(fill.Replace(string(text))), 0o666)
	})
	if err != nil || len(replaced) == 0 {
		return "", err
	}
	text, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return "", err
	}
	overlay = filepath.Join(scratch, "overlay.json")
	return overlay, os.WriteFile(overlay, text, 0o666)
}

// partOfModule tells whether a directory belongs to the Go module that it lies in.
func partOfModule(dir, name string) bool {
	if name == "vendor" || name == "testdata" || strings.HasPrefix(name, ".") {
		return false
	}
	_, err := os.Lstat(filepath.Join(dir, "go.mod"))
	return os.IsNotExist(err)
}
