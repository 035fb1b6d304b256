package ldfi

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// cost is the cost of a question so far, all ways together.
type cost struct {
	calls atomic.Int64 // of solvers
	way   way          // that came to its end

	mutex                 sync.Mutex
	facts, gates          int                // of the largest evaluation
	growth                []recording.Growth // of relations, the largest first
	evaluating, searching time.Duration
}

// evaluated adds the cost of an evaluation.
func (c *cost) evaluated(g *provenance.Graph, took time.Duration) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.evaluating += took
	if g.TotalFacts() >= c.facts {
		c.facts, c.gates = g.TotalFacts(), g.Circuit.Gates()
	}
}

// grew records the relations for a limit: those of all schedules together.
func (c *cost) grew(g *provenance.Graph) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.growth = growthOf(g)
}

// stats returns the cost of the question so far.
func (q *question) stats() result.Stats {
	return result.Stats{
		Way:         string(q.cost.way),
		Workers:     q.options.Workers,
		Facts:       q.cost.facts,
		Gates:       q.cost.gates,
		SolverCalls: int(q.cost.calls.Load()),
		Executions:  q.executor.executions,
		Times: result.Times{
			Evaluate: text.Milliseconds(q.cost.evaluating), Search: text.Milliseconds(q.cost.searching), Execute: text.Milliseconds(q.executor.spent),
		},
	}
}
