package gobuild

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	pathpkg "path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/files"
)

// WriteNode writes the overlay with which a whole program is a node of a cluster, unless
// it is there already, and returns the file that `go build -overlay` takes: all its
// goroutines run in one bubble, its sockets are those of a virtual network, and what it
// asks of the machine has one answer.
func (g Installation) WriteNode() (string, error) {
	all, err := g.edited()
	if err != nil {
		return "", err
	}
	if err := g.sockets(all); err != nil {
		return "", err
	}
	maps.Copy(all, addedBelow("node"))
	if err := g.edit(all, nodeEdits.of(g.Release())); err != nil {
		return "", err
	}
	return g.keep(all)
}

// flagOfCgo finds, in what go build says, flags that need cgo.
var flagOfCgo = regexp.MustCompile(`-(race|msan|asan) requires cgo`)

var constraint = regexp.MustCompile(`(?m)^//go:build .*\n`)

// sockets takes the files of package net for systems without sockets in place of those for
// this one.
func (g Installation) sockets(all map[string]string) error {
	text, err := embedded.ReadFile("node/sockets.txt")
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		name, out := strings.CutPrefix(strings.TrimSpace(line), "- ")
		name, in := strings.CutPrefix(name, "+ ")
		file := pathpkg.Join("net", name)
		switch {
		case out:
			all[file+".go"] = ""
		case in:
			text, err := g.source(file + ".go")
			if err != nil {
				return err
			}
			if strings.HasSuffix(file, "_js") { // a name that is a constraint itself
				file += "_node"
			}
			all[file+".go"] = constraint.ReplaceAllString(text, "")
		}
	}
	return nil
}

// Node builds a main package as a node: a package as `go build` takes it, in a directory,
// with its flags, or one of another module in a version, as `go install` takes it. The
// result is one executable file, beside which is kept what a module in a version needs.
func Node(ctx context.Context, dir, pkg, file string, flags ...string) error {
	n, err := locate(ctx, dir, pkg, filepath.Dir(file))
	if err != nil {
		return err
	}
	return n.build(ctx, file, flags)
}

// TestNode builds the tests of the package in a directory as a node.
func TestNode(ctx context.Context, dir, file string, flags ...string) error {
	return node{where: dir, pkg: ".", tests: true}.build(ctx, file, flags)
}

// build is Node of a package that was located.
func (n node) build(ctx context.Context, file string, flags []string) error {
	if with, err := n.requires(Antithesis); err != nil {
		return err
	} else if with {
		flags = tagged(flags, AntithesisTag)
	}
	if _, err := os.Stat(file); err != nil { // it is built for the first time
		if err := n.buildable(ctx, filepath.Dir(file), flags); err != nil {
			return err
		}
	}
	g, err := Installed(ctx, "go", n.where, os.Environ())
	if err != nil {
		return err
	}
	r, err := g.prepare(Installation.WriteNode)
	if err != nil {
		return err
	}
	command := []string{"build"}
	if n.tests {
		command = []string{"test", "-c"}
	}
	args := slices.Concat(command, []string{"-trimpath", "-buildvcs=false", "-o", file, "-overlay=" + r.List}, n.module, flags, []string{n.pkg})
	_, err = RunGo(ctx, n.where, filepath.Dir(file), append(r.Environ, "CGO_ENABLED=0"), args...)
	if err != nil {
		if found := flagOfCgo.FindStringSubmatch(err.Error()); found != nil {
			err = fmt.Errorf("nodes are built without cgo, which -%s needs: leave it out of the flags of the go command (GOFLAGS)", found[1])
		}
		if ctx.Err() == nil {
			err = fmt.Errorf("building %s: %w", n.pkg, err)
		}
		return err
	}
	return n.keepChecks(ctx, file, flags)
}

// locate says how the go command names a package, which may be one of a module in a
// version. What that needs is kept in a directory.
func locate(ctx context.Context, dir, pkg, kept string) (n node, err error) {
	path, version, ok := strings.Cut(pkg, "@")
	if !ok {
		return node{where: dir, pkg: pkg}, nil
	}
	n.where, n.pkg, n.module, err = release(ctx, dir, path, version, kept)
	return n, err
}

// release downloads the module that has a package, in a version. It returns the directory
// of the module, the package in it, and the flags with which it is built with the versions
// of its own go.mod: of that a copy is in the directory kept, without replacements by
// directories, which only its authors have.
func release(ctx context.Context, dir, path, version, kept string) (module, pkg string, flags []string, err error) {
	var first error
	for root := path; root != "." && root != "/"; root = pathpkg.Dir(root) {
		var m struct{ Dir, GoMod string }
		environ := []string{"GOWORK=off", "GOFLAGS=-mod=mod"}
		text, err := RunGo(ctx, dir, kept, environ, "mod", "download", "-json", root+"@"+version)
		if err == nil {
			err = json.Unmarshal([]byte(text), &m)
		}
		if err != nil {
			if first == nil { // without -json it says why
				_, why := RunGo(ctx, dir, kept, environ, "mod", "download", root+"@"+version)
				first = cmp.Or(why, err)
			}
			continue
		}
		if err := keepModfile(ctx, m.Dir, m.GoMod, kept); err != nil {
			return "", "", nil, err
		}
		return m.Dir, "." + strings.TrimPrefix(path, root), []string{"-mod=mod", "-modfile=" + filepath.Join(kept, "go.mod")}, nil
	}
	return "", "", nil, fmt.Errorf("%s@%s: %w", path, version, first)
}

// keepModfile copies the go.mod and go.sum of a module.
func keepModfile(ctx context.Context, module, modfile, kept string) error {
	for name, from := range map[string]string{"go.mod": modfile, "go.sum": filepath.Join(module, "go.sum")} {
		text, err := files.Read(from, files.Text)
		if err != nil && !(name == "go.sum" && errors.Is(err, os.ErrNotExist)) {
			return err
		}
		if err := os.WriteFile(filepath.Join(kept, name), text, 0o644); err != nil {
			return err
		}
	}
	own := filepath.Join(kept, "go.mod")
	text, err := RunGo(ctx, module, kept, nil, "mod", "edit", "-json", own)
	if err != nil {
		return err
	}
	var m struct {
		Replace []struct {
			Old, New struct{ Path, Version string }
		}
	}
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		return err
	}
	for _, r := range m.Replace {
		if r.New.Version != "" {
			continue
		}
		old := r.Old.Path
		if r.Old.Version != "" {
			old += "@" + r.Old.Version
		}
		if _, err := RunGo(ctx, module, kept, nil, "mod", "edit", "-dropreplace="+old, own); err != nil {
			return err
		}
	}
	return nil
}
