package house_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// exportedNames returns the names that the packages that people import show: names of
// packages, and methods of exported types. solver and provenance promise nothing, and do not
// count. Somebody who reads go doc has to find the way; a name that only ldfi itself needs
// belongs below internal.
func exportedNames(t *testing.T) (names []string) {
	for dir, files := range publicPackages(t) {
		for _, f := range files {
			for _, d := range f.Decls {
				for _, name := range exported(d) {
					names = append(names, dir+"."+name)
				}
			}
		}
	}
	return names
}

// exported returns the exported names that a declaration makes.
func exported(d ast.Decl) []string {
	var names []string
	add := func(name *ast.Ident) {
		if name.IsExported() {
			names = append(names, name.Name)
		}
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil || receiver(d).IsExported() {
			add(d.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				add(spec.Name)
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					add(name)
				}
			}
		}
	}
	return names
}

// receiver returns the type of which a function is a method.
func receiver(d *ast.FuncDecl) *ast.Ident {
	t := d.Recv.List[0].Type
	for {
		switch e := t.(type) {
		case *ast.StarExpr:
			t = e.X
		case *ast.IndexExpr:
			t = e.X
		case *ast.Ident:
			return e
		}
	}
}

// Every package that people import says what it is for, and has an example or
// says where one is.
func TestPackagesSayWhatTheyAreFor(t *testing.T) {
	for dir, files := range publicPackages(t) {
		comment := ""
		for _, f := range files {
			comment += f.Doc.Text()
		}
		require.Contains(t, comment, "Package "+files[0].Name.Name, dir)
	}
}

// notPublic are the folders with packages that others cannot import, or that
// promise nothing.
var notPublic = []string{"internal", "examples", "adapters", "cmd", "solver", "provenance"}

// publicPackages returns the parsed files of each package that people import.
func publicPackages(t *testing.T) map[string][]*ast.File {
	t.Helper()
	packages := map[string][]*ast.File{}
	fset := token.NewFileSet()
	for _, path := range goFiles(t, notPublic...) {
		f, err := parser.ParseFile(fset, filepath.Join(root, path), nil, parser.ParseComments)
		require.NoError(t, err)
		packages[filepath.Dir(path)] = append(packages[filepath.Dir(path)], f)
	}
	return packages
}

// gone are words that say too little: nothing in the core module is to be named so.
var gone = strings.Fields(`happened hearing shipped workshop door said course outlook gist pace
	aim belated downs staff station teller desk charter ladder grace inwords crew offers
	grounds standing calm heard tail`)

// Packages, files, types, functions and methods have the field's names.
func TestNamesThatAreGone(t *testing.T) {
	fset := token.NewFileSet()
	for _, path := range goFiles(t, "adapters", "examples") {
		if base := strings.TrimSuffix(filepath.Base(path), ".go"); slices.Contains(gone, base) {
			t.Errorf("%s: a file is not to be called %s", path, base)
		}
		f, err := parser.ParseFile(fset, filepath.Join(root, path), nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		if slices.Contains(gone, f.Name.Name) {
			t.Errorf("%s: a package is not to be called %s", path, f.Name.Name)
		}
		for _, d := range f.Decls {
			for _, name := range declared(d) {
				if slices.Contains(gone, strings.ToLower(name.Name)) {
					t.Errorf("%s: nothing is to be called %s", fset.Position(name.Pos()), name.Name)
				}
			}
		}
	}
}

// declared returns the names of types, functions and methods that a declaration makes.
func declared(d ast.Decl) (names []*ast.Ident) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		names = append(names, d.Name)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			if spec, ok := spec.(*ast.TypeSpec); ok {
				names = append(names, spec.Name)
			}
		}
	}
	return names
}
