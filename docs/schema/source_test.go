package schema_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	root   = "../.."
	module = "github.com/lineage-driven/ldfi/"
)

// source is the types of a package, as they are written.
type source struct {
	path    string // below the module
	types   map[string]declared
	methods map[string]bool // "Schedule.MarshalText"
	values  map[string][]value
}

// declared is a type, with its comment and the file that its names are those of.
type declared struct {
	*ast.TypeSpec
	doc  string
	file *ast.File
}

// value is a constant of a type, with its comment.
type value struct{ text, doc string }

// read parses the package in a folder of the module, without its tests.
func read(folder string) (*source, error) {
	names, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
	if err != nil {
		return nil, err
	}
	s := &source{path: folder, types: map[string]declared{}, methods: map[string]bool{}, values: map[string][]value{}}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv != nil {
					s.methods[base(d.Recv.List[0].Type)+"."+d.Name.Name] = true
				}
			case *ast.GenDecl:
				s.declare(d, file)
			}
		}
	}
	return s, nil
}

// base is the name of the type of a receiver.
func base(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return base(e.X)
	case *ast.IndexExpr:
		return base(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// declare takes note of types and of constants that have one.
func (s *source) declare(d *ast.GenDecl, file *ast.File) {
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			s.types[spec.Name.Name] = declared{spec, said(spec.Name.Name, spec.Name.Name, cmp.Or(text(spec.Doc), text(d.Doc))), file}
		case *ast.ValueSpec:
			of, ok := spec.Type.(*ast.Ident)
			if d.Tok != token.CONST || !ok || len(spec.Values) != 1 {
				continue
			}
			if literal, ok := spec.Values[0].(*ast.BasicLit); ok && literal.Kind == token.STRING {
				unquoted, _ := strconv.Unquote(literal.Value)
				s.values[of.Name] = append(s.values[of.Name], value{unquoted, cmp.Or(text(spec.Doc), text(spec.Comment))})
			}
		}
	}
}

// imported returns the path that a name means in a file.
func imported(file *ast.File, name string) (string, error) {
	for _, i := range file.Imports {
		found, _ := strconv.Unquote(i.Path.Value)
		if i.Name != nil && i.Name.Name == name || i.Name == nil && path.Base(found) == name {
			return found, nil
		}
	}
	return "", fmt.Errorf("nothing is imported as %s", name)
}

func text(c *ast.CommentGroup) string { return strings.Join(strings.Fields(c.Text()), " ") }

// link is a name in a comment that go doc makes a link of.
var link = regexp.MustCompile(`\[([\w.]+)\]`)

// said is a comment as somebody reads it who has the JSON: a sentence, in which what is
// called by its name in Go has that of JSON.
func said(inGo, inJSON, comment string) string {
	comment = strings.TrimSuffix(link.ReplaceAllString(comment, "$1"), ".")
	rest, ok := strings.CutPrefix(comment, inGo+" ")
	if !ok {
		return capital(comment)
	}
	for _, verb := range []string{"is ", "are "} {
		if what, ok := strings.CutPrefix(rest, verb); ok {
			return capital(what)
		}
	}
	return inJSON + " " + rest
}

func capital(text string) string {
	if text == "" {
		return ""
	}
	r, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[size:]
}
