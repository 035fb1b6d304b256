package house_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// reads are the functions that read files of any kind and length.
var reads = []string{"os.ReadFile", "os.Open", "os.OpenFile", "io.ReadAll", "ioutil.ReadFile", "ioutil.ReadAll", "fs.ReadFile"}

// mayRead are the packages that call them: the reader, what writes files, and
// what only tests import; and the one file that is appended to.
var mayRead = []string{"internal/files", "internal/testing/golden", "internal/testing/oracle", "cmd/ldfi/check.go os.OpenFile"}

// Everything is read by internal/files, which knows limits, pipes and devices.
func TestOneReaderOfFiles(t *testing.T) {
	fset, seen := token.NewFileSet(), 0
	for _, path := range goFiles(t, "adapters", "examples") {
		file, err := parser.ParseFile(fset, filepath.Join(root, path), nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			call := called(n)
			if !slices.Contains(reads, call) {
				return true
			}
			seen++
			if !slices.Contains(mayRead, filepath.Dir(path)) && !slices.Contains(mayRead, path+" "+call) {
				t.Errorf("%s calls %s: read files with internal/files", fset.Position(n.Pos()), call)
			}
			return true
		})
	}
	require.Positive(t, seen)
}

// called returns package.Name if a node is that.
func called(n ast.Node) string {
	if s, ok := n.(*ast.SelectorExpr); ok {
		if of, ok := s.X.(*ast.Ident); ok {
			return of.Name + "." + s.Sel.Name
		}
	}
	return ""
}
