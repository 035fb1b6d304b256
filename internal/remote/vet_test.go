package remote_test

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"regexp"
	"testing"

	"github.com/lineage-driven/ldfi/examples/replog"
	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/internal/remote"
	"github.com/lineage-driven/ldfi/ldfi/wire"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// executing serves systems, and says that it only executes.
func executing(systems ...*system.System) {
	read, write := io.Pipe()
	go func() { _ = write.CloseWithError(wire.ServeOn(os.Stdin, write, systems...)) }()
	strategies := regexp.MustCompile(`,"strategies":\[[^]]*\]`)
	for lines := bufio.NewReader(read); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		_, _ = os.Stdout.Write(strategies.ReplaceAll(line, nil))
	}
}

// executingBadly serves a system whose processes count what all executions did
// while somebody is missing, and one of which panics without the others.
func executingBadly() {
	calls := 0
	counts := replog.Fixed()
	counts.Name = "counts"
	counts.New = func(name string, _ *rand.Rand) system.Process {
		return &missing{func(s *system.Step) { calls++; s.Fact("call", calls) }}
	}
	panics := replog.Fixed()
	panics.Name = "panics"
	panics.New = func(name string, _ *rand.Rand) system.Process {
		return &missing{func(s *system.Step) { panic("all alone") }}
	}
	executing(counts, panics, replog.Fixed())
}

// missing does something when it does not hear of all others.
type missing struct{ react func(*system.Step) }

func (p *missing) Send(s *system.Step) { s.Broadcast("hello") }
func (p *missing) Receive(s *system.Step, inbox []system.Message) {
	if s.Process() == s.Processes()[0] && len(inbox) < len(s.Processes())-1 {
		p.react(s)
	}
}

func vetted(t *testing.T, host, name string) []execution.Test {
	r, err := start(t, host, remote.Options{})
	require.NoError(t, err)
	s, err := r.System(name)
	require.NoError(t, err)
	tests, err := s.Vet(t.Context(), 20, 1)
	require.NoError(t, err)
	require.Len(t, tests, 4)
	return tests
}

func TestVet(t *testing.T) {
	tests := vetted(t, "replog", "replog-fixed")
	for i, name := range []string{execution.Determinism, execution.States, execution.Durability} {
		require.Equal(t, name, tests[i].Name)
		require.Empty(t, tests[i].Found)
	}
	require.Equal(t, 40, tests[0].Executions)
	require.Positive(t, tests[1].Compared)

	tests = vetted(t, "panics", "")
	require.Len(t, tests[0].Found, 1)
	require.Regexp(t, `^the execution under "": .*out of cheese`, tests[0].Found[0])
}

// A host that only executes is tested from here.
func TestVetOfAHostThatOnlyExecutes(t *testing.T) {
	tests := vetted(t, "executes", "replog-fixed")
	require.Equal(t, execution.Test{Name: execution.Determinism, Schedules: 20, Executions: 40}, tests[0])
	for _, test := range tests[1:] {
		require.Contains(t, test.Skipped, "only executes")
	}

	found := vetted(t, "executes", "counts")[0].Found
	require.Len(t, found, 1)
	require.Regexp(t, `two executions under the schedule "[a-z]* [a-z0-9@.]*" differ, first in round`, found[0], "one fault is needed")
	require.Regexp(t, `call\(p1, \d+\) +call\(p1, \d+\)`, found[0])

	found = vetted(t, "executes", "panics")[0].Found
	require.Len(t, found, 1)
	require.Regexp(t, `^the execution under "[a-z]* [a-z0-9@.]*": .*all alone`, found[0], "one fault is needed")
}

// What a host says of its self-tests is looked at.
func TestVetOfALiar(t *testing.T) {
	for tests, message := range map[string]string{
		`[]`: "it has 0 self-tests",
		`[{"name":"states"},{"name":"states"},{"name":"durability"},{"name":"orders"}]`:                                                                 `self-test 1 is "states", and not "determinism"`,
		`[{"name":"determinism","executions":-1},{"name":"states"},{"name":"durability"},{"name":"orders"}]`:                                            "counts below 0",
		`[{"name":"determinism","executions":1,"orders":2},{"name":"states"},{"name":"durability"},{"name":"orders"}]`:                                  "has tried 2 orders in 1 executions",
		`[{"name":"determinism","executions":1},{"name":"states"},{"name":"durability","skipped":"no reason"},{"name":"orders","skipped":"no reason"}]`: "self-test states neither executed anything nor says why not",
	} {
		t.Setenv("TESTS", tests)
		r, err := start(t, "vets", remote.Options{})
		require.NoError(t, err)
		s, err := r.System("")
		require.NoError(t, err)
		_, err = s.Vet(t.Context(), 20, 1)
		require.ErrorContains(t, err, "the answer of the host to the vet: ")
		require.ErrorContains(t, err, message)
	}
}

// vets is a host that answers a vet with what it is told to.
func vets() {
	requests := bufio.NewScanner(os.Stdin)
	requests.Scan()
	fmt.Println(`{"id":1,"version":1,"systems":[{"name":"v","processes":["a"],"rounds":2,"properties":[]}],"strategies":["spread"]}`)
	requests.Scan()
	fmt.Printf(`{"id":2,"tests":%s}`+"\n", os.Getenv("TESTS"))
	requests.Scan()
}
