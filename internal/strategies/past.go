package strategies

import (
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/solver"
)

// pasts are conditions, for one execution, under which processes have the same past again:
// by round, from 0, and process.
type pasts struct {
	// received: all messages arrive that the process had received by the end of the round,
	// and all that their senders had received before. Classical lineage takes this for
	// enough.
	received [][]solver.Lit
	// same: and no other message arrives. Then the process does the same again.
	same [][]solver.Lit
}

// traffic tells whether the messages of one process to another in a round arrived.
type traffic byte

const (
	nothing   traffic = iota // was sent
	lost                     // all were lost
	delivered                // all were delivered
)

// pasts returns the pasts of an execution.
func (c *faultCircuit) pasts(e *recording.Execution) *pasts {
	n := len(c.bounds.Processes)
	became := c.traffic(e)
	crashed := c.crashed(e)
	first := slices.Repeat([]solver.Lit{solver.True}, n)
	p := &pasts{received: [][]solver.Lit{first}, same: [][]solver.Lit{first}}
	for round := 1; round <= c.bounds.EOT; round++ {
		received, same := make([]solver.Lit, n), make([]solver.Lit, n)
		for to := range n {
			got, alike := []solver.Lit{p.received[round-1][to]}, []solver.Lit{p.same[round-1][to]}
			switch {
			case round == crashed[to]:
				alike = append(alike, c.crashes(to, round))
			case round < crashed[to]:
				got, alike = append(got, c.up[to][round]), append(alike, c.up[to][round])
				for from := range n {
					if from == to {
						continue
					}
					before, whole := p.same[round-1][from], false
					for class := range became {
						switch arrives := c.deliversOf(class, from, to, round); became[class][(round*n+from)*n+to] {
						case delivered:
							got = append(got, p.received[round-1][from], arrives)
							alike, whole = append(alike, before, arrives), true
						case lost:
							alike, whole = append(alike, arrives.Not()), whole || class == 0
						}
					}
					switch arrives := c.delivers(from, to, round); {
					case whole: // nothing else can come, or the sender sends nothing else
					case round >= crashed[from]:
						alike = append(alike, arrives.Not())
					default: // it may arrive, as long as the sender sends nothing again
						alike = append(alike, c.Or(before, arrives.Not()))
					}
				}
			}
			received[to], same[to] = c.Ands(got...), c.Ands(alike...)
		}
		p.received, p.same = append(p.received, received), append(p.same, same)
	}
	return p
}

// traffic returns the traffic of an execution by class, and then by round, sender and receiver.
func (c *faultCircuit) traffic(e *recording.Execution) [][]traffic {
	n := len(c.bounds.Processes)
	all := [][]traffic{make([]traffic, len(c.arrives))}
	for i := range e.Messages {
		m := &e.Messages[i]
		from, to := c.index(m.From), c.index(m.To)
		class := c.classes.classOf(m)
		for len(all) <= class {
			all = append(all, make([]traffic, len(c.arrives)))
		}
		became := all[class]
		switch {
		case from < 0 || to < 0 || m.Round > c.bounds.EOT:
		case m.Lost && m.Cause.Kind == rounds.Crash && m.Cause.Process == m.To && m.Cause.Round > m.Round: // on its way over a link with a latency
		case m.Lost:
			became[(m.Round*n+from)*n+to] = lost
		default:
			became[(m.Round*n+from)*n+to] = delivered
		}
	}
	return all
}

// crashed returns the round in which each process crashes, one after the last if
// it does not.
func (c *faultCircuit) crashed(e *recording.Execution) []int {
	rs := slices.Repeat([]int{c.bounds.EOT + 1}, len(c.bounds.Processes))
	for _, f := range e.Schedule.Faults {
		if f.Kind == rounds.Crash {
			rs[c.index(f.Process)] = f.Round
		}
	}
	return rs
}

// index returns the number of a process, -1 if it is none.
func (c *faultCircuit) index(process string) int { return slices.Index(c.bounds.Processes, process) }

// again returns literals that hold exactly under the schedules that repeat the execution e:
// the same messages arrive and are lost, and the same processes crash in the same rounds.
func (c *faultCircuit) again(e *recording.Execution) []solver.Lit {
	n := len(c.bounds.Processes)
	var lits []solver.Lit
	for class, all := range c.traffic(e) {
		for i, became := range all {
			from, to, round := i/n%n, i%n, i/n/n
			switch {
			case from == to || became == nothing:
			case became == lost:
				lits = append(lits, c.deliversOf(class, from, to, round).Not())
			default:
				lits = append(lits, c.deliversOf(class, from, to, round))
			}
		}
	}
	for p, round := range c.crashed(e) {
		if round <= c.bounds.EOT {
			lits = append(lits, c.crashes(p, round))
		} else {
			lits = append(lits, c.up[p][c.bounds.EOT])
		}
	}
	return lits
}

// sends is true when a process sends in a round the messages that it sent in the execution,
// by one of the two readings of its past.
func (c *faultCircuit) sends(past [][]solver.Lit, p, round int) solver.Lit {
	return c.And(past[round-1][p], c.up[p][round])
}

// all is true when all processes have the same past to the end.
func (c *faultCircuit) all(past [][]solver.Lit) solver.Lit { return c.Ands(past[c.bounds.EOT]...) }
