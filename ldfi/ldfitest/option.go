package ldfitest

import (
	"cmp"
	"slices"

	engine "github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// Option is an option of Run.
type Option func(*check)

// Bounds sets the bounds of the search, in place of earlier options. If b has no processes,
// rounds, phases or assumptions, those of the system are used; a list that is empty and not
// nil means none.
func Bounds(b rounds.Bounds) Option {
	return func(c *check) { c.options.Bounds = b }
}

// Isolations allows at most the given number of isolations, in phases of period rounds:
// an isolation ends with its phase.
func Isolations(most, period int) Option {
	return func(c *check) { c.options.Bounds.Isolations, c.options.Bounds.Period = most, period }
}

// Crashes allows at most the given number of crashes, and of restarts. Without
// Isolations or Bounds there are no isolations then.
func Crashes(most, restarts int) Option {
	return func(c *check) { c.options.Bounds.Crashes, c.options.Bounds.Restarts = most, restarts }
}

// Choices lets clients make at most the given number of the requests that schedules can
// choose (see system.Choice), or any number with rounds.Unlimited.
func Choices(most int) Option {
	return func(c *check) {
		if c.options.Bounds.Choices = most; most == 0 {
			c.options.Bounds.Choose = []rounds.Choice{}
		}
	}
}

// Rounds sets the number of rounds of an execution.
func Rounds(n int) Option {
	return func(c *check) { c.options.Bounds.EOT = n }
}

// HealedFrom allows no isolation or loss in the given round or later, so that a
// property can ask for progress from there on. It allows no losses by itself: other
// options allow the isolations and omissions before that round. Crashes happen in any
// round.
func HealedFrom(round int) Option {
	return func(c *check) { c.options.Bounds.EFF = round }
}

// FaultsFrom lets faults begin in the given round or later, for example after a cluster
// has been set up. It allows no faults by itself.
func FaultsFrom(round int) Option {
	return func(c *check) { c.options.Bounds.From = round }
}

// Executions limits the executions of the search for each property. The default is
// 1,000.
func Executions(most int) Option {
	return func(c *check) { c.options.Executions = most }
}

// Seed sets the seed of the random choices of the search. The default is 0: so a test
// that passes once passes again.
func Seed(seed uint64) Option {
	return func(c *check) { c.options.Seed = seed }
}

// Strategy sets the search strategy by its name: "exhaustive", "learn", "lineage",
// "enumerate", "spread", "uniform", "sample", "pct", "bonus", "negrl", "waypoint" or "drop"
// (see package search). By default the abilities of the system determine the strategy.
func Strategy(name string) Option {
	return func(c *check) { c.options.Strategy = name }
}

// Guide lets a guide decide faults in every execution: the file FILE.mg, or its rules (package
// rounds/guide), which a test reads that imports specs/property/rules. Without other options
// nothing else fails, and each property gets 100 executions. The test fails if some execution
// does not reach the target of the guide, its good states or its last waypoint, and if
// something in the guide never comes about: end such a rule with "# may never" if that is
// meant. ldfi run --system 'go test …' wants the same guide by --guide.
func Guide(file string) Option {
	return func(c *check) { c.guide = file }
}

// GoroutineOrders draws, for each execution, the order in which the goroutines of a
// process run, if its machine supports that (see system.Machine). A schedule that needs
// an order has it as "goroutines 7".
func GoroutineOrders() Option {
	return func(c *check) { c.options.GoroutineOrders = true }
}

// Settings sets the seed and the ticks of all executions, as in rounds.Settings{Ticks:
// rounds.Set(3)}. A setting that is not given is drawn.
func Settings(s rounds.Settings) Option {
	return func(c *check) { c.options.Settings = s }
}

// MustDecide makes a property pass only with a certificate for all schedules within the
// bounds. Without a violation and without a certificate the test fails.
func MustDecide() Option {
	return func(c *check) { c.decide = true }
}

// Known names files with schedules of known violations. Each schedule is executed and
// reported. The search then ignores violations of the same property or, for a panic and
// the end of a program, with the same cause. A schedule that violates nothing any more
// fails the test, so that its file is removed from the list.
func Known(files ...string) Option {
	return func(c *check) { c.known = append(c.known, files...) }
}

// Hide leaves messages out of the diagram that a failure prints: messages of the given
// relations, and messages of servers that begin with one of the given words.
func Hide(what ...string) Option {
	return func(c *check) { c.hide = append(c.hide, what...) }
}

// defaultExecutions keeps tests short.
const defaultExecutions = 1_000

// newCheck returns the check that Run makes with some options.
func newCheck(s *system.System, options []Option) *check {
	c := &check{system: s, patience: engine.Patience}
	for _, option := range options {
		option(c)
	}
	faults := slices.ContainsFunc(rounds.Kinds(), func(k rounds.Kind) bool { return c.options.Bounds.Budget(k) != 0 })
	if c.options.Executions == 0 && (c.guide == "" || faults) {
		c.options.Executions = defaultExecutions
	}
	b := &c.options.Bounds
	b.EOT = cmp.Or(b.EOT, s.Rounds)
	if b.Processes == nil {
		b.Processes = s.Processes
	}
	return c
}
