package worker_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/suite"
	"github.com/lineage-driven/ldfi/internal/testing/workers"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

// plain is an answer as JSON, without what differs from machine to machine.
func plain(t *testing.T, a *result.Answer) string {
	t.Helper()
	timeless := *a
	timeless.Stats = result.Stats{Executions: a.Stats.Executions}
	text, err := json.MarshalIndent(&timeless, "", " ")
	require.NoError(t, err)
	return string(text)
}

// answers asks a question here and of workers.
func answers(t *testing.T, s subject.Subject, hands *workers.Hands) (here, there *result.Answer) {
	t.Helper()
	handed := s.Copy()
	handed.Shared().Hands = hands
	return answer(t, s), answer(t, handed)
}

// answer asks a question.
func answer(t *testing.T, s subject.Subject) *result.Answer {
	t.Helper()
	o, err := s.Open(t.Context())
	require.NoError(t, err)
	defer o.Close()
	a, err := o.Search(t.Context())
	require.NoError(t, err)
	return a
}

// built is where hosts of examples lie, each built by the first test that needs it.
var built string

func TestMain(m *testing.M) {
	var err error
	if built, err = os.MkdirTemp("", "ldfi-worker-test-*"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(built)
	os.Exit(code)
}

// host returns the program of the host of an example.
func host(t *testing.T, example string) string {
	t.Helper()
	program := filepath.Join(built, example, "host")
	if _, err := os.Stat(program); err != nil {
		out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", program, "github.com/lineage-driven/ldfi/examples/"+example+"/host").CombinedOutput()
		require.NoError(t, err, string(out))
	}
	return program
}

// drawing is a question about a system that holds, and the name of one that does not: of
// the host that tests ask anyway, or with -long of one that has to be built besides. Of so
// many executions some are handed out, however quick the machine is.
func drawing(t *testing.T) (s subject.System, breaks string) {
	t.Helper()
	if *long {
		return subject.System{Command: text.ShellQuote(host(t, "mirror")), Name: "mirror", Executions: 10_000}, "mirror-hasty"
	}
	return subject.System{Common: subject.Common{Bounds: map[string]string{"omissions": "8", "eff": "4"}}, Command: text.ShellQuote(host(t, "election")), Name: "election", Executions: 1500}, "election-buggy"
}

// Every protocol of the suite of the repository has the same answer from a worker, and it
// is believed: one in three without -long. Questions about any number of rounds are not handed out.
func TestProtocols(t *testing.T) {
	t.Chdir("../../..")
	cases, err := suite.Read("ldfi.yaml")
	require.NoError(t, err)
	hands := &workers.Hands{T: t}
	asked := 0
	for i, c := range cases.Cases {
		if p := c.Subject.AsProtocol(); p != nil && !p.AnyRounds && p.Bounds["within"] == "" && (*long || i%3 == 0) {
			asked++
			here, there := answers(t, p, hands)
			require.Equal(t, plain(t, here), plain(t, there), c.Name)
			if c.Expect != result.Violated {
				continue
			}
			asked++
			p.Max = 4
			here, there = answers(t, p, hands)
			require.Equal(t, plain(t, here), plain(t, there), c.Name)
			if p.Bounds == nil && (*long || !slow(p)) {
				asked++
				p.Max, p.Strategy = 0, "lineage"
				here, there = answers(t, p, hands)
				require.Equal(t, plain(t, here), plain(t, there), c.Name)
			}
		}
	}
	require.Greater(t, asked, 20)
	require.Len(t, hands.Units, asked)
	require.Empty(t, hands.Doubted)
	require.Empty(t, hands.Kept)
}

// slow tells whether a search by lineage takes seconds.
func slow(p *subject.Protocol) bool { return strings.Contains(p.Files[0], "/elastic/") }

var long = flag.Bool("long", false, "ask about more systems, whose programs are built first, about all protocols, also slow ones by lineage, and draw more")

// one are bounds for the systems of package election.
var one = map[string]string{"isolations": "1", "period": "2"}

// A system has the same answer from a worker: of a program that is built for it, with
// rules of its own, or of one that lies there, or that reads what is sent along.
func TestSystems(t *testing.T) {
	t.Chdir("../../..")
	program := host(t, "election")
	sameFromWorkers(t,
		&subject.System{Common: subject.Common{Dir: "examples/election"}, Command: "go run ./host", Name: "election", Properties: []string{"terms.mg"}, Inputs: []string{"election.go", "host/main.go"}, Executions: 50},
		&subject.System{Common: subject.Common{Bounds: one, Strategy: "learn"}, Command: text.ShellQuote(program), Name: "election-buggy"},
		&subject.System{Common: subject.Common{Dir: filepath.Dir(program), Bounds: one}, Command: "./host", Name: "election-buggy"},
		&subject.System{Common: subject.Common{Dir: filepath.Dir(program), Bounds: one}, Command: "sh -c 'exec ./host'", Inputs: []string{"host"}, Name: "election-buggy"},
	)
	if *long { // also with the overlay that makes goroutines repeatable, and tests
		sameFromWorkers(t,
			&subject.System{Common: subject.Common{Bounds: one}, Command: "go run ./examples/election/host", Name: "election-buggy"},
			&subject.System{Common: subject.Common{Bounds: one, Strategy: "exhaustive"}, Command: "go run ./examples/election/host", Name: "election"},
			&subject.System{Command: "go run ./examples/mirror/host", Name: "mirror-hasty", Executions: 50, Statistics: true},
			&subject.System{Command: "go run ./examples/counter/host", Name: "counter-hasty", Executions: 20},
			&subject.System{Command: "go test -run TestLog ./examples/wal", Executions: 20},
		)
	}
}

// sameFromWorkers asks questions about systems here and of workers.
func sameFromWorkers(t *testing.T, questions ...*subject.System) {
	t.Helper()
	hands := &workers.Hands{T: t, Hosts: true}
	for i, s := range questions {
		here, there := answers(t, s, hands)
		require.Equal(t, plain(t, here), plain(t, there), s.Command)
		require.Empty(t, hands.Kept, s.Command)
		require.Empty(t, hands.Doubted, s.Command)
		require.Len(t, hands.Units, i+1)
	}
}

// A question whose program cannot be sent is asked here, and so is one that no worker is
// allowed to answer.
func TestSystemsThatStay(t *testing.T) {
	program := host(t, "election")
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "beside"), nil, 0o600))
	for why, s := range map[string]*subject.System{
		"names no program that can be sent, and no inputs": &subject.System{Command: "sh -c " + program},
		"its input ../beside lies outside":                 &subject.System{Common: subject.Common{Dir: filepath.Join(dir, "in")}, Command: program, Inputs: []string{"../beside"}},
		"":                                                 &subject.System{Command: program},
	} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, "in"), 0o700))
		s.Name, s.Bounds = "election-buggy", one
		hands := &workers.Hands{T: t}
		here, there := answers(t, s, hands)
		require.Equal(t, plain(t, here), plain(t, there))
		if why == "" {
			require.Len(t, hands.Units, 1, "workers without --allow-hosts have an error")
			continue
		}
		require.Len(t, hands.Kept, 1)
		require.Contains(t, hands.Kept[0], why)
		require.Empty(t, hands.Units)
	}
}

