package gobuild

import (
	"cmp"
	"context"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Write is where code writes a package variable after the start of its program.
type Write struct {
	Variable string // with its package, as in main.count
	Place    token.Position
	own      bool // it is in a package of the module of the program
}

// Shared returns the package variables that a host writes after its start, each with
// the first place, those of its own module first. The words are its command, a
// directory is that in which it is run. What is written in init, in main and in tests
// themselves, and in functions that only these call, is written before; the standard
// library and ldfi are left out. It is an error if the sources are not found.
func Shared(ctx context.Context, dir string, words []string) ([]Write, error) {
	args, err := listing(dir, words)
	if err != nil {
		return nil, err
	}
	text, err := RunGo(ctx, dir, os.TempDir(), nil, args...)
	if err != nil {
		return nil, err
	}
	var packages []*listed
	for d := json.NewDecoder(strings.NewReader(text)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		packages = append(packages, &p)
	}
	return writes(packages), nil
}

// listed is a package as go lists it.
type listed struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	CgoFiles   []string
	ImportMap  map[string]string
	Standard   bool
	DepOnly    bool // the command does not name it
	Module     *struct {
		Path string
		Main bool
	}
}

// ldfis are the packages of ldfi, of which only those of a host are looked at.
const ldfis = "github.com/lineage-driven/ldfi"

// looked tells whether writes in the package are looked for.
func (p *listed) looked() bool {
	return !p.Standard && (!strings.HasPrefix(p.ImportPath, ldfis+"/") || !p.DepOnly || strings.HasPrefix(p.ImportPath, ldfis+"/examples/"))
}

// listing returns the arguments with which go lists the packages of a host.
func listing(dir string, words []string) ([]string, error) {
	fields := []string{"-deps", "-e", "-json=ImportPath,Dir,GoFiles,CgoFiles,ImportMap,Standard,DepOnly,Module"}
	if host, ok := ParseCommand(words); ok {
		flags := slices.DeleteFunc(slices.Clone(host.Flags), func(f string) bool {
			return slices.Contains([]string{"c", "i", "json", "artifacts"}, strings.TrimLeft(f, "-"))
		})
		if host.Test {
			fields = append(fields, "-test")
		}
		return slices.Concat([]string{"list"}, flags, fields, host.Packages), nil
	}
	if len(words) == 0 {
		return nil, errors.New("there is no command")
	}
	file := words[0]
	if !strings.ContainsRune(file, filepath.Separator) {
		found, err := exec.LookPath(file)
		if err != nil {
			return nil, err
		}
		file = found
	} else if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	built, err := buildinfo.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if tested, ok := strings.CutSuffix(built.Path, ".test"); ok {
		return slices.Concat([]string{"list"}, fields, []string{"-test", tested}), nil
	}
	return slices.Concat([]string{"list"}, fields, []string{built.Path}), nil
}

// source is a package that was read.
type source struct {
	*listed
	files []*ast.File
	info  types.Info
}

// writes reads packages, those that others need first, and returns what they write.
func writes(packages []*listed) []Write {
	s := &sharing{files: token.NewFileSet(), atomic: map[types.Object]bool{}, mutates: map[*types.Func]bool{}, uses: map[*types.Func][]use{}, start: map[*types.Func]bool{}}
	known := map[string]*types.Package{}
	var sources []*source
	for _, p := range packages {
		if !p.looked() {
			continue
		}
		if read := s.read(p, known); read != nil {
			sources = append(sources, read)
		}
	}
	for _, p := range sources {
		s.functions(p)
	}
	s.settle()
	for _, p := range sources {
		s.look(p)
	}
	found := map[string]Write{}
	for _, w := range s.found {
		if first, ok := found[w.Variable]; !ok || before(w, first) < 0 {
			found[w.Variable] = w
		}
	}
	var all []Write
	for _, w := range found {
		all = append(all, w)
	}
	slices.SortFunc(all, func(a, b Write) int {
		if a.own != b.own {
			if a.own {
				return -1
			}
			return 1
		}
		return cmp.Or(before(a, b), strings.Compare(a.Variable, b.Variable))
	})
	return all
}

func before(a, b Write) int {
	return cmp.Or(strings.Compare(a.Place.Filename, b.Place.Filename), cmp.Compare(a.Place.Offset, b.Place.Offset))
}

// sharing is a look at all packages of a program.
type sharing struct {
	files   *token.FileSet
	atomic  map[types.Object]bool // variables of types of sync/atomic, and sync.Map
	mutates map[*types.Func]bool  // methods that write what their receiver holds
	uses    map[*types.Func][]use // where functions are named
	start   map[*types.Func]bool  // functions that run before the first execution only
	found   []Write
}

