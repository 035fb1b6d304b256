package explain_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/testing/generate"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance/explain"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

var campaign = oracle.NewCampaign()

// evaluator is the script of pages, run by node.
const evaluator = "../../internal/report/assets/circuit.js"

// TestProtocols evaluates the circuits of all protocols in testdata by the script of
// pages, under random sets of fault units, and compares everything with ldfi inject.
func TestProtocols(t *testing.T) {
	n := seen{evaluatorScript: newScript(t)}
	for _, c := range oracle.Quick(t) {
		t.Run(c.Name, func(t *testing.T) {
			outcome, err := n.compare(t.Context(), c, 16)
			require.NoError(t, err)
			require.Equal(t, agreed, outcome)
		})
	}
	n.check(t)
}

// TestRandomPrograms does the same for random programs.
func TestRandomPrograms(t *testing.T) {
	n := seen{evaluatorScript: newScript(t)}
	campaign.Run(t, 150, func(ctx context.Context, c oracle.Case) (string, error) { return n.compare(ctx, c, 10) })
	n.check(t)
}

// refusedOf are the programs of which a page has no circuit: it would take too much work, or
// be too large.
var refusedOf = map[string]any{
	"catalogue/zookeeper_335.ded":       new(*explain.LargeError),
	"catalogue/zookeeper_335_fixed.ded": new(*explain.LargeError),
	"catalogue/zookeeper_790.ded":       new(*limits.LimitError),
	"catalogue/zookeeper_790_fixed.ded": new(*limits.LimitError),
	"catalogue/zookeeper_975.ded":       new(*limits.LimitError),
	"catalogue/zookeeper_975_fixed.ded": new(*limits.LimitError),
}

// TestSize bounds how much a circuit adds to a page, and names those that are refused.
func TestSize(t *testing.T) {
	for _, c := range oracle.Protocols(t) {
		p, err := pageOf(t.Context(), c)
		if err == nil {
			err = explain.SmallCircuit(p.circuit)
		}
		if refused, ok := refusedOf[c.Name]; ok {
			require.ErrorAs(t, err, refused, c.Name)
			continue
		}
		require.NoError(t, err, c.Name)
		data, err := json.Marshal(p)
		require.NoError(t, err)
		texts, err := json.Marshal(p.Atoms)
		require.NoError(t, err)
		t.Logf("%-40s %7d bytes, %d of them atoms", c.Name, len(data), len(texts))
		require.Less(t, len(data), 300_000, c.Name)
	}
}

// What would be too large, or too much work, is not sent.
func TestTooLarge(t *testing.T) {
	c := caseOf(t, generate.Acknowledged(20))
	p, err := pageOf(t.Context(), c)
	require.NoError(t, err)
	require.Greater(t, len(p.Circuit.Data), 300_000)
	l, err := p.model.Lineage(t.Context(), explain.MostSteps)
	require.NoError(t, err)
	err = explain.SmallCircuit(func(atoms explain.Atoms) (*explain.Circuit, error) {
		return explain.NewCircuit(l.Graph, atoms, true, nil)
	})
	require.ErrorAs(t, err, new(*explain.LargeError))
	require.ErrorContains(t, err, "and a page has room for 300 kB")

	_, err = pageOf(t.Context(), caseOf(t, generate.ReplicatedLog(true, 3, 8)))
	require.ErrorAs(t, err, new(*limits.LimitError))
}

func caseOf(t *testing.T, m generate.Model) oracle.Case {
	t.Helper()
	p, b := m.Parse(t)
	return oracle.Case{Name: m.Name, Program: p, Bounds: b, Goals: "every"}
}

// evaluatorScript is the script of pages, which node executes.
type evaluatorScript struct {
	sync.Mutex
	in  io.Writer
	out *bufio.Reader
}

func newScript(t *testing.T) *evaluatorScript {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no node, which executes the script of pages")
	}
	cmd := exec.Command("node", "testdata/evaluate.js", evaluator)
	cmd.Stderr = t.Output()
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		in.Close()
		require.NoError(t, cmd.Wait())
	})
	return &evaluatorScript{in: in, out: bufio.NewReader(out)}
}

// ask sends a line and returns the answer.
func (s *evaluatorScript) ask(line []byte) ([]byte, error) {
	s.Lock()
	defer s.Unlock()
	if _, err := s.in.Write(append(line, '\n')); err != nil {
		return nil, err
	}
	return s.out.ReadBytes('\n')
}

const (
	agreed = "agreed"
	unfit  = "without a circuit"
)

// seen counts what was compared, so that no comparison is vacuous.
type seen struct {
	*evaluatorScript
	holds, violated, beyond, senseless, lost, late atomic.Int64
}

