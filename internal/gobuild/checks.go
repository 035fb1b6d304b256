package gobuild

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/internal/text"
)

// ofLdfi is the module with ldfi/client.
const ofLdfi = "github.com/lineage-driven/ldfi"

// Assertion is a call in the sources of a program that checks something, with a message that is a
// constant there.
type Assertion struct {
	Function string // such as Always
	Message  string
}

// keepChecks keeps, beside a program, the checks of its sources: where its module requires
// what has them.
func (n node) keepChecks(ctx context.Context, file string, flags []string) error {
	kept := file + checksSuffix
	wanted := false
	for _, module := range []string{Antithesis, ofLdfi} {
		with, err := n.requires(module)
		if err != nil {
			return err
		}
		wanted = wanted || with
	}
	if !wanted {
		if err := os.Remove(kept); err != nil && !os.IsNotExist(err) {
			return err
		}
		return nil
	}
	packages, err := n.list(ctx, filepath.Dir(file), flags)
	if err != nil {
		return err
	}
	var all []Assertion
	for _, p := range packages {
		if slices.Contains(p.Imports, Antithesis+"/assert") || slices.Contains(p.Imports, ofLdfi+"/ldfi/client") {
			all = append(all, p.checks()...)
		}
	}
	out, err := text.MarshalJSON(all)
	if err != nil {
		return err
	}
	return files.Replace(kept, func(w io.Writer) error {
		_, err := w.Write(out)
		return err
	})
}

// checksSuffix is what the name of the file with the checks of a program ends with.
const checksSuffix = ".checks"

// Assertions returns the checks in the sources of a program that [Node] has built.
func Assertions(file string) (all []Assertion, err error) {
	said, err := files.Read(file+checksSuffix, files.Text)
	if os.IsNotExist(err) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	return all, text.UnmarshalJSON(said, &all)
}

// checks returns the checks of a package.
func (p *linked) checks() (all []Assertion) {
	set := token.NewFileSet()
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(set, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			continue // building it says why
		}
		imports := imported(f)
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			s, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := s.X.(*ast.Ident); !ok || imports[x.Name] != Antithesis+"/assert" && imports[x.Name] != ofLdfi+"/ldfi/client" {
				return true
			}
			for _, kind := range []string{"Always", "Sometimes", "Reachable", "Unreachable"} {
				if message, ok := firstText(call.Args); ok && strings.HasPrefix(s.Sel.Name, kind) {
					all = append(all, Assertion{s.Sel.Name, message})
				}
			}
			return true
		})
	}
	return all
}

// firstText returns the first of arguments that is written as a text.
func firstText(args []ast.Expr) (string, bool) {
	for _, a := range args {
		if l, ok := a.(*ast.BasicLit); ok && l.Kind == token.STRING {
			message, err := strconv.Unquote(l.Value)
			return message, err == nil
		}
	}
	return "", false
}
