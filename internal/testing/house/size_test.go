package house_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The house stays small enough for one person to hold in mind. -v prints the figures. None
// may grow; a commit that makes one smaller lowers its limit, and a commit that has to raise
// one says why.
func TestHouse(t *testing.T) {
	all := imports(t)
	maps.DeleteFunc(all, func(name string, _ []string) bool { return strings.HasPrefix(name, "examples/") })
	lines, support := lines(t)
	small, single := smallRooms(t, all)
	folders := map[string]bool{}
	for name := range all {
		if rest, ok := strings.CutPrefix(name, "internal/"); ok {
			first, _, _ := strings.Cut(rest, "/")
			folders[first] = true
		}
	}
	for _, figure := range []struct {
		name        string
		is, at, aim int
	}{
		{"packages of the core module without examples", len(all), 66, 60},
		{"folders of internal", len(folders), 31, 30},
		{"packages in the longest chain of imports", slices.Max(slices.Collect(maps.Values(heights(all)))), 18, 17},
		{"packages that ldfi/ldfitest links", linked(t, "ldfi/ldfitest"), 30, 28},
		{"packages that rounds links", linked(t, "rounds"), 5, 6},
		{"packages that cmd/ldfi links", linked(t, "cmd/ldfi"), 50, 40},
		{"packages below 150 lines", len(small), 0, 0},
		{"packages with one importer", len(single), 2, 0},
		{"exported names of public packages", len(exportedNames(t)), 622, 320},
		{"lines of Go without tests and test support, in all modules", lines - support, 180_500, 115_000},
	} {
		t.Logf("%7d  %s (at most %d; the aim is %d)", figure.is, figure.name, figure.at, figure.aim)
		assert.LessOrEqual(t, figure.is, figure.at, figure.name)
	}
	t.Logf("%7d  lines of test support", support)
	t.Logf("below 150 lines: %s", strings.Join(small, " "))
	t.Logf("one importer: %s", strings.Join(single, " "))
}

// linked counts the packages of the module that a package links, itself left out.
func linked(t *testing.T, name string) int {
	n := 0
	for _, path := range links(t, name) {
		if strings.HasPrefix(path, module) {
			n++
		}
	}
	return n - 1
}

// heights returns the longest chain of imports that begins at each package.
func heights(all map[string][]string) map[string]int {
	height := map[string]int{}
	var of func(name string) int
	of = func(name string) int {
		if height[name] == 0 {
			height[name] = 1
			for _, imported := range all[name] {
				height[name] = max(height[name], 1+of(imported))
			}
		}
		return height[name]
	}
	for name := range all {
		of(name)
	}
	return height
}

// smallRooms returns the internal packages of less than 150 lines, and those that one
// package alone imports. Tests and test support are left out, and so are packages that
// only the command links, which is the reason for these.
func smallRooms(t *testing.T, all map[string][]string) (small, single []string) {
	files, importers := goFiles(t), map[string][]string{}
	for name, imported := range all {
		for _, i := range imported {
			importers[i] = append(importers[i], name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if !strings.HasPrefix(name, "internal/") || strings.HasPrefix(name, "internal/testing/") {
			continue
		}
		n := 0
		for _, path := range files {
			if filepath.Dir(path) == name {
				n += count(t, path)
			}
		}
		if n == 0 {
			continue // tests only
		}
		if n < 150 {
			small = append(small, fmt.Sprintf("%s (%d)", name, n))
		}
		if len(importers[name]) == 1 && importers[name][0] != "cmd/ldfi" {
			single = append(single, fmt.Sprintf("%s (%s)", name, importers[name][0]))
		}
	}
	return small, single
}

// count counts the lines of a file of the repository.
func count(t *testing.T, path string) int {
	data, err := os.ReadFile(filepath.Join(root, path))
	require.NoError(t, err)
	return bytes.Count(data, []byte("\n"))
}

// lines counts the lines of Go of all modules without tests, and those of them that are
// test support. What suites of other projects' releases write and ask is no part of the
// product.
func lines(t *testing.T) (all, support int) {
	for _, path := range goFiles(t) {
		if strings.HasPrefix(path, "examples/wild/") {
			continue
		}
		n := count(t, path)
		all += n
		if strings.HasPrefix(path, "internal/testing/") {
			support += n
		}
	}
	return all, support
}

// stillInternal are fields that users fill or read by functions, and cannot name.
var stillInternal = []string{
	"specs/dedalus.Program.Rules", "specs/dedalus.Program.Facts", "specs/dedalus.Program.Choices", // programs are parsed
	"rounds/system.System.Calls",    // ldfitest sets it
	"specs/property.Property.Rules", // rules.New makes it
}

// A user can name the type of each field that a public struct shows.
func TestPublicFieldsHavePublicTypes(t *testing.T) {
	var internal []string
	for dir, files := range publicPackages(t) {
		for _, f := range files {
			foreign := map[string]string{}
			for _, i := range f.Imports {
				path, err := strconv.Unquote(i.Path.Value)
				require.NoError(t, err)
				name := path[strings.LastIndex(path, "/")+1:]
				if i.Name != nil {
					name = i.Name.Name
				}
				if strings.HasPrefix(path, module+"internal/") {
					foreign[name] = path
				}
			}
			ast.Inspect(f, func(n ast.Node) bool {
				spec, ok := n.(*ast.TypeSpec)
				if !ok || !spec.Name.IsExported() {
					return true
				}
				structure, ok := spec.Type.(*ast.StructType)
				if !ok {
					return true
				}
				for _, field := range structure.Fields.List {
					if !slices.ContainsFunc(field.Names, (*ast.Ident).IsExported) {
						continue
					}
					ast.Inspect(field.Type, func(n ast.Node) bool {
						if s, ok := n.(*ast.SelectorExpr); ok {
							name := fmt.Sprintf("%s.%s.%s", dir, spec.Name, field.Names[0])
							if x, ok := s.X.(*ast.Ident); ok && foreign[x.Name] != "" {
								internal = append(internal, name)
							}
						}
						return true
					})
				}
				return true
			})
		}
	}
	require.ElementsMatch(t, stillInternal, internal)
}
