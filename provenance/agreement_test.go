package provenance_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

var campaign = oracle.NewCampaign()

// TestAgreement compares the conditions of all facts of random programs with
// what the concrete executor finds, schedule by schedule.
func TestAgreement(t *testing.T) {
	campaign.Run(t, 2000, func(ctx context.Context, c oracle.Case) (string, error) {
		return agree(ctx, c, 64)
	})
}

// TestAgreementOnProtocols does the same for every protocol in testdata, and
// once more with crashes that stop a process altogether.
func TestAgreementOnProtocols(t *testing.T) {
	for _, c := range oracle.Quick(t) {
		for _, stop := range []bool{false, true} {
			if c.Bounds.Restarts != 0 && !stop {
				continue // nobody comes back who has not stopped
			}
			c.Bounds.CrashStop = stop
			t.Run(fmt.Sprintf("%s/stop=%v", c.Name, stop), func(t *testing.T) {
				outcome, err := agree(t.Context(), c, 64)
				require.NoError(t, err)
				require.Equal(t, agreed, outcome)
			})
		}
	}
}

const (
	agreed    = "agreed"
	undefined = "undefined"
	runaway   = "without end"
	limited   = "too large"
	maxFacts  = 50_000
	maxGates  = 1_000_000
)

// agree compares the two evaluators under at most so many schedules. It tells
// how the program went, which is the same for both, or where they differ.
func agree(ctx context.Context, c oracle.Case, schedules int) (string, error) {
	m, err := lockstep.Compile(c.Program, c.Bounds, lockstep.Options{MaxFacts: maxFacts})
	if err != nil {
		return "", err
	}
	g, err := provenance.Evaluate(ctx, c.Program, c.Bounds, provenance.Options{MaxFacts: maxFacts, MaxGates: maxGates})
	if err != nil {
		return agreeOnError(ctx, m, err, c.Schedules(schedules))
	}
	w := newWorlds(g)
	for batch := range slices.Chunk(c.Schedules(schedules), 64) {
		if err := w.load(batch); err != nil {
			return "", err
		}
		for i, s := range batch {
			run, err := m.Run(ctx, s)
			if errors.As(err, new(*limits.LimitError)) {
				return limited, nil
			}
			if err != nil {
				return "", fmt.Errorf("under %q the executor fails: %w", s, err)
			}
			if err := w.compare(i, run); err != nil {
				return "", fmt.Errorf("under %q %w", s, err)
			}
		}
	}
	return agreed, nil
}

// agreeOnError checks that the executor fails in the same way.
func agreeOnError(ctx context.Context, m *lockstep.Machine, err error, schedules []rounds.Schedule) (string, error) {
	var doubt *limits.UndefinedError
	switch {
	case errors.As(err, &doubt):
		if len(doubt.Cycle) == 0 {
			return "", fmt.Errorf("no cycle: %w", err)
		}
		_, other := m.Run(ctx, doubt.Schedule)
		if errors.As(other, new(*limits.RunawayError)) {
			return runaway, nil
		}
		if !errors.As(other, new(*limits.UndefinedError)) {
			return "", fmt.Errorf("%w; but when executed: %v", err, other)
		}
		return undefined, nil
	case errors.As(err, new(*limits.RunawayError)):
		for _, s := range schedules {
			_, other := m.Run(ctx, s)
			if errors.As(other, new(*limits.RunawayError)) || errors.As(other, new(*limits.LimitError)) {
				return runaway, nil
			}
		}
		return "", fmt.Errorf("%w; but when executed it ends", err)
	case errors.As(err, new(*limits.LimitError)), errors.As(err, new(*solver.LimitError)):
		return limited, nil
	default:
		return "", err
	}
}

// worlds evaluates all conditions of a graph under 64 schedules at a time.
type worlds struct {
	graph  *provenance.Graph
	nodes  []node
	words  *solver.Words
	inputs []uint64
}

// node is the facts of a relation in a round, sorted, with their conditions.
type node struct {
	relation string
	round    int
	args     [][]specs.Value
	conds    []solver.Lit
}

func newWorlds(g *provenance.Graph) *worlds {
	w := &worlds{graph: g, inputs: make([]uint64, g.Universe.Len())}
	roots := slices.Clone(g.Valid)
	for _, r := range g.Program.Relations() {
		for t := 1; t <= g.Bounds.EOT; t++ {
			n := node{relation: r.Name, round: t}
			for _, f := range g.Facts(r.Name, t) {
				n.args = append(n.args, f.Args())
				n.conds = append(n.conds, f.Cond())
				roots = append(roots, f.Cond())
			}
			w.nodes = append(w.nodes, n)
		}
	}
	w.words = solver.NewWords(g.Circuit, roots...)
	return w
}

// load evaluates the conditions under some schedules, which have to be valid.
func (w *worlds) load(schedules []rounds.Schedule) error {
	clear(w.inputs)
	for i, s := range schedules {
		units, err := w.graph.Universe.Units(s)
		if err != nil {
			return err
		}
		for _, unit := range units {
			w.inputs[unit] |= 1 << i
		}
	}
	w.words.Eval(w.inputs)
	for _, valid := range w.graph.Valid {
		for i, s := range schedules {
			if w.words.Value(valid)>>i&1 == 0 {
				return fmt.Errorf("%q is within the bounds but not valid in the circuit", s)
			}
		}
	}
	return nil
}

// compare compares the facts under schedule i with those of a run.
func (w *worlds) compare(i int, run *lockstep.Run) error {
	for _, n := range w.nodes {
		var have [][]specs.Value
		for k, cond := range n.conds {
			if w.words.Value(cond)>>i&1 == 1 {
				have = append(have, n.args[k])
			}
		}
		want := run.Facts(n.relation, n.round)
		if !slices.EqualFunc(have, want, slices.Equal[[]specs.Value]) {
			return fmt.Errorf("%s@%d has %v in the circuit and %v when executed", n.relation, n.round, have, want)
		}
	}
	return nil
}