// use is where a function is named: by whom, and whether it is called there and then.
type use struct {
	by     *types.Func // nil: by the value that a variable begins with
	direct bool
}

// read parses a package and finds out what its names mean, as far as that is known
// without the standard library.
func (s *sharing) read(p *listed, known map[string]*types.Package) *source {
	read := &source{listed: p, info: types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}}
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(p.Dir, name)
		}
		if filepath.Base(name) == "_testmain.go" {
			continue
		}
		if f, err := parser.ParseFile(s.files, name, nil, parser.SkipObjectResolution); err == nil {
			read.files = append(read.files, f)
		}
	}
	if len(read.files) == 0 {
		return nil
	}
	config := types.Config{
		Error: func(error) {}, FakeImportC: true,
		Importer: importing(func(path string) (*types.Package, error) {
			if real, ok := known[cmp.Or(p.ImportMap[path], path)]; ok {
				return real, nil
			}
			empty := types.NewPackage(path, path[strings.LastIndex(path, "/")+1:])
			empty.MarkComplete()
			return empty, nil
		}),
	}
	path, _, _ := strings.Cut(p.ImportPath, " ") // behind it is the test that it is built for
	checked, _ := config.Check(path, s.files, read.files, &read.info)
	known[p.ImportPath] = checked
	return read
}

type importing func(path string) (*types.Package, error)

// Import returns a package by its path.
func (i importing) Import(path string) (*types.Package, error) { return i(path) }

// functions notes of a package which functions begin the program, where each is named,
// and which methods write what their receiver holds.
func (s *sharing) functions(p *source) {
	for _, f := range p.files {
		test := strings.HasSuffix(s.files.Position(f.Pos()).Filename, "_test.go")
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				s.named(p, nil, d)
				s.declared(p, d)
			case *ast.FuncDecl:
				function, _ := p.info.Defs[d.Name].(*types.Func)
				if function == nil || d.Body == nil {
					continue
				}
				s.named(p, function, d.Body)
				if d.Recv == nil {
					s.start[function] = d.Name.Name == "init" || d.Name.Name == "main" || test && isTest(d.Name.Name)
					continue
				}
				if len(d.Recv.List) == 1 && len(d.Recv.List[0].Names) == 1 {
					receiver := p.info.Defs[d.Recv.List[0].Names[0]]
					_, pointer := d.Recv.List[0].Type.(*ast.StarExpr)
					p.stored(d.Body, func(e ast.Expr, whole bool) {
						_, element := e.(*ast.IndexExpr)
						if held := p.root(e); held != nil && held == receiver && !whole && (pointer || element) {
							s.mutates[function] = true
						}
					})
				}
			}
		}
	}
}

// declared notes which variables are declared with a type of the standard library whose
// methods write it.
func (s *sharing) declared(p *source, d *ast.GenDecl) {
	for _, spec := range d.Specs {
		v, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		of := v.Type
		if generic, ok := of.(*ast.IndexExpr); ok {
			of = generic.X
		}
		if of, ok := of.(*ast.SelectorExpr); ok {
			if path := p.packageOf(of); path == "sync/atomic" || path == "sync" && of.Sel.Name == "Map" {
				for _, name := range v.Names {
					s.atomic[p.info.Defs[name]] = true
				}
			}
		}
	}
}

// packageOf returns the path of the package that a name is qualified by, "" for other
// selectors.
func (p *source) packageOf(e *ast.SelectorExpr) string {
	if name, ok := e.X.(*ast.Ident); ok {
		if of, ok := p.info.Uses[name].(*types.PkgName); ok {
			return of.Imported().Path()
		}
	}
	return ""
}

// atomics are the methods of sync/atomic and sync.Map that write.
var atomics = []string{"Add", "And", "Clear", "CompareAndDelete", "CompareAndSwap", "Delete", "LoadAndDelete", "LoadOrStore", "Or", "Store", "Swap"}

func isTest(name string) bool {
	return slices.ContainsFunc([]string{"Test", "Benchmark", "Fuzz", "Example"}, func(begin string) bool { return strings.HasPrefix(name, begin) })
}

// named notes the functions that a part of a program names.
func (s *sharing) named(p *source, by *types.Func, in ast.Node) {
	called := map[*ast.Ident]bool{}
	ahead(in, func(n ast.Node, later bool) {
		switch n := n.(type) {
		case *ast.CallExpr:
			switch f := ast.Unparen(n.Fun).(type) {
			case *ast.Ident:
				called[f] = !later
			case *ast.SelectorExpr:
				called[f.Sel] = !later
			}
		case *ast.Ident:
			if f, ok := p.info.Uses[n].(*types.Func); ok {
				s.uses[f.Origin()] = append(s.uses[f.Origin()], use{by, called[n]})
			}
		}
	})
}

