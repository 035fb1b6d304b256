package schedules

import (
	"errors"
	"math/big"

	"github.com/lineage-driven/ldfi/rounds"
)

// grantedSpace has the schedules within bounds, reduced to the faults that decide which
// messages are received in a round: crashes and restarts, omissions, and faults that last
// to the end of a phase.
type grantedSpace struct {
	Processes int
	Rounds    int
	First     int // no fault begins in an earlier round
	LastLoss  int // no message is lost, and no process is paused, in later rounds
	Period    int // of a phase
	network

	Lossy    func(from, to int) bool // the link can lose messages
	Mortal   []bool                  // by process: it can crash
	Points   []int                   // by process: the points within a round at which it can crash
	Outcomes int                     // of each crash, of a disk
	Lasting  []grantedLasting
	Budgets  [grantedBudgets]int // or Unlimited
}

// The budgets of a space.
const (
	crashBudget = iota
	restartBudget
	sideBudget      // isolations and partitions together
	partitionBudget // alone
	pauseBudget
	omissionBudget
	cutBudget
	grantedBudgets
)

// grantedLasting is a fault that there is once in a phase at most, from any of its rounds to
// the end.
type grantedLasting struct {
	Side   uint32  // is parted from the rest; 0: nothing is
	Pauses uint32  // these processes take no part
	Cut    *fromTo // loses the messages of this link; nil: no link
	Costs  []int   // the budgets that it counts in
}

// errTooMany says that there are too many ways to go through.
var errTooMany = errors.New("too many schedules to be counted exactly")

// mostWays limits the ways from the states before a round to those after it, apart from the
// ways to omit messages. mostProcesses limits the processes.
const (
	mostWays      = 1 << 15
	mostProcesses = 16
	mostLasting   = 64
)

// grantedCounts counts the schedules of a space, one round after the other. Several
// goroutines may use it.
type grantedCounts struct {
	*grantedSpace
	limit [grantedBudgets]int         // that say something; Unlimited: none
	ways  []int                       // by round, that were gone through
	known []map[grantedState]*big.Int // all that can be reached, once it is made
	links map[grantedConfig][]*big.Int
	err   error
}

// grantedState is the state after the rounds so far.
type grantedState struct {
	Down   uint32
	Active uint64 // the faults that last, in this phase
	Used   [grantedBudgets]int32
}

// grantedConfig decides which omissions of a round are allowed.
type grantedConfig struct {
	up     uint32
	active uint64
	lossy  bool // messages can be omitted
}

// grantedWay has the faults of a round, with the number of omissions.
type grantedWay struct {
	Events  []chainEvent // by process
	Starts  uint64       // the lasting faults that begin
	Omitted int          // messages; Unlimited: any number
	Next    grantedState
	config  grantedConfig
}

// chainEvent is a crash or restart of a process in a round, or several.
type chainEvent int

// What can happen to a process at the start of a round, and within it.
const (
	stays chainEvent = iota
	falls
	fallsReturns
	fallsReturnsFallsWithin
	fallsWithin
	returns
	returnsFallsWithin
)

// newGrantedCounts returns the counts of the schedules of a space. The error may be
// errTooMany.
func newGrantedCounts(s *grantedSpace) (*grantedCounts, error) {
	if s.Processes > mostProcesses || len(s.Lasting) > mostLasting {
		return nil, errTooMany
	}
	c := &grantedCounts{grantedSpace: s, ways: make([]int, s.Rounds+2), known: make([]map[grantedState]*big.Int, s.Rounds+2), links: map[grantedConfig][]*big.Int{}}
	for round := range c.known {
		c.known[round] = map[grantedState]*big.Int{}
	}
	for i, b := range s.Budgets {
		if c.limit[i] = b; b >= c.most(i) {
			c.limit[i] = rounds.Unlimited
		}
	}
	if c.Total(); c.err != nil {
		return nil, c.err
	}
	return c, nil
}

// most is a number that the faults of a budget do not exceed anyway.
func (c *grantedCounts) most(budget int) int {
	switch budget {
	case crashBudget, restartBudget:
		return c.Processes * (c.Rounds + 1)
	case omissionBudget:
		return c.Processes * (c.Processes - 1) * c.LastLoss
	default:
		return len(c.Lasting) * c.LastLoss
	}
}

// Total returns the number of schedules.
func (c *grantedCounts) Total() *big.Int { return c.After(max(c.First, 1), grantedState{}) }

// After returns the number of ways to go on from the state before a round.
func (c *grantedCounts) After(round int, s grantedState) *big.Int {
	if round > c.Rounds {
		return big.NewInt(1)
	}
	if (round-1)%c.Period == 0 || round > c.LastLoss {
		s.Active = 0
	}
	if n := c.known[round][s]; n != nil || c.err != nil {
		return n
	}
	total := new(big.Int)
	c.Ways(round, s, func(_ *grantedWay, weight *big.Int) bool {
		if c.ways[round]++; c.ways[round] > mostWays {
			c.err = errTooMany
		}
		if c.err == nil {
			total.Add(total, weight)
		}
		return c.err == nil
	})
	c.known[round][s] = total
	return total
}

// Ways yields the possible ways of a round from a state, each with the number of schedules
// of this and the later rounds. The yielded values must not be kept.
func (c *grantedCounts) Ways(round int, s grantedState, yield func(*grantedWay, *big.Int) bool) {
	if (round-1)%c.Period == 0 || round > c.LastLoss {
		s.Active = 0
	}
	w := &grantedWalk{grantedCounts: c, round: round, yield: yield, up: 1<<c.Processes - 1}
	w.way = grantedWay{Events: make([]chainEvent, c.Processes), Next: s}
	w.process(0, big.NewInt(1))
}
