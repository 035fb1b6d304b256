package gobuild

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Ready is an overlay that has been written, and how the go command is to be called so
// that it takes it.
type Ready struct {
	Go      Installation
	List    string   // the file that -overlay takes
	Environ []string // what its environment needs besides, if its Go lies below the module cache: GOROOT=…
}

// Prepare writes the overlay for a Go. Where that lies below the module cache, in which
// the go command lets nobody replace a file, it is called by another path. An overlay
// that GOFLAGS has already is part of the new one.
func (g Installation) Prepare() (Ready, error) { return g.prepare(Installation.Write) }

func (g Installation) prepare(write func(Installation) (string, error)) (Ready, error) {
	r := Ready{Go: g}
	if below(g.Root, g.Cache) {
		root, err := g.elsewhere()
		if err != nil {
			return r, fmt.Errorf("%s lies below the module cache, where no file can be replaced; giving it another path: %w", g.Version, err)
		}
		r.Go.Root = root
		r.Environ = []string{"GOROOT=" + root, "GOTOOLCHAIN=local", "PATH=" + filepath.Join(root, "bin") + string(filepath.ListSeparator) + os.Getenv("PATH")}
	}
	var err error
	if r.List, err = write(r.Go); err != nil {
		return r, err
	}
	if theirs := g.overlaid(); theirs != "" {
		r.List, err = MergeOverlays(r.List, theirs, g.Folder)
	}
	return r, err
}

func below(path, folder string) bool {
	rel, err := filepath.Rel(folder, path)
	return folder != "" && err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// Flag is the flag of go build, go run and go test.
func (r Ready) Flag() string { return "-overlay=" + r.List }

// Flags is GOFLAGS with this flag after those that are there.
func (r Ready) Flags() string {
	flags := slices.DeleteFunc(fields(r.Go.Flags), func(f string) bool { return overlayOf(f) != "" })
	return strings.Join(append(flags, quoted(r.Flag())), " ")
}

// Environment adds to an environment what lets the go command take the overlay.
func (r Ready) Environment(environ []string) []string {
	return append(slices.Concat(environ, r.Environ), "GOFLAGS="+r.Flags())
}

// Command is the go command that takes the overlay, "" if that is the one that is
// found anyway.
func (r Ready) Command() string {
	if len(r.Environ) == 0 {
		return ""
	}
	return filepath.Join(r.Go.Root, "bin", "go")
}

// overlaid returns the overlay that GOFLAGS has already, "" if there is none.
func (g Installation) overlaid() (theirs string) {
	for _, flag := range fields(g.Flags) {
		if file := overlayOf(flag); file != "" {
			theirs = file
		}
	}
	return theirs
}

func overlayOf(flag string) string {
	if len(flag) > 1 && strings.ContainsRune(`"'`, rune(flag[0])) {
		flag = flag[1 : len(flag)-1]
	}
	file, ok := strings.CutPrefix("-"+strings.TrimLeft(flag, "-"), "-overlay=")
	if !ok {
		return ""
	}
	return file
}

// fields takes GOFLAGS apart: flags are separated by spaces, unless they are in quotes,
// which stay.
func fields(flags string) (all []string) {
	for flags = strings.TrimSpace(flags); flags != ""; flags = strings.TrimSpace(flags) {
		end := strings.IndexAny(flags, " \t\n\r")
		if quote := flags[:1]; quote == `"` || quote == "'" {
			if i := strings.Index(flags[1:], quote); i >= 0 {
				end = i + 2
			}
		}
		if end < 0 {
			end = len(flags)
		}
		all, flags = append(all, flags[:end]), flags[end:]
	}
	return all
}

func quoted(flag string) string {
	switch {
	case !strings.ContainsAny(flag, " \t\n\r\"'"):
		return flag
	case !strings.Contains(flag, `"`):
		return `"` + flag + `"`
	default:
		return "'" + flag + "'"
	}
}
