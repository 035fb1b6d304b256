package heard

import (
	"errors"
	"math/big"
)

// Unlimited is a budget without a limit.
const Unlimited = -1

// Space is the schedules within bounds, as far as they decide what is received in a
// round: crashes and restarts, omissions, and what lasts to the end of a phase.
type Space struct {
	Processes int
	Rounds    int
	First     int // no fault begins in an earlier round
	LastLoss  int // nothing is lost, and nobody stands still, in later rounds
	Period    int // of a phase
	Network

	Lossy    func(from, to int) bool // the link can lose messages
	Mortal   []bool                  // by process: it can crash
	Points   []int                   // by process: the points within a round at which it can crash
	Outcomes int                     // of each crash, of a disk
	Lasting  []Lasting
	Budgets  [budgets]int // or Unlimited
}

// Network is what is taken for granted of the messages of a round.
type Network struct {
	Least  int  // each that takes part receives from so many of those that do, itself included
	Kernel bool // one of those that take part exchanges messages with all others
}

// The budgets of a space.
const (
	Crashes = iota
	Restarts
	Sides      // isolations and partitions together
	Partitions // alone
	Pauses
	Omissions
	Cuts
	budgets
)

// Lasting is a fault that there is once in a phase at most, from any of its rounds to
// the end.
type Lasting struct {
	Side   uint32 // is parted from the rest; 0: nothing is
	Pauses uint32 // these take no part
	Cut    *Link  // loses what is sent on it; nil: no link
	Costs  []int  // the budgets that it counts in
}

// ErrTooMany says that there are too many ways to go through.
var ErrTooMany = errors.New("too many schedules to be counted exactly")

// mostWays is how many ways there may be from the states before a round to those
// behind it, at most, beside those to omit messages; and mostProcesses how many
// processes.
const (
	mostWays      = 1 << 15
	mostProcesses = 16
	mostLasting   = 64
)

// Counts counts the schedules of a space, one round after the other. It may be used
// from several goroutines.
type Counts struct {
	*Space
	limit [budgets]int         // that say something; Unlimited: none
	ways  []int                // by round, that were gone through
	known []map[State]*big.Int // all that can be reached, once it is made
	links map[config][]*big.Int
	err   error
}

// State is what the rounds so far leave.
type State struct {
	Down   uint32
	Active uint64 // of what lasts, in this phase
	Used   [budgets]int32
}

// config is what decides which omissions of a round leave enough.
type config struct {
	up     uint32
	active uint64
	lossy  bool // messages can be omitted
}

// Way is what happens in a round beside omissions, and how many there are of these.
type Way struct {
	Events  []Event // by process
	Starts  uint64  // of what lasts
	Omitted int     // messages; Unlimited: any number
	Next    State
	config  config
}

// Event is a crash or restart of a process in a round, or several.
type Event int

// What can happen to a process at the start of a round, and within it.
const (
	Stays Event = iota
	Falls
	FallsReturns
	FallsReturnsFallsWithin
	FallsWithin
	Returns
	ReturnsFallsWithin
)

// NewCounts returns what counts the schedules of a space, or ErrTooMany.
func NewCounts(s *Space) (*Counts, error) {
	if s.Processes > mostProcesses || len(s.Lasting) > mostLasting {
		return nil, ErrTooMany
	}
	c := &Counts{Space: s, ways: make([]int, s.Rounds+2), known: make([]map[State]*big.Int, s.Rounds+2), links: map[config][]*big.Int{}}
	for round := range c.known {
		c.known[round] = map[State]*big.Int{}
	}
	for i, b := range s.Budgets {
		if c.limit[i] = b; b >= c.most(i) {
			c.limit[i] = Unlimited
		}
	}
	if c.Total(); c.err != nil {
		return nil, c.err
	}
	return c, nil
}

// most is a number that the faults of a budget do not exceed anyway.
func (c *Counts) most(budget int) int {
	switch budget {
	case Crashes, Restarts:
		return c.Processes * (c.Rounds + 1)
	case Omissions:
		return c.Processes * (c.Processes - 1) * c.LastLoss
	default:
		return len(c.Lasting) * c.LastLoss
	}
}

// Total returns how many schedules there are.
func (c *Counts) Total() *big.Int { return c.After(max(c.First, 1), State{}) }

// After returns the number of ways to go on from the state before a round.
func (c *Counts) After(round int, s State) *big.Int {
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
	c.Ways(round, s, func(_ *Way, weight *big.Int) bool {
		if c.ways[round]++; c.ways[round] > mostWays {
			c.err = ErrTooMany
		}
		if c.err == nil {
			total.Add(total, weight)
		}
		return c.err == nil
	})
	c.known[round][s] = total
	return total
}

// Ways yields what can happen in a round from a state on, each with the number of
// schedules of this and the later rounds. Neither is kept.
func (c *Counts) Ways(round int, s State, yield func(*Way, *big.Int) bool) {
	if (round-1)%c.Period == 0 || round > c.LastLoss {
		s.Active = 0
	}
	w := &walk{Counts: c, round: round, yield: yield, up: 1<<c.Processes - 1}
	w.way = Way{Events: make([]Event, c.Processes), Next: s}
	w.process(0, big.NewInt(1))
}
