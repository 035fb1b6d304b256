package ldfitest

import (
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// Option changes what Run does.
type Option func(*check)

// Bounds says which faults are searched, in place of all that options before it
// say. Processes and rounds are those of the system where it has none.
func Bounds(b rounds.Bounds) Option {
	return func(c *check) { c.target.Bounds = b }
}

// Isolations lets at most so many isolations happen, in phases of so many
// rounds: who is isolated comes back when a phase ends.
func Isolations(most, period int) Option {
	return func(c *check) { c.target.Bounds.Isolations, c.target.Bounds.Period = most, period }
}

// Crashes lets at most so many processes crash, and so many of these restart.
// Without Isolations or Bounds there are no isolations then.
func Crashes(most, restarts int) Option {
	return func(c *check) { c.target.Bounds.Crashes, c.target.Bounds.Restarts = most, restarts }
}

// Rounds says how many rounds an execution has.
func Rounds(n int) Option {
	return func(c *check) { c.target.Bounds.EOT = n }
}

// HealedFrom lets no isolation or loss happen in that round or later, so that
// one can ask for progress from there on. When the other options allow no
// isolations and no omissions, but crashes or pauses, any messages may be lost
// before that round.
func HealedFrom(round int) Option {
	return func(c *check) { c.target.Bounds.EFF = round }
}

// Executions is the budget of the search of each property. Without it, it is
// 1,000.
func Executions(most int) Option {
	return func(c *check) { c.options.Executions = most }
}

// Seed makes the random choices of the search different ones. Without it, it is
// 0: a test that passes once passes again.
func Seed(seed uint64) Option {
	return func(c *check) { c.options.Seed = seed }
}

// Strategy says how schedules are searched. Without it, that follows from what
// the system offers.
func Strategy(s search.Strategy) Option {
	return func(c *check) { c.strategy = s }
}

// Settings are the seed and the ticks of all executions, such as
// rounds.Settings{Ticks: rounds.Set(3)}.
// What is not set is drawn.
func Settings(s rounds.Settings) Option {
	return func(c *check) { c.target.Settings = s }
}

// defaultExecutions keeps tests short.
const defaultExecutions = 1_000

// newCheck returns what Run does with these options.
func newCheck(s *system.System, options []Option) *check {
	c := &check{system: s, options: search.Options{Executions: defaultExecutions}}
	c.target.System = s
	for _, option := range options {
		option(c)
	}
	c.target.Bounds = search.DefaultBounds(s, c.target.Bounds)
	return c
}
