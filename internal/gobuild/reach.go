package gobuild

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
)

// Reached is something that nodes do not have, or have in a way of their own, and where a
// program can ask for it.
type Reached struct {
	What   string // such as os/exec
	Place  string // the first, in the program's own module if it is there
	Places int
	Means  string // what happens at such a place
	Never  bool   // the program cannot be built as a node
}

// withoutCgo is what a program that needs cgo is told.
const withoutCgo = "nodes are built without cgo, and this needs it"

// asked is what programs ask for by functions of packages; * is every function.
var asked = []struct {
	what, means string
	functions   map[string][]string
}{
	{"os/exec", "to start a program is an error, and the error says so", map[string][]string{
		"os/exec": {"Command", "CommandContext"}, "os": {"StartProcess"}, "syscall": {"Exec", "ForkExec", "StartProcess"}, "golang.org/x/sys/unix": {"Exec"}}},
	{"plugin", "to open a plugin is an error, and the error says so", map[string][]string{"plugin": {"Open"}}},
	{"inotify", "a node hears of no changes of files; ldfi warns once", map[string][]string{
		"syscall": {"InotifyInit", "InotifyInit1"}, "golang.org/x/sys/unix": {"InotifyInit", "InotifyInit1"}}},
	{"raw sockets", "to open a raw socket is an error, and the error says so", map[string][]string{
		"net": {"ListenIP", "DialIP"}, "golang.org/x/net/icmp": {"*"}, "golang.org/x/net/ipv4": {"NewRawConn"}}},
	{"own sockets", "to open a socket without package net, such as netlink, is an error, and the error says so", map[string][]string{
		"syscall": {"Socket", "NetlinkRIB"}, "golang.org/x/sys/unix": {"Socket"}}},
	{"multicast", "to open a socket for a multicast address is an error, and the error says so", map[string][]string{"net": {"ListenMulticastUDP"}}},
	{"SyscallConn", "options of sockets have no effect, datagrams are read, and everything else is an error", nil},
}

// node is a package with what says how it is built as a node.
type node struct {
	where  string   // the directory in which go is run
	pkg    string   // as go takes it there
	module []string // flags
	tests  bool     // not the package is the program, but its tests
}

