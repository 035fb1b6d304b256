// Package everyway tests that every way to search a system gives the same answer: go
// test, its host, a test that is a host, and a suite.
package everyway

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/suite"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/ldfitest"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/wire"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// role is the environment variable that says what a test that was started again is.
const role = "LDFI_EVERY_WAY"

// What it is: the host of all systems, a test of all of them, or of the one that is named
// behind the last.
const (
	host  = "host"
	tests = "tests"
	test  = "test "
)

// Answer is what is compared. Searched says how much was, where nothing was found.
type Answer struct{ Verdict, Strategy, Scope, Searched string }

// Test asks each system in every way, for so many executions, and compares scope,
// assumptions, strategy and verdict. It is all that its test does, which has no tests
// within it. Options are those of the tests; then a host cannot know of them, and is not
// asked.
func Test(t *testing.T, executions int, systems []*system.System, options ...ldfitest.Option) {
	t.Helper()
	options = append(options, ldfitest.Executions(executions))
	switch as := os.Getenv(role); {
	case as == host:
		conn, err := net.Dial("unix", os.Getenv(messages.Door))
		require.NoError(t, err)
		defer conn.Close()
		require.NoError(t, wire.ServeOn(conn, conn, systems...))
		return
	case as == tests:
		for _, s := range systems {
			t.Run(s.Name, func(t *testing.T) { ldfitest.Run(t, s, options...) })
		}
		return
	case as != "":
		for _, s := range systems {
			if test+s.Name == as {
				ldfitest.Run(t, s, options...)
			}
		}
		return
	}
	program, err := os.Executable()
	require.NoError(t, err)
	command := text.ShellJoin(program, "-test.run", "^"+regexp.QuoteMeta(t.Name())+"$")

	t.Setenv(role, tests)
	want := byGoTest(t, program, systems)
	as := host
	if len(options) > 1 {
		as = ""
	}
	for i, s := range systems {
		t.Setenv(role, test+s.Name)
		require.Equal(t, want[i], Ask(t, &subject.System{Command: command}), "%s: go test, and as a host in ldfi run", s.Name)
		if as != host {
			require.Equal(t, want[i], inSuites(t, command, 0, s)[0], "%s: go test, and as a host in ldfi check", s.Name)
		}
	}
	if as != host {
		return
	}
	t.Setenv(role, host)
	for i, a := range inSuites(t, command, executions, systems...) {
		name := systems[i].Name
		require.Equal(t, want[i], a, "%s: go test, and the host in ldfi check", name)
		require.Equal(t, want[i], Ask(t, &subject.System{Command: command, Name: name, Executions: executions}), "%s: go test, and the host in ldfi run", name)
	}
}

// testName is how a test within another is called that has the name of a system.
func testName(s *system.System) string { return strings.ReplaceAll(s.Name, " ", "_") }

// byGoTest runs the tests of the systems, and reads what they say.
func byGoTest(t *testing.T, program string, systems []*system.System) []Answer {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, "-test.v", "-test.run", "^"+regexp.QuoteMeta(t.Name())+"$")
	cmd.Dir = t.TempDir()
	text, _ := cmd.CombinedOutput() // which fails where a system does
	said := map[string]Answer{}
	name := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if run, ok := strings.CutPrefix(line, "=== RUN   "+t.Name()+"/"); ok {
			for _, s := range systems { // whose names may have slashes
				if strings.HasPrefix(run+"/", testName(s)+"/") {
					name = testName(s)
				}
			}
			continue
		}
		_, line, _ = strings.Cut(line, ": ") // of a file
		a := said[name]
		if why, ok := strings.CutPrefix(line, "strategy: "); ok {
			a.Strategy, _, _ = strings.Cut(why, ",")
		} else if scope, ok := strings.CutPrefix(line, "scope: "); ok {
			a.Scope = scope
		}
		line = strings.TrimSpace(line)
		verdict, _, _ := strings.Cut(line, " ")
		if searched := summary.FindStringSubmatch(line); searched != nil {
			a.Searched = searched[1]
		}
		switch {
		case verdict == string(result.Violated) || a.Verdict == string(result.Violated):
			a.Verdict = string(result.Violated)
		case verdict == string(result.Inconclusive) || verdict == string(result.Holds) && a.Verdict == "":
			a.Verdict = verdict
		}
		if a.Verdict != string(result.Inconclusive) {
			a.Searched = ""
		}
		said[name] = a
	}
	var all []Answer
	for _, s := range systems {
		a := said[testName(s)]
		require.NotEmpty(t, a.Verdict, "%s: %s", s.Name, text)
		all = append(all, a)
	}
	return all
}

// summary is how a search is summed up that has found nothing.
var summary = regexp.MustCompile(`^inconclusive after (\d+ executions \(.*seed \d+\)): `)

// Ask asks as ldfi run does.
func Ask(t *testing.T, s subject.Subject) Answer {
	t.Helper()
	opened, err := s.Open(t.Context())
	require.NoError(t, err)
	defer opened.Close()
	a, err := opened.Search(t.Context())
	require.NoError(t, err)
	return of(a)
}

// inSuites asks as ldfi check does.
func inSuites(t *testing.T, command string, executions int, systems ...*system.System) []Answer {
	t.Helper()
	text := "cases:\n"
	for _, s := range systems {
		text += fmt.Sprintf("  - name: %q\n    system: %q\n", s.Name, command)
		if executions > 0 {
			text += fmt.Sprintf("    executions: %d\n", executions)
		}
		if len(systems) > 1 {
			text += fmt.Sprintf("    system-name: %q\n", s.Name)
		}
	}
	file := filepath.Join(t.TempDir(), suite.FileName)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	s, err := suite.Read(file)
	require.NoError(t, err)
	var all []Answer
	for _, c := range s.Run(t.Context(), suite.Options{Unkept: true}).Cases {
		require.Empty(t, c.Error, c.Name)
		all = append(all, of(c.Answer))
	}
	return all
}

func of(a *result.Answer) Answer {
	searched := ""
	if a.Verdict == result.Inconclusive {
		searched = fmt.Sprintf("%d executions (%s, seed %d)", a.Search.Executions, a.Search.Strategy, a.Search.Seed)
	}
	return Answer{string(a.Verdict), a.Search.Strategy, a.Scope.Text, searched}
}
