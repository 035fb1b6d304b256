package etcdraft

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/adapters/etcd/etcdtest"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/strategies"
	"github.com/lineage-driven/ldfi/internal/strategies/tabular"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"go.etcd.io/raft/v3"
)

var figures = flag.Int("figures", 0, "seeds with which docs/catalogue/guided.md is measured and written; each takes five minutes of a processor")

// GuidedPage has the figures of guides and policies.
const GuidedPage = "../../docs/catalogue/guided.md"

// drawnByDefault counts the states that the default strategy comes to: schedules are drawn by
// spread, for the same cluster as a system of rounds, with as many requests of leaders. The
// ticks of a round are drawn for each execution, with a mean of 4.
func drawnByDefault(crashes bool, seed uint64, steps int) (int, error) {
	o := &observed{nodes: map[uint64]*node{}}
	o.System = etcd.System("etcd/raft", etcdtest.Processes, unguided.election, func(id uint64, members []uint64, logger *etcd.Logger) (etcd.Node, error) {
		n, err := newNode(raft.Config{
			ID: id, Logger: logger, ElectionTick: unguided.election, HeartbeatTick: unguided.heartbeat, CheckQuorum: true,
			MaxSizePerMsg: 1 << 20, MaxInflightMsgs: 256,
		}, members)
		o.nodes[id] = n
		return n, err
	})
	const first, every = 8, 3 // there is a leader mostly
	o.Requests = etcd.EveryLeader(o.Processes, first, first+(requests-1)*every, every, func(round int) any { return etcd.Propose(fmt.Sprint(round)) })
	o.MinTicks, o.MaxTicks = 1, 2*stepTicks-1
	bounds := o.Bounds(horizon)
	bounds.Isolations, bounds.Period, bounds.Pauses = 9, 3, 0
	if crashes {
		bounds.Crashes, bounds.Restarts, bounds.CrashStop = 1, 1, true
	}
	spread, uniform, random := strategies.DrawSpread(bounds), schedules.New(bounds).Uniform(), rand.New(rand.NewPCG(seed, 3))
	states, runner := map[string]bool{}, o.NewRunner()
	runner.Options.Rounds = horizon
	var ends [horizon]string // after each round
	runner.Options.Transition = func(t system.Transition) {
		var colours []string
		for _, n := range o.nodes {
			colours = append(colours, colourOf(n.BasicStatus(), n.allTerms()))
		}
		ends[t.Round-1] = multiset(colours...)
	}
	for range steps / horizon {
		dice := schedules.Dice{Rand: random}
		s := spread(dice)
		if random.IntN(8) == 0 {
			s = uniform.Draw(dice)
		}
		if err := runner.Run(context.Background(), s.With(rounds.Settings{Seed: rounds.Set(random.Uint64())})); err != nil {
			return 0, err
		}
		for _, end := range ends {
			states[end] = true
		}
	}
	return len(states), nil
}

// allTerms returns the terms of all entries in stable storage.
func (n *node) allTerms() []byte {
	last, _ := n.storage.LastIndex() // in memory, without errors
	var terms []byte
	for i := uint64(1); i <= last; i++ {
		term, _ := n.storage.Term(i)
		terms = append(terms, byte(term))
	}
	return terms
}

// measured are the states of each seed, by what they are of.
type measured struct {
	mutex  sync.Mutex
	counts map[string][]float64
}

func (m *measured) put(what string, n int) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.counts[what] = append(m.counts[what], float64(n))
}

// spread is the median with the quartiles.
func (m *measured) spread(what string) string {
	c := m.counts[what]
	if len(c) == 1 {
		return fmt.Sprint(c[0])
	}
	return fmt.Sprintf("%.0f (%.0f–%.0f)", quartile(c, 0.5), quartile(c, 0.25), quartile(c, 0.75))
}

// ratio is that of medians.
func (m *measured) ratio(what, to string) float64 {
	return quartile(m.counts[what], 0.5) / quartile(m.counts[to], 0.5)
}

// Writes the page of the catalogue: the states that policies come to, beside the published
// figures.
func TestFigures(t *testing.T) {
	if *figures == 0 {
		t.Skip("takes five minutes of a processor for each seed: -args -figures 10")
	}
	m := &measured{counts: map[string][]float64{}}
	for seed := range *figures {
		m.seed(t, uint64(seed+1), 250_000)
		page := m.page(seed + 1)
		WriteSections(t, GuidedPage, page)
		t.Log(page)
	}
}