// Reach says what the build of a main package as a node can reach, in the order of its
// names: the package is named as for [Node]. It reads the sources and builds nothing.
func Reach(ctx context.Context, dir, pkg string) ([]Reached, error) {
	kept, err := os.MkdirTemp("", "ldfi-reach-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(kept)
	n, err := locate(ctx, dir, pkg, kept)
	if err != nil {
		return nil, err
	}
	packages, err := n.list(ctx, kept, nil)
	if err != nil {
		return nil, err
	}
	if main := packages[len(packages)-1]; len(main.GoFiles) == 0 && main.Error != nil && len(needsCgo(packages)) == 0 {
		return nil, errors.New(strings.TrimSpace(main.Error.Err) + n.below())
	} else if main.Name != "main" {
		return nil, noProgram(pkg, main)
	}
	l := look{files: token.NewFileSet(), found: map[string]*Reached{}}
	for _, own := range []bool{true, false} {
		for _, p := range packages {
			if !p.Standard && p.own() == own && !strings.HasPrefix(p.ImportPath, "golang.org/x/sys/") { // which asks for others
				l.at(p)
			}
		}
	}
	for _, r := range needsCgo(packages) {
		l.add(r.What, r.Place, r.Means, r.Never)
	}
	var all []Reached
	for _, what := range slices.Sorted(maps.Keys(l.found)) {
		all = append(all, *l.found[what])
	}
	return all, nil
}

// linked is a package as go lists it for a node.
type linked struct {
	listed
	Name           string
	IgnoredGoFiles []string
	Imports        []string
	Error          *struct{ Err string }
	Module         *struct {
		Path, Version, Dir string
		Main               bool
	}
}

func (p *linked) own() bool { return p.Module == nil || p.Module.Main }

// place is a position as people know it: below the module.
func (p *linked) place(at token.Position) string {
	file := at.Filename
	if p.Module != nil && p.Module.Dir != "" {
		if below, err := filepath.Rel(p.Module.Dir, file); err == nil {
			file = filepath.ToSlash(below)
			if !p.Module.Main {
				file = p.Module.Path + "@" + p.Module.Version + "/" + file
			}
		}
	}
	return file + ":" + strconv.Itoa(at.Line)
}

// list returns the packages of a program.
func (n node) list(ctx context.Context, temporary string, flags []string) ([]*linked, error) {
	args := slices.Concat([]string{"list", "-deps", "-e", "-json=ImportPath,Name,Dir,GoFiles,IgnoredGoFiles,Imports,Error,ImportMap,Standard,Module"}, n.module, flags, []string{n.pkg})
	if n.tests {
		args = slices.Insert(args, 1, "-test")
	}
	text, err := RunGo(ctx, n.where, temporary, []string{"CGO_ENABLED=0"}, args...)
	if err != nil {
		return nil, err
	}
	var packages []*linked
	for d := json.NewDecoder(strings.NewReader(text)); ; {
		p := new(linked)
		if err := d.Decode(p); errors.Is(err, io.EOF) {
			if len(packages) == 0 {
				return nil, fmt.Errorf("there is no package %s", n.pkg)
			}
			return packages, nil
		} else if err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
}

// look is a look at the sources of a program.
type look struct {
	files *token.FileSet
	found map[string]*Reached
}

func (l *look) add(what, place, means string, never bool) {
	if l.found[what] == nil {
		l.found[what] = &Reached{What: what, Place: place, Means: means, Never: never}
	}
	l.found[what].Places++
}

// at looks at the files of a package.
func (l *look) at(p *linked) {
	for _, name := range p.GoFiles {
		if !filepath.IsAbs(name) {
			name = filepath.Join(p.Dir, name)
		}
		f, err := parser.ParseFile(l.files, name, nil, parser.SkipObjectResolution)
		if err != nil {
			continue // building it says why
		}
		imports := imported(f)
		ast.Inspect(f, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			path := ""
			if x, ok := s.X.(*ast.Ident); ok {
				path = imports[x.Name]
			}
			for _, a := range asked {
				functions := a.functions[path]
				if slices.Contains(functions, s.Sel.Name) || slices.Contains(functions, "*") || a.functions == nil && s.Sel.Name == a.what && path == "" {
					l.add(a.what, p.place(l.files.Position(s.Pos())), a.means, false)
				}
			}
			return true
		})
	}
}

// imported returns the paths that a file imports, by the names that they have there. One
// whose package has another name than the end of its path may be missing.
func imported(f *ast.File) map[string]string {
	all := map[string]string{}
	for _, i := range f.Imports {
		path, _ := strconv.Unquote(i.Path.Value)
		name := path[strings.LastIndex(path, "/")+1:]
		if i.Name != nil {
			name = i.Name.Name
		}
		all[name] = path
	}
	return all
}

// needsCgo returns the packages that cannot be built without cgo: those that have no other
// files, and those that name what others have with cgo only.
func needsCgo(packages []*linked) (all []Reached) {
	s := token.NewFileSet()
	only := map[string]map[string]bool{} // of packages, what they have with cgo only
	names := map[string]string{}
	for _, p := range packages {
		if p.Standard {
			continue
		}
		with := map[string]bool{}
		first := ""
		for _, name := range p.IgnoredGoFiles {
			f, err := parser.ParseFile(s, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil || !slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"C"` }) {
				continue
			}
			if first == "" {
				i := slices.IndexFunc(f.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"C"` })
				first = p.place(s.Position(f.Imports[i].Pos()))
			}
			declared(f, with)
		}
		switch {
		case first == "":
		case len(p.GoFiles) == 0:
			all = append(all, Reached{What: "cgo", Place: first, Means: withoutCgo, Never: true})
		default:
			without := map[string]bool{}
			for _, name := range p.GoFiles {
				if f, err := parser.ParseFile(s, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution); err == nil {
					declared(f, without)
				}
			}
			maps.DeleteFunc(with, func(name string, _ bool) bool { return without[name] })
			only[p.ImportPath], names[p.ImportPath] = with, p.Name
		}
	}
	for _, p := range packages {
		for _, q := range p.Imports {
			if r, ok := misses(s, p, q, names[q], only[q]); ok {
				all = append(all, r)
			}
		}
	}
	return all
}

