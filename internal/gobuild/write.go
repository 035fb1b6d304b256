package gobuild

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/files"
)

// Write writes the overlay for an installed Go, unless it is there already, and
// returns the file that `go build -overlay` takes.
func (g Installation) Write() (string, error) {
	edited, err := g.edited()
	if err != nil {
		return "", err
	}
	return g.keep(edited)
}

// keep returns the file that `go build -overlay` takes for these files. Without a text a
// file is left out.
func (g Installation) keep(edited map[string]string) (string, error) {
	folder, err := g.folder(edited)
	if err != nil {
		return "", err
	}
	list := filepath.Join(folder, "overlay.json")
	if _, err := os.Stat(list); err == nil {
		return list, nil
	}
	if err := g.write(folder, edited); err != nil {
		return "", Uncached(fmt.Errorf("writing the overlay for %s: %w", g.Version, err))
	}
	return list, nil
}

// edited returns all files that are edited or added, by their paths below GOROOT/src.
func (g Installation) edited() (map[string]string, error) {
	if err := g.known(); err != nil {
		return nil, err
	}
	result := Added()
	return result, g.edit(result, Edits(g.Release()))
}

// edit makes edits, which are in the order of their files, of what is there of them
// already or of the installed files.
func (g Installation) edit(all map[string]string, edits []Edit) error {
	for len(edits) > 0 {
		file, n := edits[0].File, 1
		for n < len(edits) && edits[n].File == file {
			n++
		}
		text, there := all[file]
		if !there {
			var err error
			if text, err = g.source(file); err != nil {
				return err
			}
		}
		edited, err := ApplyEdits(g.path(file), text, edits[:n])
		if err != nil {
			return fmt.Errorf("%s: %w", g.Version, err)
		}
		all[file], edits = edited, edits[n:]
	}
	return nil
}

func (g Installation) path(file string) string {
	return filepath.Join(g.Root, "src", filepath.FromSlash(file))
}

// source returns an installed file of the standard library.
func (g Installation) source(file string) (string, error) {
	text, err := files.Read(g.path(file), files.Text)
	if err != nil {
		return "", fmt.Errorf("%s has no standard library that ldfi can edit: %w", g.Version, err)
	}
	return string(text), nil
}

// known returns an error if there is no table of edits for this Go.
func (g Installation) known() error {
	if slices.Contains(Releases, g.Release()) {
		return nil
	}
	return fmt.Errorf("%s: ldfi can edit the standard library of %s only; with any other, executions of goroutines work, but are not exactly repeatable",
		g.Version, strings.Join(Releases, " and "))
}

// Cache returns the folder of ldfi in the cache of the user.
func Cache() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", Uncached(fmt.Errorf("ldfi keeps what it builds in the cache of the user: %w", err))
	}
	return filepath.Join(cache, "ldfi"), nil
}

// Uncached adds to an error about files in that folder what to do.
func Uncached(err error) error {
	variable := map[string]string{"windows": "LocalAppData", "darwin": "HOME"}[runtime.GOOS]
	return fmt.Errorf("%w: set %s to a directory that can be written", err, cmp.Or(variable, "XDG_CACHE_HOME"))
}

// folder returns where the overlay is kept: its name depends on all that is in it.
func (g Installation) folder(edited map[string]string) (string, error) {
	cache, err := Cache()
	if err != nil {
		return "", err
	}
	text, err := json.Marshal([]any{g.Version, g.Root, edited})
	if err != nil {
		return "", err
	}
	key := sha256.Sum256(text)
	return filepath.Join(cache, "overlay", g.Release()+"-"+hex.EncodeToString(key[:10])), nil
}

// write writes a folder that is there as a whole or not at all.
func (g Installation) write(folder string, edited map[string]string) error {
	if err := os.MkdirAll(filepath.Dir(folder), 0o755); err != nil {
		return err
	}
	temporary, err := os.MkdirTemp(filepath.Dir(folder), "tmp-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary)
	if err := g.fill(temporary, folder, edited); err != nil {
		return err
	}
	if err := os.Chmod(temporary, 0o755); err != nil {
		return err
	}
	err = os.Rename(temporary, folder)
	if _, there := os.Stat(filepath.Join(folder, "overlay.json")); there == nil {
		return nil // also if another process was faster
	}
	return err
}

// fill writes what is going to be in the folder into another one.
func (g Installation) fill(temporary, folder string, edited map[string]string) error {
	replace := map[string]string{}
	for file, text := range edited {
		if text == "" {
			replace[g.path(file)] = ""
			continue
		}
		flat := strings.ReplaceAll(file, "/", "_")
		replace[g.path(file)] = filepath.Join(folder, flat)
		if err := os.WriteFile(filepath.Join(temporary, flat), []byte(text), 0o644); err != nil {
			return err
		}
	}
	list, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(temporary, "overlay.json"), list, 0o644)
}
