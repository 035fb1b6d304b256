// Package house tests that the packages of this module are as packages.md says:
// which there are, what each imports, how many names they show to the outside,
// and what they do not link.
package house_test

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	_ "github.com/lineage-driven/ldfi/internal/testing/generate" // spends less on the collector
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the table of packages, and what other pages have of the code")

const (
	module = "github.com/lineage-driven/ldfi/"
	page   = root + "/docs/design.md"
	table  = root + "/internal/testing/house/packages.md"
)

// root is the folder of the repository.
const root = "../../.."

// goFiles returns the files of Go without tests, by their paths in the repository, but for
// those in some folders, and in testdata.
func goFiles(t *testing.T, skip ...string) (files []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (slices.Contains(skip, path) || d.Name() == "testdata" || d.Name() == ".git"):
			return fs.SkipDir
		case strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go"):
			files = append(files, path)
		}
		return nil
	})
	require.NoError(t, err)
	require.NotEmpty(t, files)
	return files
}

// listed is a package of the module, or one that these link.
type listed struct {
	doc     string // the first sentence of its comment
	imports []string
	linked  bool // it is not of the module
}

// listing has what go list says, by import path. It is asked once for all tests.
var listing = sync.OnceValues(func() (map[string]listed, error) {
	cmd := exec.Command("go", "list", "-deps", "-f", `{{.ImportPath}}|{{.DepOnly}}|{{join .Imports " "}}|{{.Doc}}`, "./...")
	cmd.Dir = root
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, &complaint)
	}
	all := map[string]listed{}
	for line := range strings.Lines(string(out)) {
		parts := strings.SplitN(strings.TrimSuffix(line, "\n"), "|", 4)
		all[parts[0]] = listed{doc: parts[3], imports: strings.Fields(parts[2]), linked: parts[1] == "true"}
	}
	return all, nil
})

func list(t *testing.T) map[string]listed {
	t.Helper()
	all, err := listing()
	require.NoError(t, err)
	return all
}

// links returns the import paths of packages and of all that they link.
func links(t *testing.T, packages ...string) []string {
	all, known := list(t), map[string]bool{}
	var visit func(path string)
	visit = func(path string) {
		if known[path] || path == "C" {
			return
		}
		require.Contains(t, all, path)
		known[path] = true
		for _, imported := range all[path].imports {
			visit(imported)
		}
	}
	for _, name := range packages {
		visit(module + name)
	}
	return slices.Sorted(maps.Keys(known))
}

// imports returns which packages of the module each of them imports.
func imports(t *testing.T) map[string][]string {
	all := map[string][]string{}
	for path, p := range list(t) {
		if p.linked {
			continue
		}
		name := strings.TrimPrefix(path, module)
		all[name] = []string{}
		for _, path := range p.imports {
			if ours, ok := strings.CutPrefix(path, module); ok {
				all[name] = append(all[name], ours)
			}
		}
	}
	return all
}

// The table in packages.md has a row for each package that others can import: the first
// sentence of its comment, and what it imports. A package stands above all that it imports,
// so that imports point down. Tests only, examples and hosts have no row.
func TestTableOfPackages(t *testing.T) {
	all := imports(t)
	maps.DeleteFunc(all, func(name string, _ []string) bool {
		return strings.HasPrefix(name, "examples/") || slices.Contains([]string{"internal/testing/house", "internal/testing/catalogue", "internal/testing/release"}, name)
	})
	text, err := os.ReadFile(table)
	require.NoError(t, err)
	before, _, ok := strings.Cut(string(text), tableHead)
	require.True(t, ok, "the head of the table is missing")
	want := before + tableHead + strings.Join(rows(t, all), "")
	if *update {
		require.NoError(t, os.WriteFile(table, []byte(want), 0o644))
		return
	}
	require.True(t, want == string(text), "the table of packages is not what they are: run go test ./internal/testing/house -update")
}

const tableHead = "| package | what it is for | imports |\n|---|---|---|\n"

// rows returns the rows of the table.
func rows(t *testing.T, all map[string][]string) (rows []string) {
	packages := list(t)
	height := heights(all)
	for _, name := range slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		return cmp.Or(cmp.Compare(height[b], height[a]), cmp.Compare(a, b))
	}) {
		base := name[strings.LastIndex(name, "/")+1:]
		text := strings.TrimPrefix(packages[module+name].doc, "Package "+base+" ")
		require.NotEmpty(t, text, "%s has no package comment", name)
		rows = append(rows, fmt.Sprintf("| `%s` | %s | %s |\n", name, strings.ReplaceAll(text, "|", "\\|"), strings.Join(quoted(all[name]), " ")))
	}
	return rows
}

func quoted(names []string) []string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = "`" + name + "`"
	}
	return all
}

// What is large, or speaks to a terminal or to a network, is linked only where it
// is used.
//
// The command and what it alone links are left out where the rule is about all others.
func TestWhatIsNotLinked(t *testing.T) {
	for _, rule := range []struct {
		packages []string // of the module
		without  []string // prefixes of import paths
	}{
		{ // a host links the engines for rules and linearizability only if it uses them
			[]string{"examples/election/host", "ldfi/ldfitest", "ldfi/wire", "ldfi/search", "rounds/system", "specs/property"},
			[]string{"github.com/google/mangle", "github.com/antlr4-go", "github.com/anishathalye/porcupine"},
		},
		{ // pages are written by the command, and by go test
			[]string{"examples/election/host", "ldfi/wire", "ldfi/search", "ldfi", "rounds/system", "rounds/virtual"},
			[]string{module + "internal/report"},
		},
		{ // terminals, pages and assistants are reached from the command only
			without(t, "internal/explore", "internal/assistant"),
			[]string{"github.com/fatih/color", "golang.org/x/term", "github.com/spf13/cobra", "charm.land/", "html/template", "github.com/modelcontextprotocol"},
		},
		{ // these belong to modules of their own
			slices.Collect(maps.Keys(imports(t))),
			[]string{"github.com/nats-io", "google.golang.org/grpc", "go.etcd.io", "github.com/coreos", "github.com/hashicorp"},
		},
		{ // what confirms an answer shares no evaluator with what found it
			[]string{"internal/lockstep"},
			[]string{module + "provenance", module + "solver", "github.com/go-air/gini"},
		},
	} {
		for _, path := range links(t, rule.packages...) {
			for _, prefix := range rule.without {
				require.False(t, strings.HasPrefix(path, prefix), "%v must not link %s", rule.packages, path)
			}
		}
	}
}

// without returns the packages of the module but the command, the examples and some.
func without(t *testing.T, but ...string) []string {
	var all []string
	for name := range imports(t) {
		if !slices.Contains(but, name) && !strings.HasPrefix(name, "cmd/") && !strings.HasPrefix(name, "examples/") && !strings.HasPrefix(name, "adapters/") {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}