// misses returns the first place at which a package names what another does not have
// without cgo.
func misses(s *token.FileSet, p *linked, path, name string, only map[string]bool) (r Reached, found bool) {
	if len(only) == 0 || p.Standard {
		return r, false
	}
	for _, file := range p.GoFiles {
		f, err := parser.ParseFile(s, filepath.Join(p.Dir, file), nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		local := ""
		for _, i := range f.Imports {
			if strings.Trim(i.Path.Value, `"`) == path {
				local = name
				if i.Name != nil {
					local = i.Name.Name
				}
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && !found && local != "" {
				if x, ok := sel.X.(*ast.Ident); ok && x.Name == local && only[sel.Sel.Name] {
					r, found = Reached{What: "cgo", Place: p.place(s.Position(sel.Pos())), Means: fmt.Sprintf("%s (%s.%s)", withoutCgo, path, sel.Sel.Name), Never: true}, true
				}
			}
			return !found
		})
	}
	return r, found
}

// declared adds the names that a file has for other packages.
func declared(f *ast.File, names map[string]bool) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				names[d.Name.Name] = true
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					names[s.Name.Name] = true
				case *ast.ValueSpec:
					for _, n := range s.Names {
						names[n.Name] = true
					}
				}
			}
		}
	}
}

// buildable says, before it is built, why a program cannot be a node.
func (n node) buildable(ctx context.Context, temporary string, flags []string) error {
	packages, err := n.list(ctx, temporary, flags)
	if err != nil {
		return nil // building it says why
	}
	if needs := needsCgo(packages); len(needs) > 0 {
		return fmt.Errorf("%s cannot be a node: %s: %s", n.pkg, needs[0].Place, needs[0].Means)
	}
	return nil
}

// DiagnoseServer says whether a main package can be a node, and what of it no node has.
// Packages are named as for [Node].
func DiagnoseServer(ctx context.Context, dir, pkg string) (*Diagnosis, error) {
	d := &Diagnosis{Exact: true, Checks: []Check{}}
	g, err := Installed(ctx, "go", dir, nil)
	if !d.add("go", cmp.Or(err, g.known()), g.Version+" in "+g.Root, "install Go 1.26 or 1.27 from https://go.dev/dl, and let the go command be found in PATH") {
		return d, ctx.Err()
	}
	d.Go = g.Version
	reached, err := Reach(ctx, dir, pkg)
	if !d.add("server", err, pkg, "name a main package as go build takes it, or one of a module in a version") {
		return d, ctx.Err()
	}
	for _, r := range reached {
		where := r.Place
		if r.Places > 1 {
			where += fmt.Sprintf(" and %s", text.Plural(r.Places-1, "more place"))
		}
		var wrong error
		if r.Never {
			wrong = fmt.Errorf("%s: %s", where, r.Means)
		}
		d.add(r.What, wrong, where+": "+r.Means, "build the server without it, by flags in GOFLAGS such as -tags, or take a version that does not need it")
	}
	if !d.Exact {
		return d, ctx.Err()
	}
	if err := compiles(ctx, dir, pkg); err != nil {
		d.add("compiler", err, "", "mend that first")
	}
	return d, ctx.Err()
}

// compiles says why a package does not compile. What has a version is taken to compile.
func compiles(ctx context.Context, dir, pkg string) error {
	if strings.Contains(pkg, "@") {
		return nil
	}
	n := node{where: dir, pkg: pkg}.moved()
	_, err := RunGo(ctx, n.where, os.TempDir(), []string{"CGO_ENABLED=0"}, "build", "-buildvcs=false", "-o", os.DevNull, n.pkg)
	return err
}