// seed measures with one seed.
func (m *measured) seed(t *testing.T, seed uint64, steps int) {
	var all []func()
	for _, name := range []string{"random", "bonus", "negrl"} {
		all = append(all, func() { m.put(name, len(explore(unguided, policies[name](), seed, steps))) }, func() {
			for j, n := range reaching(targets, policies[name](), false, seed, steps) {
				m.put(name+targets[j].name, n)
			}
		})
	}
	for what, crashes := range map[string]bool{"default": false, "crash": true} {
		all = append(all, func() {
			n, err := drawnByDefault(crashes, seed, steps)
			if err != nil {
				t.Error(err)
			}
			m.put(what, n)
		})
	}
	for j := range targets {
		all = append(all, func() {
			led := tabular.NewWaypoint(len(targets[j].waypoints))
			m.put("waypoint"+targets[j].name, reaching(targets[j:j+1], led, true, seed, steps)[0])
		}, func() { m.put("ours"+targets[j].name, beyond(&targets[j], seed, steps)) })
	}
	var workers sync.WaitGroup
	work := make(chan func())
	for range 4 {
		workers.Go(func() {
			for do := range work {
				do()
			}
		})
	}
	for _, do := range all {
		work <- do
	}
	close(work)
	workers.Wait()
}

// page writes the tables.
func (m *measured) page(seeds int) string {
	var b strings.Builder
	of := "one seed"
	if seeds > 1 {
		of = fmt.Sprintf("%d seeds, with the quartiles", seeds)
	}
	fmt.Fprintf(&b, `# States that learning comes to

<!-- Written by go test . -run TestFigures -timeout 0 -args -figures %d, in adapters/etcdraft. -->

Tables 4.2 and 4.4 of S. Nagendra, *Automated testing of distributed protocol implementations*, 2024, for etcd's Raft,
measured again. [Words](../glossary.md), [strategies](../guide/strategies.md).

Three nodes, %d steps in executions of 25. An action parts the nodes by what they look like, asks a leader, or
crashes a node. A step with a partition has 4 ticks. What is counted are multisets of role, term, vote, leader, commit
index and the terms of the log; terms from 6 on count as one. Each figure is the median of %s.

## Table 4.2: states in all

Elections take 16 ticks, and nothing crashes.

| | published | here | to random | A12 | p |
|---|---|---|---|---|---|
`, seeds, 250_000, of)
	row := func(name, what string, published string) {
		fmt.Fprintf(&b, "| %s | %s | %s | %.2f | %.2f | %.2g |\n", name, published, m.spread(what), m.ratio(what, "random"), a12(m.counts[what], m.counts["random"]), above(m.counts[what], m.counts["random"]))
	}
	fmt.Fprintf(&b, "| random | 19179 | %s | 1 | | |\n", m.spread("random"))
	row("`bonus`", "bonus", "22203")
	row("`negrl`", "negrl", "24899")
	row("`spread`", "default", "")
	row("`spread`, with a crash", "crash", "")
	b.WriteString(`
The last rows are the default strategy of ldfi, on the same cluster as a system of rounds. Nine nodes are isolated in
phases of three rounds. Rounds have 1 to 7 ticks, drawn for each execution. Leaders are asked in rounds 8, 11, 14, 17
and 20. With a crash one node goes down, and may come back. What differs: in a round there are all ticks and then
messages; each leader is asked, not one; and rounds of requests are not drawn.

The published code keeps the nodes in order, with their names in votes; multisets fit its figures better.

Five isolations in phases of five rounds, with requests every five, come to 1.58 times the states of
random actions; nine in phases of three, to 1.75.

## Table 4.4: states behind a target

Elections take 9 ticks, and three times a node may crash. It comes back without its term, its vote and the members, as
in the published code. Published figures stand in brackets.

| target | random | ` + "`bonus` | `negrl` | `waypoint`" + ` | to random | ours | to random | A12 | p | wanted |
|---|---|---|---|---|---|---|---|---|---|---|
`)
	for i := range targets {
		t := &targets[i]
		fmt.Fprintf(&b, "| %s |", t.name)
		for k, name := range []string{"random", "bonus", "negrl", "waypoint"} {
			fmt.Fprintf(&b, " %s [%d] |", m.spread(name+t.name), t.published[k])
		}
		random, ours := "random"+t.name, "ours"+t.name
		wanted := ""
		if t.wanted > 0 {
			wanted = fmt.Sprintf("%g", t.wanted)
		}
		fmt.Fprintf(&b, " %.2f | %s | %.2f | %.2f | %.2g | %s |\n", m.ratio("waypoint"+t.name, random), m.spread(ours), m.ratio(ours, random), a12(m.counts[ours], m.counts[random]), above(m.counts[ours], m.counts[random]), wanted)
	}
	b.WriteString(`
*Ours* shares out executions as the strategy ` + "`ahead`" + ` does, by the same code. Steps that are made again count. What
differs: ` + "`negrl`" + ` proposes each action here; ` + "`ahead`" + ` draws all later faults at once. On a system of rounds, 1,000
executions of ` + "`ahead`" + ` come to 5,332 states behind a leader of term 4, and of ` + "`spread`" + ` to 2,001.

Where the text of the thesis and its code differ, the first nine rows are the code. There a difference of terms is more
than two, committed entries are those of any node, and all terms are at least five. The last rows are the other reading.
`)
	return b.String()
}