// ahead goes through a part of a program, and tells of what is in it whether it may
// be executed later than that is: it is in a function that is a value, or is begun by go.
func ahead(in ast.Node, visit func(n ast.Node, later bool)) {
	var ends []ast.Node // of what is later
	ast.PreorderStack(in, nil, func(n ast.Node, above []ast.Node) bool {
		for len(ends) > 0 && !slices.Contains(above, ends[len(ends)-1]) {
			ends = ends[:len(ends)-1]
		}
		visit(n, len(ends) > 0)
		switch n.(type) {
		case *ast.FuncLit, *ast.GoStmt:
			ends = append(ends, n)
		}
		return true
	})
}

// settle finds the functions that only those call which begin the program, or nobody.
func (s *sharing) settle() {
	for more := true; more; {
		more = false
		for f, start := range s.start {
			begins := func(u use) bool { return u.direct && (u.by == nil || s.start[u.by]) }
			if !start && !slices.ContainsFunc(s.uses[f], func(u use) bool { return !begins(u) }) {
				s.start[f], more = true, true
			}
		}
	}
}

// look finds the writes of a package.
func (s *sharing) look(p *source) {
	for _, f := range p.files {
		for _, d := range f.Decls {
			start, in := true, ast.Node(d) // of a variable: its functions may run later
			if d, ok := d.(*ast.FuncDecl); ok {
				if d.Body == nil {
					continue
				}
				function, _ := p.info.Defs[d.Name].(*types.Func)
				start, in = function != nil && s.start[function], d.Body
				if start && len(s.uses[function]) == 0 && !strings.HasPrefix(d.Name.Name, "init") && d.Name.Name != "main" && !isTest(d.Name.Name) {
					continue // nobody calls it
				}
			}
			later := map[ast.Node]bool{}
			ahead(in, func(n ast.Node, is bool) { later[n] = is })
			p.stored(in, func(e ast.Expr, _ bool) {
				if v, ok := p.root(e).(*types.Var); ok && (!start || later[e]) {
					s.note(p, v, e)
				}
			})
			ast.Inspect(in, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok || start && !later[n] {
					return true
				}
				method, ok := call.Fun.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				writes := false
				if of := p.info.Selections[method]; of != nil {
					f, ok := of.Obj().(*types.Func)
					writes = ok && s.mutates[f.Origin()]
				}
				if v, ok := p.root(method.X).(*types.Var); ok && (writes || s.atomic[v] && slices.Contains(atomics, method.Sel.Name)) {
					s.note(p, v, method.X)
				}
				return true
			})
		}
	}
}

// note notes a write, if that is of a package variable that is looked for.
func (s *sharing) note(p *source, v *types.Var, at ast.Expr) {
	if v.Pkg() == nil || v.Parent() != v.Pkg().Scope() || !v.Pos().IsValid() {
		return
	}
	s.found = append(s.found, Write{v.Pkg().Name() + "." + v.Name(), s.files.Position(at.Pos()), p.Module == nil || p.Module.Main})
}

// stored visits what statements write: variables as a whole, or what is in them.
func (p *source) stored(in ast.Node, visit func(e ast.Expr, whole bool)) {
	written := func(e ast.Expr) {
		_, whole := ast.Unparen(e).(*ast.Ident)
		visit(e, whole)
	}
	ast.Inspect(in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, e := range n.Lhs {
					written(e)
				}
			}
		case *ast.IncDecStmt:
			written(n.X)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				for _, e := range []ast.Expr{n.Key, n.Value} {
					if e != nil {
						written(e)
					}
				}
			}
		case *ast.CallExpr:
			if held := p.atomically(n); held != nil {
				visit(held, false)
			}
		}
		return true
	})
}

// atomically returns what a call of the language or of sync/atomic writes, nil if
// it writes nothing or is another.
func (p *source) atomically(call *ast.CallExpr) ast.Expr {
	if len(call.Args) == 0 {
		return nil
	}
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		if b, ok := p.info.Uses[f].(*types.Builtin); ok && (b.Name() == "delete" || b.Name() == "clear" || b.Name() == "copy") {
			return call.Args[0]
		}
	case *ast.SelectorExpr:
		if p.packageOf(f) != "sync/atomic" || strings.HasPrefix(f.Sel.Name, "Load") {
			return nil
		}
		if held, ok := call.Args[0].(*ast.UnaryExpr); ok && held.Op == token.AND {
			return held.X
		}
	}
	return nil
}

// root returns the variable that an expression is, or is a part of; nil if it is of none.
func (p *source) root(e ast.Expr) types.Object {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.SelectorExpr:
			if p.packageOf(x) != "" {
				return p.info.Uses[x.Sel]
			}
			e = x.X
		case *ast.Ident:
			return p.info.Uses[x]
		default:
			return nil
		}
	}
}
