package gobuild

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"

	"github.com/lineage-driven/ldfi/internal/files"
)

// MergeOverlays returns a file with what two overlays replace, which is kept beside the first.
// Paths of the second are relative to the folder.
// A file that both replace is an error.
func MergeOverlays(ours, theirs, folder string) (string, error) {
	all, err := read(ours, "")
	if err != nil {
		return "", err
	}
	more, err := read(absolute(folder, theirs), folder)
	if err != nil {
		return "", fmt.Errorf("the overlay %s that is to be used besides that of ldfi: %w", theirs, err)
	}
	for file, by := range more {
		if below(by, filepath.Dir(filepath.Dir(ours))) { // as ldfi has written it before
			delete(more, file)
			continue
		}
		if _, both := all[file]; both {
			return "", fmt.Errorf("both the overlay %s and that of ldfi replace %s: executions of goroutines are exactly repeatable without the first one only", theirs, file)
		}
	}
	if len(more) == 0 {
		return ours, nil
	}
	maps.Copy(all, more)
	text, err := json.MarshalIndent(map[string]any{"Replace": all}, "", "\t")
	if err != nil {
		return "", err
	}
	key := sha256.Sum256(text)
	merged := filepath.Join(filepath.Dir(ours), "merged-"+hex.EncodeToString(key[:10])+".json")
	if _, err := os.Stat(merged); err == nil {
		return merged, nil
	}
	return merged, files.Replace(merged, func(w io.Writer) error { _, err := w.Write(text); return err })
}

// read returns what an overlay replaces, with absolute paths.
func read(list, folder string) (map[string]string, error) {
	text, err := files.Read(list, files.Text)
	if err != nil {
		return nil, err
	}
	var l struct{ Replace map[string]string }
	if err := json.Unmarshal(text, &l); err != nil {
		return nil, err
	}
	all := map[string]string{}
	for from, to := range l.Replace {
		if to != "" { // which says that the file is not there
			to = absolute(folder, to)
		}
		all[absolute(folder, from)] = to
	}
	return all, nil
}

func absolute(folder, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	if abs, err := filepath.Abs(filepath.Join(folder, path)); err == nil {
		return abs
	}
	return filepath.Join(folder, path)
}
