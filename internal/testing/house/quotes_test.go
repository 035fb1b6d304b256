package house_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Code in the documentation that begins with the line
//
//	<!-- adapters/coreosraft/node.go: Restart Step -->
//
// is these declarations of that file, or without names all of it. With -update it
// is written anew.
func TestQuotedCode(t *testing.T) {
	quote := regexp.MustCompile("(?s)(<!-- (\\S+\\.(?:go|py)):?([\\w ]*) -->\n```(?:go|python)\n)(.*?)```\n")
	pages, err := filepath.Glob(root + "/docs/*/*.md")
	require.NoError(t, err)
	quotes := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		is := quote.ReplaceAllStringFunc(string(text), func(block string) string {
			quotes++
			m := quote.FindStringSubmatch(block)
			return m[1] + declarations(t, m[2], strings.Fields(m[3])) + "```\n"
		})
		if *update {
			require.NoError(t, os.WriteFile(page, []byte(is), 0o666))
			continue
		}
		require.Equal(t, is, string(text), "%s quotes code that has changed: see whether the text is still right, then go test ./internal/testing/house -update", page)
	}
	require.NotZero(t, quotes)
}

// declarations returns the text of the declarations of a file with these names.
func declarations(t *testing.T, file string, names []string) string {
	source, err := os.ReadFile(filepath.Join(root, file))
	require.NoError(t, err)
	if len(names) == 0 {
		return string(source)
	}
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, file, source, parser.ParseComments)
	require.NoError(t, err)
	var texts []string
	for _, name := range names {
		i := slices.IndexFunc(parsed.Decls, func(d ast.Decl) bool { return declares(d, name) })
		require.GreaterOrEqual(t, i, 0, "%s declares no %s", file, name)
		begin, end := parsed.Decls[i].Pos(), parsed.Decls[i].End()
		if doc := comment(parsed.Decls[i]); doc != nil {
			begin = doc.Pos()
		}
		texts = append(texts, string(source[files.Position(begin).Offset:files.Position(end).Offset])+"\n")
	}
	return strings.Join(texts, "\n")
}

func declares(d ast.Decl, name string) bool {
	if f, ok := d.(*ast.FuncDecl); ok {
		return f.Name.Name == name
	}
	return slices.ContainsFunc(d.(*ast.GenDecl).Specs, func(s ast.Spec) bool {
		switch s := s.(type) {
		case *ast.TypeSpec:
			return s.Name.Name == name
		case *ast.ValueSpec:
			return slices.ContainsFunc(s.Names, func(id *ast.Ident) bool { return id.Name == name })
		}
		return false
	})
}

func comment(d ast.Decl) *ast.CommentGroup {
	if f, ok := d.(*ast.FuncDecl); ok {
		return f.Doc
	}
	return d.(*ast.GenDecl).Doc
}

// The pages on adapters have the versions that adapters/versions tests.
func TestVersions(t *testing.T) {
	list, err := os.ReadFile(filepath.Join(adapters, "versions.txt"))
	require.NoError(t, err)
	var rows, raft []string
	for line := range strings.Lines(string(list)) {
		switch words := strings.Fields(line); words[0] {
		case "#":
		case "hashicorpraft":
			raft = append(raft, words[1])
		default:
			rows = append(rows, "| "+words[1]+" | `adapters/"+words[0]+"` | `"+words[2]+"` |")
		}
	}
	require.Equal(t, rows, rowsOf(t, root+"/docs/guide/adapter.md", "(?m)^\\| [\\w.-]+ \\| `adapters/\\w+` \\| `[^`]+` \\|"))
	text, err := os.ReadFile(root + "/docs/case-studies/hashicorp-raft.md")
	require.NoError(t, err)
	require.Contains(t, strings.Join(strings.Fields(string(text)), " "), "were searched: "+strings.Join(raft, ", ")+" ##")
}

// rowsOf returns what matches in a page.
func rowsOf(t *testing.T, page, pattern string) []string {
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	return regexp.MustCompile(pattern).FindAllString(string(text), -1)
}
