package ldfitest

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// Run searches for schedules of faults under which the system s violates one of its
// properties. Each property is a subtest. Without options the faults are the Faults of
// the system or, if it has none, at most two isolations in four phases; and each
// property gets 1,000 executions.
//
// A property passes if no violation is found; go test -v prints whether that is proved,
// or how much was searched. With MustDecide a property passes only with a proof.
//
// A schedule that violates a property is kept in testdata/ldfi/<test>/<property>.txt
// (also no_panic.txt, no_exit.txt), and executed first in later tests. If it violates
// nothing any more, it stays there as a regression test. If the system cannot be
// executed under it any more, the test fails.
//
// A process that panics violates the property "no panic", which is found and kept like
// any other. A process that does not return from a call within 10 seconds, and in a
// second attempt within 40, ends the test, which prints where the process hangs; its
// goroutine stays.
//
// When the command ldfi runs the test, as in ldfi run --system 'go test -run X ./pkg',
// Run searches nothing: it serves the system to ldfi, which searches with these options
// unless its flags override them. Only the first system that a test runs is served.
func Run(t *testing.T, s *system.System, options ...Option) {
	t.Helper()
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	if len(s.Properties) == 0 {
		t.Fatalf("system %q has no properties, so nothing can be violated", s.Name)
	}
	if probed(t, s) {
		return
	}
	c := newCheck(s, options)
	if err := c.read(); err != nil {
		t.Fatal(text.SafeLines(err.Error()))
	}
	dir, tested := filepath.Join(schedules.KeptDir, schedules.KeptName(t.Name())), testedPackage()
	if door := os.Getenv(messages.Door); door != "" {
		c.serve(t, door, dir)
		return
	}
	host, call := commandOf(t.Name(), tested), caller()
	if c.overlay = needed(s, host); c.overlay != "" {
		if said := probe(t, s); said != "" {
			t.Fatal(text.SafeLines(fmt.Sprintf("without any fault, a server of the system %q ends the program (%s); %s", s.Name, said, c.overlay)))
		}
	}
	for i, p := range s.Properties {
		t.Run(p.Name, func(t *testing.T) {
			ctx, cancel := withDeadline(t)
			defer cancel()
			command := commandOf(t.Name(), tested)
			c.overlay = needed(s, command)
			defer explained(s, c.overlay)()
			c.listener = listening(t, s, i, tested, call)
			if c.listener != nil {
				command = strings.Replace(command, "go test", "ldfi test", 1)
			}
			begin := time.Now()
			o, err := c.watched(ctx, p, dir, command)
			c.listener.outcome(o, err, command, time.Since(begin))
			if o != nil {
				for _, line := range o.logs {
					t.Log(text.SafeLines(line))
				}
			}
			switch {
			case err != nil && strings.Contains(err.Error(), execution.NeedsOverlay):
				t.Skip(needed(s, host))
			case err != nil:
				t.Fatal(text.SafeLines(err.Error()))
			}
			if o.broken == nil && c.listener == nil {
				t.Log("ldfi test shows all systems in one table, and writes one report")
			}
			for _, wrong := range o.unguided {
				t.Error(text.SafeLines(wrong))
			}
			if o.undecided != "" {
				t.Error(text.SafeLines(o.undecided))
			}
			if o.broken != nil {
				t.Error(text.SafeLines(o.text(command, host) + keepArtifacts(t, o, command, host)))
			}
		})
	}
}

// caller is where Run is called.
func caller() runtime.Frame {
	callers := make([]uintptr, 1)
	runtime.Callers(3, callers)
	call, _ := runtime.CallersFrames(callers).Next()
	return call
}

// withDeadline ends a search before go test would end the test.
func withDeadline(t *testing.T) (context.Context, context.CancelFunc) {
	deadline, ok := t.Deadline()
	if !ok {
		return context.WithCancel(t.Context())
	}
	left := time.Until(deadline)
	return context.WithTimeout(t.Context(), left-left/10)
}

// exactly is the pattern of go test that a name of a test matches alone.
func exactly(test string) string {
	parts := strings.Split(test, "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	return strings.Join(parts, "/")
}

// commandOf returns the command that repeats a test.
func commandOf(test, pkg string) string {
	words := []string{"go", "test", "-run", exactly(test)}
	if pkg != "" {
		words = append(words, pkg)
	}
	if own := ownFlags(flag.CommandLine); len(own) > 0 {
		words = append(append(words, "-args"), own...)
	}
	return text.ShellJoin(words...)
}

// ownFlags are the arguments of a test that are not for package testing.
func ownFlags(flags *flag.FlagSet) (own []string) {
	flags.Visit(func(f *flag.Flag) {
		if !strings.HasPrefix(f.Name, "test.") {
			own = append(own, "-"+f.Name+"="+f.Value.String())
		}
	})
	return append(own, flags.Args()...)
}

// testedPackage returns the import path of the package of the running test, whoever calls
// Run; empty if it has none.
func testedPackage() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	return packageOf(info.Path, dir)
}

// packageOf returns the import path of a test whose program has a path, and runs in the
// directory of the package.
func packageOf(program, dir string) string {
	pkg := strings.TrimSuffix(program, ".test") // which a package main does not have
	if pkg == "command-line-arguments" {        // as go test with names of files says
		return packageIn(dir)
	}
	return pkg
}

// packageIn returns the import path of the package in a directory; empty if the go command
// does not know it.
func packageIn(dir string) string {
	list := exec.Command("go", "list")
	list.Dir = dir
	said, err := list.Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(said))
}
