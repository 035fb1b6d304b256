package gobuild

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/files"
)

// The packages that say what tests need.
const searching = "github.com/lineage-driven/ldfi/ldfi/ldfitest"

// TestArguments are the arguments of go test, taken apart.
type TestArguments struct {
	Build    []string // flags that go build and go list take as well
	Test     []string // other flags of go test, and those of the tests
	Packages []string // empty: the one of the working directory
	Rest     []string // of the tests: from -args on, or from the first flag on that go does not know
}

// ParseTest takes the arguments of go test apart: the packages stand before the first flag
// that go does not know, as "go help testflag" has it.
func ParseTest(words []string) (a TestArguments) {
	for len(words) > 0 {
		word := words[0]
		name, _, given := strings.Cut(strings.TrimLeft(word, "-"), "=")
		bare := strings.TrimPrefix(name, "test.")
		n, to := 1, &a.Build
		switch {
		case word == "" || word[0] != '-':
			to = &a.Packages
		case slices.Contains(valueFlags, name):
			n = 2
		case slices.Contains(buildFlags, name):
		case slices.Contains(onlyTestFlags, name) || slices.Contains(testFlags, bare):
			to = &a.Test
		case slices.Contains(onlyTestValueFlags, name) || slices.Contains(testValueFlags, bare):
			n, to = 2, &a.Test
		default: // -args, and what go does not know
			a.Rest = words
			return a
		}
		if given {
			n = 1
		}
		n = min(n, len(words))
		*to = append(*to, words[:n]...)
		words = words[n:]
	}
	return a
}

// Flags of go build without a value, and those that only go test has.
var (
	buildFlags         = []string{"a", "asan", "buildvcs", "cover", "linkshared", "modcacherw", "msan", "n", "race", "trimpath", "work", "x"}
	onlyTestFlags      = []string{"c", "json"}
	onlyTestValueFlags = []string{"coverprofile", "exec", "o", "vet"}
)

// Words are the arguments, of these packages.
func (a TestArguments) Words(packages []string) []string {
	return slices.Concat(a.Build, a.Test, packages, a.Rest)
}

// TestPackage is a package whose tests are to run.
type TestPackage struct {
	ImportPath string
	Dir        string // its directory
	Searches   bool   // its tests can call ldfitest.Run
	Virtual    bool   // they have servers with goroutines
	Sites      int    // the places in its own tests that call ldfitest.Run, at least 1 if it searches
	Digest     string // of the code of its tests, with all that they import
}

// TestPackages lists the packages that go test would test. It reads their sources, and
// builds nothing. go test says more about what is wrong with one of them.
func TestPackages(ctx context.Context, a TestArguments) ([]TestPackage, error) {
	list := exec.CommandContext(ctx, "go", slices.Concat([]string{"list"}, a.Build, []string{"-e", "-test", "-deps", "-json=ImportPath,ForTest,Dir,DepOnly,Standard,Deps,Module,GoFiles,CgoFiles,EmbedFiles"}, orHere(a.Packages))...)
	text, err := Output(ctx, list, telling)
	if err != nil {
		return nil, fmt.Errorf("listing the packages: %w", err)
	}
	all := map[string]*tested{}
	var tests []*tested
	for d := json.NewDecoder(strings.NewReader(text)); ; {
		p := new(tested)
		if err := d.Decode(p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("listing the packages: %w", err)
		}
		all[p.ImportPath] = p
		if !p.DepOnly && strings.HasSuffix(p.ImportPath, ".test") {
			tests = append(tests, p)
		}
	}
	packages := make([]TestPackage, len(tests))
	for i, p := range tests {
		t := TestPackage{ImportPath: strings.TrimSuffix(p.ImportPath, ".test"), Dir: p.Dir, Virtual: slices.Contains(p.Deps, Virtual), Searches: slices.Contains(p.Deps, searching)}
		if t.Searches {
			t.Sites, t.Digest = p.read(t.ImportPath, all)
		}
		packages[i] = t
	}
	return packages, nil
}

// tested is a package as go lists it for its tests.
type tested struct {
	listed
	ForTest    string
	Deps       []string
	EmbedFiles []string
	Module     *struct {
		Path, Version string
		Replace       *struct{ Version string }
	}
}

// own tells whether the sources of a package may change while its version does not.
func (p *tested) own() bool {
	return p.Module == nil || p.Module.Version == "" || p.Module.Replace != nil && p.Module.Replace.Version == ""
}

// read reads the sources of a test. A file that cannot be read is one that go test will
// complain about.
func (p *tested) read(of string, all map[string]*tested) (sites int, digest string) {
	h := sha256.New()
	for _, name := range p.Deps {
		d := all[name]
		switch {
		case d == nil || d.Standard:
			continue
		case !d.own():
			fmt.Fprintf(h, "%s@%s\n", d.Module.Path, d.Module.Version)
			continue
		}
		for _, file := range slices.Concat(d.GoFiles, d.CgoFiles, d.EmbedFiles) {
			if !filepath.IsAbs(file) {
				file = filepath.Join(d.Dir, file)
			}
			text, _ := files.Read(file, files.Program)
			fmt.Fprintf(h, "%s %d\n", name, len(text))
			h.Write(text)
			if d.ForTest == of && strings.HasSuffix(file, "_test.go") {
				sites += strings.Count(string(text), "ldfitest.Run(")
			}
		}
	}
	return max(sites, 1), fmt.Sprintf("%x", h.Sum(nil))
}
