package gobuild

import (
	"path/filepath"
	"slices"
	"strings"
)

// Command is what a command of Go runs, and how it is built.
type Command struct {
	Test      bool
	Build     []string // the command of go that builds it
	File      string   // what that makes
	Flags     []string // of the build
	Packages  []string
	Arguments []string // of the program
}

// ParseCommand takes the command of a program of Go apart.
func ParseCommand(words []string) (p Command, ok bool) {
	p = Command{Build: []string{"build"}, File: "host"}
	if p.Flags, p.Packages, p.Arguments, ok = goRun(words); ok {
		return p, true
	}
	p = Command{Test: true, Build: []string{"test", "-c"}, File: "host.test"}
	p.Flags, p.Packages, p.Arguments, ok = goTest(words)
	if ok && !slices.ContainsFunc(p.Arguments, func(a string) bool { return strings.HasPrefix(a, "-test.") }) {
		p.Arguments = slices.Insert(p.Arguments, 0, "-test.paniconexit0") // by which a test is known, and which go test itself gives it
	}
	return p, ok
}

// goRun takes "go run [flags] package [arguments]" apart. The package may be
// several files.
func goRun(words []string) (flags, packages, arguments []string, ok bool) {
	if len(words) < 3 || filepath.Base(words[0]) != "go" || words[1] != "run" {
		return nil, nil, nil, false
	}
	rest := words[2:]
	for len(rest) > 1 && strings.HasPrefix(rest[0], "-") {
		n := 1
		if slices.Contains(valueFlags, strings.TrimLeft(rest[0], "-")) {
			n = 2
		}
		flags, rest = append(flags, rest[:n]...), rest[n:]
	}
	if len(rest) == 0 || strings.HasPrefix(rest[0], "-") {
		return nil, nil, nil, false
	}
	n := 1
	for n < len(rest) && strings.HasSuffix(rest[0], ".go") && strings.HasSuffix(rest[n], ".go") {
		n++
	}
	return flags, rest[:n], rest[n:], true
}

// valueFlags are the flags of go build whose value may be the next word.
var valueFlags = []string{
	"C", "p", "asmflags", "buildmode", "compiler", "covermode", "coverpkg", "gccgoflags", "gcflags", "installsuffix",
	"ldflags", "mod", "overlay", "pgo", "pkgdir", "tags", "toolexec",
}

// testValueFlags are the flags of go test, beside those of go build, whose value may
// be the next word. The test itself takes them, with a prefix.
var testValueFlags = []string{
	"bench", "benchtime", "blockprofile", "blockprofilerate", "count", "cpu", "cpuprofile", "fuzz", "fuzzminimizetime", "fuzztime",
	"list", "memprofile", "memprofilerate", "mutexprofile", "mutexprofilefraction", "outputdir", "parallel", "run", "shuffle", "skip",
	"timeout", "trace",
}

// testFlags are those without a value.
var testFlags = []string{"artifacts", "benchmem", "failfast", "fullpath", "short", "v"}

// goTest takes "go test [flags] package [flags] [-args arguments]" apart into what
// builds the test, and what it is given. The package is the working directory if
// none is named; there is one.
func goTest(words []string) (flags, packages, arguments []string, ok bool) {
	if len(words) < 2 || filepath.Base(words[0]) != "go" || words[1] != "test" {
		return nil, nil, nil, false
	}
	for rest := words[2:]; len(rest) > 0; {
		word := rest[0]
		name, _, given := strings.Cut(strings.TrimLeft(word, "-"), "=")
		bare := strings.TrimPrefix(name, "test.")
		n := 1
		switch {
		case word[:min(len(word), 1)] != "-":
			packages = append(packages, word)
		case name == "args":
			return flags, orHere(packages), append(arguments, rest[1:]...), len(packages) < 2
		case slices.Contains(testValueFlags, bare) || slices.Contains(testFlags, bare):
			if !given && slices.Contains(testValueFlags, bare) {
				n = 2
			}
			arguments = append(arguments, "-test."+strings.TrimPrefix(strings.TrimLeft(word, "-"), "test."))
			arguments = append(arguments, rest[1:min(n, len(rest))]...)
		default:
			if !given && slices.Contains(valueFlags, name) {
				n = 2
			}
			flags = append(flags, rest[:min(n, len(rest))]...)
		}
		rest = rest[min(n, len(rest)):]
	}
	return flags, orHere(packages), arguments, len(packages) < 2
}

func orHere(packages []string) []string {
	if len(packages) == 0 {
		return []string{"."}
	}
	return packages
}
