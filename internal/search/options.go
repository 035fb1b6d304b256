package search

import (
	"fmt"
	"runtime"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/guide"
)

// Options say what a search looks for, and how.
type Options struct {
	Strategy   string        `json:"strategy,omitempty"`   // its name; "": the one that fits
	Bounds     rounds.Bounds `json:"bounds,omitzero"`      // processes and rounds are those of the system where there are none
	Seed       uint64        `json:"seed,omitempty"`       // of the random choices of the strategy
	Executions int           `json:"executions,omitempty"` // the most executions; 0: 10,000
	Whole      bool          `json:"whole,omitempty"`      // do not make the schedule found smaller

	// Settings are the seed and the ticks of every execution. What is not set
	// is drawn anew for each execution by the strategies that draw schedules,
	// and once by the others.
	Settings rounds.Settings `json:"settings,omitzero"`

	// GoroutineOrders draws the order of goroutines as well, for each execution: the
	// setting goroutines.
	GoroutineOrders bool `json:"goroutine_orders,omitempty"`

	// Statistics asks for statistics of the whole executions of the search.
	Statistics bool `json:"statistics,omitempty"`

	// Known has the results of the first executions, if others have made them. Only
	// searches that can be made in parts have it.
	Known *Stretch `json:"known,omitempty"`

	// Guide decides faults in every execution, beside those of the schedule; nil: nothing does.
	Guide *guide.Guide `json:"-"`

	// Hold leaves a known support of each waypoint of the guide unharmed that an execution has reached.
	Hold bool `json:"-"`

	// Past are the known violations, which are not to be found again.
	Past []result.Violation `json:"-"`

	Workers int `json:"-"` // goroutines that execute; 0: one for each core. The answer does not depend on it
	States  int `json:"-"` // the most global states that exhaustive and learn keep; 0: 2,000,000

	Progress func(result.Progress) `json:"-"` // nil: nobody is told
	Steps    func(result.Step)     `json:"-"` // what a search by lineage does; nil: nobody is told
	Spent    *Spent                `json:"-"` // is told what rounds are executed for; nil: nobody is
}

// Budget returns the most executions of the search.
func (o Options) Budget() int { return positive(o.Executions, 10_000) }

// normal returns the options with everything written out.
func (o Options) normal() Options {
	o.Executions = o.Budget()
	o.Workers = positive(o.Workers, runtime.GOMAXPROCS(0))
	o.States = positive(o.States, 2_000_000)
	if o.Progress == nil {
		o.Progress = func(result.Progress) {}
	}
	return o
}

// spare adds the reliable links of the bounds to the settings of every schedule, so that
// the schedule replays by itself.
func (o *Options) spare() error {
	reliable := syntax.LinksText(o.Bounds.Reliable)
	if said := o.Settings.Reliable; said != "" && said != reliable {
		return fmt.Errorf("the settings say reliable %s: that belongs to the bounds", said)
	}
	o.Settings.Reliable = reliable
	return nil
}

func positive(n, otherwise int) int {
	if n <= 0 {
		return otherwise
	}
	return n
}

// choose returns bounds with the requests that the system allows a schedule to choose.
func (d *Description) choose(b rounds.Bounds) rounds.Bounds {
	b.Choose = execution.Choices(d.Choices, b.EOT)
	return b
}

// mayChoose returns bounds with an unlimited budget for choices, if they say nothing about
// choices.
func (d *Description) mayChoose(b rounds.Bounds) rounds.Bounds {
	if len(d.Choices) > 0 && !mentionsChoices(b) {
		b.Choices = rounds.Unlimited
	}
	return b
}

// mentionsChoices tells whether bounds say something about choices: their number, or a list
// of the possible ones, which may be empty.
func mentionsChoices(b rounds.Bounds) bool { return b.Choices != 0 || b.Choose != nil }

// choices reports choices of requests that the system does not have.
func (d *Description) choices(b rounds.Bounds) error {
	if b.Choices == 0 || len(d.Choices) > 0 {
		return nil
	}
	return fmt.Errorf("choices: system %q lets a schedule choose no requests (System.Choices): leave them out", d.Name)
}
