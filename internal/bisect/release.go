package bisect

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	gomodule "golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/lineage-driven/ldfi/internal/gobuild"
	"github.com/lineage-driven/ldfi/internal/text"
)

// Release is a version of a Go module that the program of a system is built with.
type Release struct {
	Path    string // of the module, or of a package in it
	Module  bool   // it is that of the module
	Version string // a version, a query such as latest, or a directory with the module
}

// ParseRelease reads "path@version"; the version may be a directory, which begins
// with a dot or a slash. It tells whether the text is a release at all.
func ParseRelease(text string) (Release, bool) {
	path, version, found := strings.Cut(text, "@")
	if !found || version == "" || gomodule.CheckImportPath(path) != nil {
		return Release{}, false
	}
	if _, err := os.Lstat(text); err == nil {
		return Release{}, false // a file or directory that is called so
	}
	return Release{Path: path, Version: version}, true
}

// local tells whether the release is a directory.
func (r Release) local() bool {
	return r.Version == "." || r.Version == ".." || strings.HasPrefix(r.Version, "./") || strings.HasPrefix(r.Version, "../") || filepath.IsAbs(r.Version)
}

// Hosts are the directories of the programs that use a module: in which "go run"
// is run.
type Hosts []Host

// Host is the directory of the program for releases of one import path.
type Host struct{ Path, Dir string } // Path "": for all others

// ParseHosts reads directories, each of which may be for one import path: "path=directory".
func ParseHosts(texts []string) (Hosts, error) {
	var hosts Hosts
	for _, text := range texts {
		h := Host{Dir: text}
		path, dir, named := strings.Cut(text, "=")
		if named {
			h = Host{path, dir}
		}
		if h.Dir == "" || named && gomodule.CheckImportPath(path) != nil {
			return nil, fmt.Errorf("%q is neither a directory nor path=directory with the import path of a module", text)
		}
		for _, other := range hosts {
			if other.Path == h.Path {
				return nil, fmt.Errorf("%s and %s are both for %s", other.Dir, h.Dir, cmp.Or(h.Path, "all modules"))
			}
		}
		hosts = append(hosts, h)
	}
	return hosts, nil
}

// of returns the directory for a release: that of the longest path that its own
// begins with.
func (h Hosts) of(r Release) (string, error) {
	best := -1
	for i, host := range h {
		if host.fits(r) && (best < 0 || len(host.Path) > len(h[best].Path)) {
			best = i
		}
	}
	if best < 0 && len(h) > 0 {
		return "", fmt.Errorf("there is no directory for %s, only for %s", r.Path, h[0].Path)
	}
	if best < 0 {
		return "", nil
	}
	return h[best].Dir, nil
}

func (h Host) fits(r Release) bool {
	return h.Path == "" || h.Path == r.Path || strings.HasPrefix(r.Path, h.Path+"/")
}

// Releases returns releases of Go modules as versions of a system. The command is go run or
// go test with a package of the Go module in the directory of the host (without one, the
// working directory). It is built with each release in turn: with copies of its go.mod and
// go.sum that replace the module by the release. The Go module itself is not changed.
func Releases(hosts Hosts, releases []Release, system string) ([]Version, error) {
	if system == "" {
		return nil, fmt.Errorf("versions of the module %s need the command of a system that uses it", releases[0].Path)
	}
	words, err := text.ShellSplit(system)
	if err != nil {
		return nil, err
	}
	if _, ok := gobuild.ParseCommand(words); !ok {
		return nil, notBuilt(system)
	}
	var versions []Version
	for _, r := range releases {
		dir, err := hosts.of(r)
		if err != nil {
			return nil, err
		}
		if info, err := os.Stat(cmp.Or(dir, ".")); err != nil {
			return nil, fmt.Errorf("looking for the host of %s: %w", r.Path, err)
		} else if !info.IsDir() {
			return nil, fmt.Errorf("looking for the host of %s: %s is no directory", r.Path, dir)
		}
		versions = append(versions, Version{Name: r.name(releases), system: true, prepare: func(ctx context.Context, scratch string) (*place, error) {
			return prepareRelease(ctx, r, dir, system, scratch)
		}})
	}
	return versions, nil
}

// name is the version alone if all releases are of one module.
func (r Release) name(all []Release) string {
	for _, other := range all {
		if other.Path != r.Path {
			return r.Path + "@" + r.Version
		}
	}
	return r.Version
}

// prepareRelease builds the program with a release.
func prepareRelease(ctx context.Context, r Release, dir, system, scratch string) (*place, error) {
	scratch, err := filepath.Abs(scratch)
	if err != nil {
		return nil, err
	}
	m, err := copyModule(ctx, dir, scratch)
	if err != nil {
		return nil, err
	}
	f, err := m.find(ctx, r)
	if err != nil {
		return nil, err
	}
	if err := m.replace(f); err != nil {
		return nil, err
	}
	overlay, err := fillTemplates(m.dir, scratch, r.Path, f)
	if err != nil {
		return nil, err
	}
	p, err := built(ctx, build{dir: dir, command: system, out: scratch, modfile: m.file, overlay: overlay})
	if err != nil {
		return nil, err
	}
	words, err := text.ShellSplit(p.system)
	if err != nil {
		return nil, err
	}
	return p, f.checkLinked(words[0])
}

// Place puts the release in the place of what the Go module of a directory requires: in a
// copy of its go.mod in the directory out. It returns the flags of the go command with which
// packages of that module are built so, and a check of what was built: that a program has
// the release in it, and none another one.
func (r Release) Place(ctx context.Context, dir, out string) (flags []string, check func(programs ...string) error, err error) {
	m, err := copyModule(ctx, dir, out)
	if err != nil {
		return nil, nil, err
	}
	f, err := m.find(ctx, r)
	if err != nil {
		return nil, nil, err
	}
	if err := m.replace(f); err != nil {
		return nil, nil, err
	}
	return []string{"-mod=mod", "-modfile=" + m.file}, f.checkLinked, nil
}

// exact returns the version of a release, if it is known without asking the module proxy,
// because it is written out. For a module from before Go modules, v2 and later are marked
// as incompatible.
func exact(module, version string) (string, bool) {
	if !semver.IsValid(version) || semver.Canonical(version)+semver.Build(version) != version {
		return "", false
	}
	_, suffix, _ := gomodule.SplitPathVersion(module)
	if major := semver.Major(version); suffix == "" && major != "v0" && major != "v1" && semver.Build(version) == "" {
		version += "+incompatible"
	}
	return version, true
}