// A search that draws is handed out in parts, and the answer is the same: of a system that
// breaks, and of one that does not within so many executions.
func TestDraws(t *testing.T) {
	holds, breaks := drawing(t)
	broken, drawn := holds, holds
	broken.Name, broken.Strategy, broken.Seed, broken.Statistics, broken.Executions = breaks, "uniform", 7, true, 0
	rules := filepath.Join(t.TempDir(), "never.mg")
	require.NoError(t, os.WriteFile(rules, []byte("violation(P) :- never(P, _)."), 0o600))
	drawn.Strategy, drawn.Properties = "uniform", []string{rules}
	holds.Strategy, holds.Statistics = "spread", true
	for _, s := range []*subject.System{&broken, &holds, &drawn} {
		parts := &workers.Hands{T: t, Many: 2, Hosts: true}
		here := answer(t, s)
		require.Equal(t, s.Name == breaks, here.Verdict == result.Violated)
		s.Parts = parts
		require.Equal(t, plain(t, here), plain(t, answer(t, s)), s.Strategy)
		require.Empty(t, parts.Doubted)
		if s.Name != breaks {
			require.Empty(t, parts.Kept)
			require.NotEmpty(t, parts.Units)
		}
		for _, u := range parts.Units {
			require.Equal(t, work.Draws, u.Kind)
		}
	}
}

// A question that is not handed out in parts says why, once.
func TestDrawsThatStay(t *testing.T) {
	s, _ := drawing(t)
	s.Strategy, s.Executions = "lineage", 20
	here := answer(t, &s)
	parts := &workers.Hands{T: t, Hosts: true}
	s.Parts = parts
	require.Equal(t, plain(t, here), plain(t, answer(t, &s)))
	require.Equal(t, []string{"strategy lineage cannot search in parts: what it executes depends on what was executed before"}, parts.Kept)
	require.Empty(t, parts.Units)
}
