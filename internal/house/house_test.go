// Package house tests that the packages of this module are as docs/design.md says:
// which there are, what each imports, how many names they show to the outside,
// and what they do not link.
package house_test

import (
	"bytes"
	"flag"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the imports into docs/design.md")

const (
	module = "github.com/lineage-driven/ldfi/"
	page   = "../../docs/design.md"
)

// list runs go list over the packages of the module and returns its lines.
func list(t *testing.T, args ...string) []string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	cmd.Dir = "../.."
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	require.NoError(t, err, complaint.String())
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// imports returns which packages of the module each of them imports.
func imports(t *testing.T) map[string][]string {
	all := map[string][]string{}
	for _, line := range list(t, "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...") {
		words := strings.Fields(line)
		name := strings.TrimPrefix(words[0], module)
		all[name] = []string{}
		for _, path := range words[1:] {
			if ours, ok := strings.CutPrefix(path, module); ok {
				all[name] = append(all[name], ours)
			}
		}
	}
	return all
}

// row is a line of the table of packages: a name, what belongs there, imports.
func row(line string) (name string, cells []string) {
	cells = strings.Split(line, "|")
	if len(cells) != 5 || !strings.HasPrefix(strings.TrimSpace(cells[1]), "`") {
		return "", nil
	}
	return strings.Trim(cells[1], " `"), cells
}

// Every package that others can import has a row in the table, and the row says
// what the package imports. Tests only, examples and hosts have none.
func TestTableOfPackages(t *testing.T) {
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	want := imports(t)
	maps.DeleteFunc(want, func(name string, _ []string) bool {
		return strings.HasPrefix(name, "examples/") || name == "internal/house" || name == "internal/catalogue"
	})
	var out strings.Builder
	var rows []string
	for line := range strings.Lines(string(text)) {
		if name, cells := row(line); cells != nil {
			rows = append(rows, name)
			cells[3] = " " + strings.Join(quoted(want[name]), " ") + " "
			line = strings.Join(cells, "|")
		}
		out.WriteString(line)
	}
	require.ElementsMatch(t, slices.Collect(maps.Keys(want)), rows, "the packages, and the rows of the table in docs/design.md")
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(out.String()), 0o644))
	}
	text, err = os.ReadFile(page)
	require.NoError(t, err)
	require.Equal(t, out.String(), string(text), "run go test ./internal/house -update")
}

func quoted(names []string) []string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = "`" + name + "`"
	}
	return all
}

// The table is in an order in which every package stands above all that it
// imports, so that imports point down.
func TestImportsPointDown(t *testing.T) {
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	place := map[string]int{}
	for i, line := range strings.Split(string(text), "\n") {
		if name, cells := row(line); cells != nil {
			place[name] = i
		}
	}
	for name, all := range imports(t) {
		for _, imported := range all {
			if at, ok := place[name]; ok {
				require.Less(t, at, place[imported], "%s imports %s, which stands above it in docs/design.md", name, imported)
			}
		}
	}
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
			[]string{"./examples/election/host", "./ldfi/ldfitest", "./ldfi/wire", "./ldfi/search", "./rounds/system", "./specs/property"},
			[]string{"github.com/google/mangle", "github.com/antlr4-go", "github.com/anishathalye/porcupine"},
		},
		{ // pages are written by the command, and by go test
			[]string{"./examples/election/host", "./ldfi/wire", "./ldfi/search", "./ldfi", "./rounds/system", "./rounds/virtual"},
			[]string{module + "internal/report"},
		},
		{ // terminals, pages and assistants are reached from the command only
			without(t, "internal/terminal", "internal/assistant"),
			[]string{"github.com/fatih/color", "golang.org/x/term", "github.com/spf13/cobra", "charm.land/", "html/template", "github.com/modelcontextprotocol"},
		},
		{ // these belong to modules of their own
			[]string{"./..."},
			[]string{"github.com/nats-io", "google.golang.org/grpc", "go.etcd.io", "github.com/coreos", "github.com/hashicorp"},
		},
		{ // what confirms an answer shares no evaluator with what found it
			[]string{"./internal/lockstep"},
			[]string{module + "provenance", module + "solver", "github.com/go-air/gini"},
		},
	} {
		for _, path := range list(t, append([]string{"-deps", "-f", "{{.ImportPath}}"}, rule.packages...)...) {
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
			all = append(all, "./"+name)
		}
	}
	slices.Sort(all)
	return all
}
