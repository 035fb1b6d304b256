package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/internal/gobuild"
	"github.com/lineage-driven/ldfi/internal/suite"
	"github.com/lineage-driven/ldfi/specs"
)

// testEnd is how go test ended, as far as its output tells: its exit code is 1 if a test
// fails, and also if something cannot be built.
type testEnd struct {
	code   int
	json   bool // it writes events, and no text
	failed []failedTest
	broken []string // packages that cannot be built
	lacks  bool     // one of them imports ldfi, which its module does not have
}

// failedTest is a test that fails and none of whose parts does; or a package that fails without one.
type failedTest struct {
	pkg, test string
	place     specs.Position // of the first line that it logs; its file is in the directory of the package
}

// testLines passes on the output of go test, and looks for tests that fail.
type testLines struct {
	to      io.Writer
	end     *testEnd
	json    bool
	partial []byte
	tests   []failedTest // of the package whose output this is
}

func (l *testLines) Write(p []byte) (int, error) {
	l.partial = append(l.partial, p...)
	for {
		line, rest, ok := bytes.Cut(l.partial, []byte("\n"))
		if !ok {
			break
		}
		l.look(string(line))
		l.partial = rest
	}
	return l.to.Write(p)
}

// flush looks at a last line without an end.
func (l *testLines) flush() {
	if len(l.partial) > 0 {
		l.look(string(l.partial))
	}
}

var (
	failing = regexp.MustCompile(`^ *--- FAIL: (\S+) \(`)
	logged  = regexp.MustCompile(`^ +([\w.-]+\.go):(\d+): `)
	lacking = regexp.MustCompile(`(no required module provides|cannot find module providing|missing go\.sum entry for module providing) package github\.com/lineage-driven/ldfi/`)
)

// howToRequire is what to do where a module lacks ldfi: the hints of go need a release.
const howToRequire = "until there is a release of ldfi, the module takes a clone of it: go mod edit -require=github.com/lineage-driven/ldfi@v0.1.0 -replace=github.com/lineage-driven/ldfi=/path/to/your/clone && go mod tidy"

// look looks at a line: go test writes what fails in a package before the line about the package.
func (l *testLines) look(line string) {
	l.end.lacks = l.end.lacks || lacking.MatchString(line)
	if l.json {
		l.event(line)
		return
	}
	if m := failing.FindStringSubmatch(line); m != nil {
		l.tests = append(l.tests, failedTest{test: m[1]})
		return
	}
	if m := logged.FindStringSubmatch(line); m != nil && len(l.tests) > 0 && l.tests[len(l.tests)-1].place.Line == 0 {
		number, _ := strconv.Atoi(m[2])
		l.tests[len(l.tests)-1].place = specs.Position{File: m[1], Line: number, Column: 1}
		return
	}
	kind, rest, ok := strings.Cut(line, "\t")
	name, _, _ := strings.Cut(rest, "\t")
	switch kind = strings.TrimSpace(kind); {
	case !ok || kind != "FAIL" && kind != "ok" && kind != "?":
	case kind != "FAIL":
		l.tests = nil
	case strings.HasSuffix(name, "[build failed]") || strings.HasSuffix(name, "[setup failed]"):
		l.end.broken = append(l.end.broken, strings.Fields(name)[0])
		l.tests = nil
	case name != "":
		l.fails(name)
	}
}

// event looks at an event of go test -json.
func (l *testLines) event(line string) {
	var e struct{ Action, Package, Test, FailedBuild string }
	if json.Unmarshal([]byte(line), &e) != nil || e.Action != "fail" {
		return
	}
	switch {
	case e.FailedBuild != "":
		l.end.broken = append(l.end.broken, e.Package)
	case e.Test != "":
		l.tests = append(l.tests, failedTest{pkg: e.Package, test: e.Test})
	default:
		others := slices.DeleteFunc(slices.Clone(l.tests), func(t failedTest) bool { return t.pkg == e.Package })
		l.tests = slices.DeleteFunc(l.tests, func(t failedTest) bool { return t.pkg != e.Package })
		l.fails(e.Package)
		l.tests = others
	}
}

// fails records a package that fails, with those of its tests of which no part fails.
func (l *testLines) fails(pkg string) {
	n := len(l.end.failed)
	for _, t := range l.tests {
		if !slices.ContainsFunc(l.tests, func(part failedTest) bool { return strings.HasPrefix(part.test, t.test+"/") }) {
			t.pkg = pkg
			l.end.failed = append(l.end.failed, t)
		}
	}
	if len(l.end.failed) == n {
		l.end.failed = append(l.end.failed, failedTest{pkg: pkg})
	}
	l.tests = nil
}

// others are the tests that fail for another reason than a violated property, and the packages
// that cannot be built, as cases that have no answer.
func (b *board) others(end testEnd, packages []gobuild.TestPackage) (cases []suite.CaseResult) {
	folder := func(pkg string) string {
		for _, p := range packages {
			if p.ImportPath == pkg {
				return suite.Near(b.here, "", p.Dir)
			}
		}
		return "."
	}
	name := func(pkg, test string) string {
		p := testedProperty{}
		p.Package, p.Test = pkg, test
		p.Folder = folder(pkg)
		return strings.TrimSpace(b.name(&p))
	}
	for _, pkg := range end.broken {
		c := suite.CaseResult{Name: pkg, Error: "it cannot be built: see the output of go test"}
		if end.lacks {
			c.Error += "; " + howToRequire
		}
		c.Position = specs.Position{File: folder(pkg), Line: 1, Column: 1}
		cases = append(cases, c)
	}
	for _, t := range end.failed {
		if slices.ContainsFunc(b.all, func(p *testedProperty) bool {
			return p.Package == t.pkg && (p.Test == t.test || t.test == "" || strings.HasPrefix(p.Test, t.test+"/")) && (p.violated() || p.last.Error != "")
		}) {
			continue
		}
		c := suite.CaseResult{Name: name(t.pkg, t.test), Error: "it fails, and no property is violated: see the output of go test"}
		if t.test == "" {
			c.Name = t.pkg
		}
		c.Position = specs.Position{File: folder(t.pkg), Line: 1, Column: 1}
		if t.place.Line > 0 {
			c.Position = specs.Position{File: path.Join(folder(t.pkg), t.place.File), Line: t.place.Line, Column: 1}
			c.Error = fmt.Sprintf("it fails at %s:%d, and no property is violated: see the output of go test", c.File, c.Line)
		}
		cases = append(cases, c)
	}
	return cases
}