func (n *seen) check(t *testing.T) {
	t.Logf("%d hold, %d violated, %d beyond the bounds, %d make no sense; %d messages lost, %d late",
		n.holds.Load(), n.violated.Load(), n.beyond.Load(), n.senseless.Load(), n.lost.Load(), n.late.Load())
	for _, count := range []*atomic.Int64{&n.holds, &n.violated, &n.beyond, &n.senseless, &n.lost, &n.late} {
		require.Positive(t, count.Load())
	}
}

// page is as much of a page as the script needs.
type page struct {
	Names   []string         `json:"names"`
	EOT     int              `json:"eot"`
	Phases  []string         `json:"phases"`
	Circuit *explain.Circuit `json:"circuit"`
	Atoms   struct {
		Text []string `json:"text"`
	} `json:"atoms"`

	model   *ldfi.Model
	circuit func(explain.Atoms) (*explain.Circuit, error)
	atoms   map[string]int
	units   []rounds.Fault
}

func (p *page) Atom(relation string, args []specs.Value) int {
	text := recording.Display(recording.Fact{Relation: relation, Args: args}, p.Names)
	i, known := p.atoms[text]
	if !known {
		i = len(p.Atoms.Text)
		p.atoms[text] = i
		p.Atoms.Text = append(p.Atoms.Text, text)
	}
	return i
}

func pageOf(ctx context.Context, c oracle.Case) (*page, error) {
	m, err := ldfi.New(c.Program, c.Bounds, ldfi.Options{Goals: c.Goals, MaxFacts: 50_000, MaxGates: 1_000_000})
	if err != nil {
		return nil, err
	}
	l, err := m.Lineage(ctx, explain.MostSteps)
	if err != nil {
		return nil, err
	}
	p := &page{Names: l.Graph.Bounds.Processes, EOT: l.Graph.Bounds.EOT, model: m, atoms: map[string]int{}}
	for round := 1; round <= p.EOT && c.Bounds.PhaseOf(round) != ""; round++ {
		p.Phases = append(p.Phases, c.Bounds.PhaseOf(round))
	}
	var goals []explain.Goal
	for _, g := range l.Goals {
		goals = append(goals, explain.Goal(g))
	}
	u := l.Graph.Universe
	for unit := range u.Len() {
		if u.Alive(unit) {
			p.units = append(p.units, u.Fault(unit))
		}
	}
	slices.SortFunc(p.units, rounds.Fault.Compare)
	p.circuit = func(atoms explain.Atoms) (*explain.Circuit, error) {
		return explain.NewCircuit(l.Graph, atoms, l.Promised, goals)
	}
	p.Circuit, err = p.circuit(p)
	return p, err
}

// said is what the script says of a set of units.
type said struct {
	Schedule   string
	Faults     []string
	Facts      []int
	Messages   []int
	Broken     []string
	Verdict    string
	Within     string
	Impossible string
}

// compare compares so many random sets of units, most of them small.
func (n *seen) compare(ctx context.Context, c oracle.Case, count int) (string, error) {
	p, err := pageOf(ctx, c)
	if errors.As(err, new(*limits.LimitError)) || errors.As(err, new(*solver.LimitError)) || errors.As(err, new(*limits.UndefinedError)) || errors.As(err, new(*limits.RunawayError)) {
		return unfit, nil
	}
	if err != nil {
		return "", err
	}
	sets := randomSets(c, p, count)
	results, err := p.evaluate(n.evaluatorScript, sets)
	if err != nil {
		return "", err
	}
	for i, set := range sets {
		if err := n.same(ctx, p, set, results[i]); err != nil {
			return "", fmt.Errorf("%v: %w", results[i].Faults, err)
		}
	}
	return agreed, nil
}

func randomSets(c oracle.Case, p *page, count int) [][]int {
	r := rand.New(rand.NewPCG(c.Seed, 5))
	sets := [][]int{{}}
	for len(sets) < count && len(p.units) > 0 {
		var set []int
		for range 1 + r.IntN(5) {
			set = append(set, r.IntN(len(p.units)))
		}
		sets = append(sets, set)
	}
	for _, s := range c.Schedules(count) { // all within the bounds
		var set []int
		for _, f := range s.Faults {
			if i := slices.Index(p.units, f); i >= 0 {
				set = append(set, i)
			}
		}
		sets = append(sets, set)
	}
	return sets
}

