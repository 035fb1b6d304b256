package etcdraft

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/adapters/etcd/etcdtest"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
	"go.etcd.io/raft/v3"
)

var coverage = flag.Int("coverage", 5_000, "rounds in which abstract states are counted (250000 for the figure of the docs)")

// How many abstract states of a cluster of three do random executions of 25
// rounds come to, when the ticks of a round are drawn for each execution? The
// setting is that of section 4.5 of Nagendra, "Automated testing of distributed
// protocol implementations", 2024, where a step has 4 ticks: there 250,000 steps
// of etcd's Raft come to 19,179 states at random, and to 24,899 with the best
// way of learning.
func TestCoverage(t *testing.T) {
	const horizon = 25
	cluster := newObserved(horizon)
	cluster.MinTicks, cluster.MaxTicks = 1, 8
	runner := cluster.NewRunner()
	runner.Options.Rounds = horizon
	bounds := cluster.Bounds(horizon)
	bounds.Isolations, bounds.Period, bounds.Crashes, bounds.Restarts, bounds.CrashStop = 5, 5, 1, 1, true
	universe, random := schedules.New(bounds), rand.New(rand.NewPCG(1, 0))
	states, shifted := map[string]bool{}, map[string]bool{}
	for range *coverage / horizon {
		var ends [horizon][2]string // after each round
		runner.Options.Transition = func(tr system.Transition) {
			ends[tr.Round-1] = [2]string{cluster.state(0), cluster.state(cluster.lowest())}
		}
		require.NoError(t, runner.Run(t.Context(), universe.Random(random).With(rounds.Settings{Seed: rounds.Set(random.Uint64())})))
		for _, end := range ends {
			states[end[0]], shifted[end[1]] = true, true
		}
	}
	t.Logf("%d abstract states in %d rounds, %d when all terms count from the lowest", len(states), *coverage, len(shifted))
	require.Greater(t, len(states), *coverage/10)
	require.Less(t, len(shifted), len(states))
}

// observed is a cluster whose nodes can be looked at.
type observed struct {
	*system.System
	nodes map[uint64]*node
}

func newObserved(horizon int) *observed {
	o := &observed{nodes: map[uint64]*node{}}
	o.System = etcd.System("etcd/raft", etcdtest.Processes, 10, func(id uint64, members []uint64, logger *etcd.Logger) (etcd.Node, error) {
		n, err := newNode(raft.Config{
			ID: id, Logger: logger, ElectionTick: 10, HeartbeatTick: 1, MaxSizePerMsg: 1 << 20, MaxInflightMsgs: 16,
		}, members)
		o.nodes[id] = n
		return n, err
	})
	o.Requests = etcd.Every(o.Processes, 1, horizon, 5, func(p string, round int) any { return etcd.Propose(fmt.Sprint(p, round)) })
	return o
}

// state is a multiset of what the nodes are without their names: term, role,
// the terms of the log, how much of it is committed, and whether the vote went to
// the node itself, to another or to nobody. Terms count from the one given.
func (o *observed) state(from uint64) string {
	var colours []string
	for _, n := range o.nodes {
		s := n.BasicStatus()
		vote := "nobody"
		switch number(s.Vote) {
		case 0:
		case s.ID:
			vote = "itself"
		default:
			vote = "another"
		}
		colours = append(colours, fmt.Sprint(number(s.Term)-from, s.RaftState, n.terms(from), number(s.Commit), vote))
	}
	slices.Sort(colours)
	return strings.Join(colours, "; ")
}

// lowest returns the lowest term of a node.
func (o *observed) lowest() uint64 {
	lowest := uint64(math.MaxUint64)
	for _, n := range o.nodes {
		lowest = min(lowest, number(n.BasicStatus().Term))
	}
	return lowest
}

// terms returns the terms of the entries in stable storage, counted from one, but
// for those that added the members.
func (n *node) terms(from uint64) []int64 {
	last, _ := n.storage.LastIndex() // in memory, without errors
	var terms []int64
	for i := uint64(len(etcdtest.Processes) + 1); i <= last; i++ {
		term, _ := n.storage.Term(i)
		terms = append(terms, int64(term)-int64(from))
	}
	return terms
}
