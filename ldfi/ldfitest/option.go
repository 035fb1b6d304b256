package ldfitest

import (
	"cmp"

	engine "github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// Option changes what Run does.
type Option func(*check)

// Bounds says which faults are searched, in place of all that options before it
// say. Processes, rounds, phases and assumptions are those of the system where it has
// none; an empty list of these, which is not nil, says none.
func Bounds(b rounds.Bounds) Option {
	return func(c *check) { c.options.Bounds = b }
}

// Isolations lets at most so many isolations happen, in phases of so many
// rounds: who is isolated comes back when a phase ends.
func Isolations(most, period int) Option {
	return func(c *check) { c.options.Bounds.Isolations, c.options.Bounds.Period = most, period }
}

// Crashes lets at most so many processes crash, and so many of these restart.
// Without Isolations or Bounds there are no isolations then.
func Crashes(most, restarts int) Option {
	return func(c *check) { c.options.Bounds.Crashes, c.options.Bounds.Restarts = most, restarts }
}

// Choices lets clients make at most so many of the requests that the system lets
// schedules choose (system.Choice), rounds.Unlimited for any number of them.
func Choices(most int) Option {
	return func(c *check) {
		if c.options.Bounds.Choices = most; most == 0 {
			c.options.Bounds.Choose = []rounds.Choice{}
		}
	}
}

// Rounds says how many rounds an execution has.
func Rounds(n int) Option {
	return func(c *check) { c.options.Bounds.EOT = n }
}

// HealedFrom lets no isolation or loss happen in that round or later, so that
// one can ask for progress from there on. It allows no losses by itself: those
// before that round are the isolations and omissions that other options allow.
// Crashes happen in any round.
func HealedFrom(round int) Option {
	return func(c *check) { c.options.Bounds.EFF = round }
}

// FaultsFrom lets faults begin in that round or later, so that what comes first, such as
// setting up a cluster, has none. It allows no faults by itself.
func FaultsFrom(round int) Option {
	return func(c *check) { c.options.Bounds.From = round }
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

// Strategy says by its name how schedules are searched: "exhaustive", "learn",
// "lineage", "enumerate", "spread", "uniform", "sample" or "drop" (see package search). Without it, that
// follows from what the system offers.
func Strategy(name string) Option {
	return func(c *check) { c.options.Strategy = name }
}

// GoroutineOrders draws the order in which the goroutines of a process run as well,
// for each execution, where processes have it (system.Machine). The schedule that is
// kept has it as "goroutines 7", if it needs one.
func GoroutineOrders() Option {
	return func(c *check) { c.options.GoroutineOrders = true }
}

// Settings are the seed and the ticks of all executions, such as
// rounds.Settings{Ticks: rounds.Set(3)}.
// What is not set is drawn.
func Settings(s rounds.Settings) Option {
	return func(c *check) { c.options.Settings = s }
}

// MustDecide makes a test fail of which nothing is found and nothing is proved: a property
// passes only with a certificate for all schedules within the bounds, and not because none
// of those that were drawn violates it.
func MustDecide() Option {
	return func(c *check) { c.decide = true }
}

// Known are files with schedules of what is known to be violated. Each is executed and
// reported, and the search goes on past what it violates: past the property or, of a panic
// and the end of a program, past the same cause. What violates nothing any more fails the
// test, so that it is taken out here.
func Known(files ...string) Option {
	return func(c *check) { c.known = append(c.known, files...) }
}

// Hide leaves messages of these relations out of the diagram that a failure prints, and
// messages of servers that begin with one of these words.
func Hide(what ...string) Option {
	return func(c *check) { c.hide = append(c.hide, what...) }
}

// defaultExecutions keeps tests short.
const defaultExecutions = 1_000

// newCheck returns what Run does with these options.
func newCheck(s *system.System, options []Option) *check {
	c := &check{system: s, options: search.Options{Executions: defaultExecutions}, patience: engine.Patience}
	for _, option := range options {
		option(c)
	}
	b := &c.options.Bounds
	b.EOT = cmp.Or(b.EOT, s.Rounds)
	if b.Processes == nil {
		b.Processes = s.Processes
	}
	return c
}