// evaluate lets the script evaluate the circuit.
func (p *page) evaluate(by *evaluatorScript, sets [][]int) ([]said, error) {
	for i := range sets {
		if sets[i] == nil {
			sets[i] = []int{}
		}
	}
	input, err := json.Marshal(map[string]any{"page": p, "sets": sets})
	if err != nil {
		return nil, err
	}
	out, err := by.ask(input)
	if err != nil {
		return nil, fmt.Errorf("node: %w", err)
	}
	var answer struct {
		Units   []string
		Results []said
	}
	if err := json.Unmarshal(out, &answer); err != nil {
		return nil, err
	}
	for i, f := range p.units {
		if answer.Units[i] != f.String() {
			return nil, fmt.Errorf("unit %d is %q, and not %q", i, answer.Units[i], f)
		}
	}
	return answer.Results, nil
}

// same compares what the script says of a set with ldfi inject.
func (n *seen) same(ctx context.Context, p *page, set []int, s said) error {
	schedule := rounds.Schedule{}
	for _, i := range set {
		schedule.Faults = append(schedule.Faults, p.units[i])
	}
	schedule = schedule.Normal()
	if s.Schedule != schedule.String() || strings.Join(s.Faults, "; ") != s.Schedule {
		return fmt.Errorf("the schedule is %q, and in the page %q", schedule, s.Schedule)
	}
	in, err := p.model.Inject(ctx, schedule)
	if s.Impossible != "" {
		n.senseless.Add(1)
		if err == nil {
			return fmt.Errorf("it can be, and not in the page: %s", s.Impossible)
		}
		if !strings.Contains(err.Error(), s.Impossible) {
			return fmt.Errorf("it cannot be: %w; and in the page: %s", err, s.Impossible)
		}
		return nil
	}
	if err != nil {
		return fmt.Errorf("in the page it can be: %w", err)
	}
	if err := n.sameBounds(in, s); err != nil {
		return err
	}
	var broken []string
	for _, v := range in.Violations {
		broken = append(broken, v.Text)
	}
	if s.Verdict != string(in.Verdict) || !slices.Equal(s.Broken, broken) {
		return fmt.Errorf("%s: %q, and in the page %s: %q", in.Verdict, broken, s.Verdict, s.Broken)
	}
	n.count(in)
	return p.sameExecution(in.Execution, s)
}

// sameBounds compares which bound is exceeded.
func (n *seen) sameBounds(in *result.Injection, s said) error {
	if in.Within != (s.Within == "") {
		return fmt.Errorf("within the bounds: %v, and in the page %q", in.Within, s.Within)
	}
	if in.Within {
		return nil
	}
	n.beyond.Add(1)
	for _, w := range in.Warnings {
		if strings.HasSuffix(w.Message, s.Within) {
			return nil
		}
	}
	return fmt.Errorf("beyond the bounds: %v, and in the page %q", in.Warnings, s.Within)
}

func (n *seen) count(in *result.Injection) {
	if in.Verdict == result.Holds {
		n.holds.Add(1)
	} else if in.Verdict == result.Violated {
		n.violated.Add(1)
	}
	for _, m := range in.Execution.Messages {
		if m.Lost {
			n.lost.Add(1)
		} else if m.Arrival > 0 {
			n.late.Add(1)
		}
	}
}

// sameExecution compares all facts, and all messages but those of the last round.
func (p *page) sameExecution(e *recording.Execution, s said) error {
	var have, want []string
	for i := 0; i < len(s.Facts); i += 3 {
		for round := s.Facts[i+1]; round <= s.Facts[i+2]; round++ {
			have = append(have, fmt.Sprintf("%s@%d", p.Atoms.Text[s.Facts[i]], round))
		}
	}
	for _, f := range e.Facts {
		want = append(want, fmt.Sprintf("%s@%d", recording.Display(f, p.Names), f.Round))
	}
	slices.Sort(have)
	slices.Sort(want)
	if !slices.Equal(have, want) {
		return fmt.Errorf("facts %q, and in the page %q", want, have)
	}
	have, want = nil, nil
	for i := 0; i < len(s.Messages); i += 6 {
		m := s.Messages[i : i+6]
		cause := ""
		if m[5] >= 0 {
			cause = s.Faults[m[5]]
		}
		have = append(have, fmt.Sprintf("%s %s>%s %d %d %s", p.Atoms.Text[m[0]], p.name(m[1]), p.name(m[2]), m[3], m[4], cause))
	}
	for _, m := range e.Messages {
		if m.Round == e.Bounds.EOT {
			continue
		}
		cause := ""
		if m.Lost {
			cause = m.Cause.String()
		}
		want = append(want, fmt.Sprintf("%s %s>%s %d %d %s", recording.Display(recording.Fact{Relation: m.Relation, Args: m.Args}, p.Names), m.From, m.To, m.Round, m.Arrival, cause))
	}
	if !slices.Equal(have, want) {
		return fmt.Errorf("messages %q, and in the page %q", want, have)
	}
	return nil
}

func (p *page) name(i int) string {
	if i < 0 {
		return ""
	}
	return p.Names[i]
}
