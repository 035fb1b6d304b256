package gobuild

import (
	"bytes"
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
// with its flags; or, without them, one below a directory of another module, or one of
// another module in a version, as `go install` takes it. The result is one executable file,
// beside which is kept what a module in a version needs.
func Node(ctx context.Context, dir, pkg, file string, flags ...string) error {
	n, err := locate(ctx, dir, pkg, filepath.Dir(file))
	if err != nil {
		return err
	}
	if n.where != dir {
		flags = nil
	}
	return n.build(ctx, file, flags)
}

// Plain builds a main package as it is, without an overlay: the same packages as [Node].
func Plain(ctx context.Context, dir, pkg, file string) error {
	n, err := locate(ctx, dir, pkg, filepath.Dir(file))
	if err != nil {
		return err
	}
	args := slices.Concat([]string{"build", "-buildvcs=false", "-o", file}, n.module, []string{n.pkg})
	if _, err := RunGo(ctx, n.where, filepath.Dir(file), nil, args...); err != nil {
		if ctx.Err() != nil {
			return err
		}
		return fmt.Errorf("building %s: %w%s", n.pkg, err, n.below())
	}
	return n.isProgram(ctx, file, nil)
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
	if err := n.compile(ctx, r, file, flags); err != nil {
		return err
	}
	if err := n.isProgram(ctx, file, flags); err != nil {
		return err
	}
	if !n.tests && !talks(file) {
		if err := n.compileWithOS(ctx, r, file, flags); err != nil {
			return err
		}
	}
	return n.keepChecks(ctx, file, flags)
}

// compile builds a package with an overlay.
func (n node) compile(ctx context.Context, r Ready, file string, flags []string) error {
	command := []string{"build"}
	if n.tests {
		command = []string{"test", "-c"}
	}
	args := slices.Concat(command, []string{"-trimpath", "-buildvcs=false", "-o", file, "-overlay=" + r.List}, n.module, flags, []string{n.pkg})
	_, err := RunGo(ctx, n.where, filepath.Dir(file), append(r.Environ, "CGO_ENABLED=0"), args...)
	if err == nil || ctx.Err() != nil {
		return err
	}
	if found := flagOfCgo.FindStringSubmatch(err.Error()); found != nil {
		err = fmt.Errorf("nodes are built without cgo, which -%s needs: leave it out of the flags of the go command (GOFLAGS)", found[1])
	}
	return fmt.Errorf("building %s: %w%s", n.pkg, err, n.below())
}

// below says that a package is named by its directory as if it were one of the standard
// library, "" if it is not.
func (n node) below() string {
	if strings.HasPrefix(n.pkg, ".") || filepath.IsAbs(n.pkg) {
		return ""
	}
	if info, err := os.Stat(filepath.Join(n.where, n.pkg)); err != nil || !info.IsDir() {
		return ""
	}
	return fmt.Sprintf(" (did you mean ./%s?)", n.pkg)
}

// isProgram reports a package that was built and is no program. What was built of it is
// removed.
func (n node) isProgram(ctx context.Context, file string, flags []string) error {
	info, err := os.Stat(file)
	if err != nil || info.Mode()&0o111 != 0 { // an archive of a package is no program
		return err
	}
	if err := os.Remove(file); err != nil {
		return err
	}
	packages, err := n.list(ctx, filepath.Dir(file), flags)
	if err != nil {
		return err
	}
	return noProgram(n.pkg, packages[len(packages)-1])
}

func noProgram(pkg string, p *linked) error {
	return fmt.Errorf("%s is package %s, not a program (package main)", pkg, p.Name)
}

// talks tells whether a program has in it what talks to its driver: package os, or another
// one with sockets or files. A large program always has.
func talks(file string) bool {
	if info, err := os.Stat(file); err != nil || info.Size() > 8<<20 {
		return true
	}
	text, err := files.Read(file, files.Program)
	return err != nil || bytes.Contains(text, []byte("internal/poll.ldfi"))
}

// compileWithOS builds a program that has nothing to talk to its driver with one file more,
// which imports package os.
func (n node) compileWithOS(ctx context.Context, r Ready, file string, flags []string) error {
	kept := filepath.Dir(file)
	packages, err := n.list(ctx, kept, flags)
	if err != nil {
		return err
	}
	source, list := filepath.Join(kept, "ldfi_node.go"), filepath.Join(kept, "overlay.json")
	text, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(packages[len(packages)-1].Dir, "ldfi_node.go"): source}})
	if err == nil {
		err = os.WriteFile(source, []byte("package main\n\nimport _ \"os\"\n"), 0o644)
	}
	if err == nil {
		err = os.WriteFile(list, text, 0o644)
	}
	if err == nil {
		r.List, err = MergeOverlays(r.List, list, n.where)
	}
	if err == nil {
		err = n.compile(ctx, r, file, flags)
	}
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%s cannot talk to ldfi, because it imports none of packages os, fmt, log and net: %w", n.pkg, err)
	}
	return err
}

// locate says how the go command names a package, which may be one of a module in a
// version. What that needs is kept in a directory.
func locate(ctx context.Context, dir, pkg, kept string) (n node, err error) {
	path, version, ok := strings.Cut(pkg, "@")
	switch {
	case strings.HasSuffix(path, ".go"):
		return n, fmt.Errorf("%s is a file: give the package that it is part of, as %s", pkg, asPackage(filepath.Dir(path)))
	case strings.Contains(path, "..."):
		return n, fmt.Errorf("%s stands for several packages: give the one whose program it is", pkg)
	}
	if !ok {
		return node{where: dir, pkg: pkg}.moved(), nil
	}
	n.where, n.pkg, n.module, err = release(ctx, dir, path, version, kept)
	return n, err
}

// moved is a package below a directory of another Go module, which is built there.
func (n node) moved() node {
	if !strings.HasPrefix(n.pkg, ".") && !filepath.IsAbs(n.pkg) {
		return n
	}
	there := n.pkg
	if !filepath.IsAbs(there) {
		there = filepath.Join(n.where, there)
	}
	if root := ModuleRoot(there); root != "" && root != ModuleRoot(n.where) {
		return node{where: there, pkg: "."}
	}
	return n
}

// ModuleRoot is the directory of the Go module that a directory is in, "" if there is none.
func ModuleRoot(dir string) string {
	dir, err := filepath.Abs(dir)
	for err == nil {
		if info, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && !info.IsDir() {
			return dir
		}
		if dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	return ""
}

// asPackage writes a directory as the go command takes it for a package.
func asPackage(dir string) string {
	if filepath.IsAbs(dir) || dir == "." || strings.HasPrefix(dir, "..") {
		return dir
	}
	return "./" + filepath.ToSlash(dir)
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
