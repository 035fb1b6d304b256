package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
)

// Description has the properties of a system that are known before it is executed.
type Description struct {
	Name      string         `json:"name"`
	Processes []string       `json:"processes"`
	Rounds    int            `json:"rounds"`            // that an execution has unless one says otherwise
	Single    bool           `json:"single,omitempty"`  // a program makes one execution of it at a time
	Inexact   string         `json:"inexact,omitempty"` // why executions of one schedule may differ; "" if they cannot
	Fixed     bool           `json:"fixed,omitempty"`   // the number of rounds is promised: what is late is a violation
	Faults    *rounds.Bounds `json:"faults,omitempty"`  // what may go wrong where a search is not told
	Offers    []string       `json:"offers,omitempty"`  // what all processes can do beside what they must, sorted

	Points map[string][]string `json:"points,omitempty"` // within a round, at which each process can crash

	Joins map[string]int `json:"joins,omitempty"` // the processes that join later, and in which round

	Asked map[string]int `json:"asked,omitempty"` // the last round in which clients ask each process something, whatever a schedule chooses

	Choices []execution.Choice `json:"choices,omitempty"` // requests that a schedule can choose
}

// Describe describes a system of this program.
func Describe(s *system.System) Description {
	d, _ := describe(s)
	return d
}

func describe(s *system.System) (Description, system.Abilities) {
	can := abilities(s)
	d := Description{Name: s.Name, Processes: s.Processes, Rounds: s.Rounds, Fixed: s.Fixed, Single: s.Single || can.Machine.Single, Inexact: can.Machine.Inexact, Offers: abilitiesOffered(can), Points: can.Points, Joins: s.Joins, Choices: s.ChoiceData()}
	for _, r := range s.Requests {
		if d.Asked == nil {
			d.Asked = map[string]int{}
		}
		d.Asked[r.Process] = max(d.Asked[r.Process], r.Round)
	}
	if !reflect.ValueOf(s.Faults).IsZero() {
		d.Faults = &s.Faults
		bounds := d.DefaultBounds(rounds.Bounds{})
		if bounds.Choose = nil; bounds.Choices == 0 && len(s.Choices) > 0 {
			bounds.Choose = []rounds.Choice{} // none of d.Choices
		}
		d.Faults = &bounds
	}
	return d, can
}

// abilities returns the abilities of the processes of a system: none if the processes
// cannot be made or closed, or if a call for that does not come back; the first execution
// reports this.
func abilities(s *system.System) (can system.Abilities) {
	watched := *s
	watched.Calls = &execution.CallWatch{Exact: true}
	done, made := make(chan struct{}), system.Abilities{}
	go func() {
		defer close(done)
		made, _ = watched.Abilities()
	}()
	if watched.Calls.Wait(done, describeLimit) != nil {
		return can
	}
	return made
}

// describeLimit is how long a call may take that makes a process or closes it; a test has less patience.
var describeLimit = 10 * time.Second

// abilitiesOffered returns the optional abilities that all processes of a system have.
func abilitiesOffered(can system.Abilities) []string {
	all := map[string]bool{OffersRestarts: can.Restarts, OffersTicks: can.Ticks, OffersFingerprints: can.Fingerprints, OffersSnapshots: can.Snapshots,
		OffersClocks: can.Clocks, OffersTimers: can.Timers, OffersMachines: can.Machine.Clock, OffersDisks: can.Machine.Disk, OffersGoroutines: can.Machine.Goroutines, OffersSignals: can.Machine.Terminates}
	maps.DeleteFunc(all, func(_ string, has bool) bool { return !has })
	return slices.Sorted(maps.Keys(all))
}

// Lacks returns a phrase for the abilities that the machines lack for faults of kind k, ""
// if none.
func (d *Description) Lacks(k rounds.Kind) string {
	offer, part := "", ""
	switch k {
	case rounds.Fast, rounds.Slow, rounds.Jump:
		offer, part = OffersClocks, "timers (system.Ticker), or a clock that can run fast or slow, or jump"
	case rounds.FailSync:
		offer, part = OffersDisks, "a disk, whose syncs could fail"
	case rounds.Terminate:
		if slices.Contains(d.Offers, OffersSignals) {
			return ""
		}
		return fmt.Sprintf("no process of system %q has a program of its own that could get a signal (system.Machined), as a server has that ldfi runs as it is (--server): leave it out", d.Name)
	default:
		return ""
	}
	if slices.Contains(d.Offers, offer) {
		return ""
	}
	return fmt.Sprintf("not every process of system %q has %s (system.Machined): leave it out", d.Name, part)
}

// Target is a system that can be searched, with the properties that it has to satisfy.
type Target struct {
	Description
	Properties []property.Property

	// System is the described system, nil if it is in another program.
	System *system.System

	// Open returns an executor of the system for eot rounds. If record is true every
	// execution is recorded, else at least those that violate a property.
	Open func(eot int, record bool) (Executor, error)

	// Without returns the violations of an execution of a schedule for eot rounds without
	// the reports of some processes. It is nil if properties can be judged in this program.
	Without func(ctx context.Context, s rounds.Schedule, eot int, processes []string) ([]result.Violation, error)

	// Varying tells whether executions with some settings can differ although their faults
	// are the same. It is nil if this program can find out itself, or cannot ask.
	Varying func(ctx context.Context, settings rounds.Settings) bool

	past     []result.Violation  // are known, and not told by Open
	ended    *atomic.Int64       // executions that only reached a known end of a process
	final    []string            // the processes that cannot restart, of the system of this program
	checkers []*property.Checker // of the system of this program

	// Watches record whether the facts in the rules of properties come about; nil for
	// functions.
	Watches []*datalog.Watch
}

// Executor executes schedules, and judges the executions. It is for one
// goroutine.
type Executor interface {
	// Execute returns the recording and the violations; a process that panics violates
	// NoPanic. It returns an *ExecutionError if a process does something that systems
	// do not allow.
	Execute(ctx context.Context, s rounds.Schedule) (*recording.Execution, []result.Violation, error)

	// Extents executes a schedule once, and calls goOn with the violations at each number
	// of rounds, in ascending order, until goOn returns false. A process that panics before
	// one of these is an *ExecutionError.
	Extents(ctx context.Context, s rounds.Schedule, extents []int, goOn func(n int, violations []result.Violation) bool) error
}

// NewTarget returns a system of this program as a target. If there are no properties, it
// has to satisfy its own.
func NewTarget(s *system.System, properties []property.Property) (*Target, error) {
	if s == nil {
		return nil, errors.New("there is no system to be searched")
	}
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if properties == nil {
		properties = s.Properties
	}
	var checkers []*property.Checker
	var watches []*datalog.Watch
	for _, p := range properties {
		c, err := property.Compile(p)
		if err == nil && (p.Name == NoPanic || p.Name == NoHang || p.Name == NoExit) {
			err = fmt.Errorf("property %q: every system has to satisfy one of this name: give it another", p.Name)
		}
		if err != nil {
			return nil, err
		}
		checkers, watches = append(checkers, c), append(watches, watch(c))
	}
	description, can := describe(s)
	t := &Target{Description: description, final: can.Final, Properties: properties, System: s, checkers: checkers, Watches: watches}
	t.Open = func(eot int, record bool) (Executor, error) { return t.Judge(eot, record), nil }
	return t, nil
}

// bounds returns b with the processes and rounds of the system if b has none, or an error
// in b.
func (d *Description) bounds(b rounds.Bounds) (rounds.Bounds, error) {
	b = d.within(b)
	if err := b.Validate(); err != nil {
		return b, err
	}
	if b.OwnLost {
		return b, fmt.Errorf("own=lost: what a process of system %q sends itself is never lost", d.Name)
	}
	return b.Normal(), nil
}

// within returns b for this system, with the system's processes and rounds if b has none.
func (d *Description) within(b rounds.Bounds) rounds.Bounds {
	if b.Processes == nil {
		b.Processes = d.Processes
	}
	b.EOT = cmp.Or(b.EOT, d.Rounds)
	b.CrashStop, b.Points, b.Disks, b.Joins = true, d.Points, slices.Contains(d.Offers, OffersDisks), d.Joins
	return d.choose(b)
}

// DefaultBounds fills in the fields of b that are not set, and is the only place that does
// so. Processes, rounds and budgets are those of the system if b has none. If b has one
// budget, its other budgets stay 0, since one crash alone means no isolations. Every other
// field, such as From, EFF and phases, is that of the system unless b sets it. Assumptions
// are those of both, or none if b has an empty list of them.
// If neither has budgets, there are at most two isolations, in four phases. Four phases of
// nodes that are programs of their own stay four in other rounds. There are four phases, too,
// if b does not say how many rounds after a termination a program is started
// again, and with the system's it never would be.
func (d *Description) DefaultBounds(b rounds.Bounds) rounds.Bounds {
	given := max(b.Period, len(b.Phase))
	if d.Faults != nil {
		b = filled(b, *d.Faults)
	}
	b.Deliver, b.Kernel = strings.TrimPrefix(b.Deliver, "none"), strings.TrimPrefix(b.Kernel, "none")
	b.NeverCrash, b.Reliable, b.Kinds = assumed(b.NeverCrash, nil), assumed(b.Reliable, nil), assumed(b.Kinds, nil)
	b.Period = cmp.Or(b.Period, len(b.Phase))
	b = d.within(d.mayChoose(b))
	quarter := max((b.EOT+3)/4, 1)
	if given == 0 && d.Faults != nil && d.Faults.Period == max((d.Rounds+3)/4, 1) && slices.Contains(d.Offers, OffersSignals) {
		b.Period = quarter // as of the rounds of the system
	}
	if !allows(b) {
		b.Isolations, b.Period = 2, cmp.Or(b.Period, quarter)
	}
	if b.Terminations != 0 && given == 0 && (b.Period == 0 || b.Period >= b.EOT) {
		b.Period = quarter
	}
	return b
}

// Unfaulted returns b as bounds of the system without faults that it does not name. What the
// system assumes of processes and links stays, unless b has an empty list of it.
func (d *Description) Unfaulted(b rounds.Bounds) rounds.Bounds {
	if allows(b) {
		return d.DefaultBounds(b)
	}
	if d.Faults != nil {
		b.NeverCrash, b.Reliable = besides(b.NeverCrash, d.Faults.NeverCrash), besides(b.Reliable, d.Faults.Reliable)
	}
	b.NeverCrash, b.Reliable = assumed(b.NeverCrash, nil), assumed(b.Reliable, nil)
	b.Deliver, b.Kernel = strings.TrimPrefix(b.Deliver, "none"), strings.TrimPrefix(b.Kernel, "none")
	return d.within(b)
}

// Whole returns b unchanged if it allows a fault, and otherwise the bounds of
// DefaultBounds.
func (d *Description) Whole(b rounds.Bounds) rounds.Bounds {
	if allows(b) {
		return d.within(b)
	}
	return d.DefaultBounds(b)
}

// filled returns the bounds given, with missing fields from own, those of a system.
func filled(given, own rounds.Bounds) rounds.Bounds {
	b := given
	if !allows(given) {
		b = own
		b.Processes, b.EOT, b.OwnLost = given.Processes, given.EOT, given.OwnLost
		b.Restarts, b.At = cmp.Or(given.Restarts, own.Restarts), cmp.Or(given.At, own.At)
	}
	b.FaultFree = cmp.Or(given.FaultFree, own.FaultFree)
	b.From, b.EFF, b.Period = cmp.Or(given.From, own.From), cmp.Or(given.EFF, own.EFF), cmp.Or(given.Period, len(given.Phase), own.Period)
	b.MaxJump, b.MaxDelay = cmp.Or(given.MaxJump, own.MaxJump), cmp.Or(given.MaxDelay, own.MaxDelay)
	b.Phase = assumed(given.Phase, own.Phase)
	b.NeverCrash, b.Reliable = besides(given.NeverCrash, own.NeverCrash), besides(given.Reliable, own.Reliable)
	b.Kinds = assumed(given.Kinds, own.Kinds)
	b.Deliver, b.Kernel = cmp.Or(given.Deliver, own.Deliver), cmp.Or(given.Kernel, own.Kernel)
	if mentionsChoices(given) {
		b.Choices, b.Choose = given.Choices, given.Choose
	} else if mentionsChoices(own) {
		b.Choices, b.Choose = own.Choices, own.Choose
	}
	return b
}

// assumed returns the assumptions given or, if given is nil, otherwise, those of a system.
// An empty list that is not nil means no assumptions.
func assumed(given, otherwise []string) []string {
	switch {
	case given == nil:
		return otherwise
	case len(given) == 0:
		return nil
	default:
		return given
	}
}

// besides returns the assumptions of a system and those given. An empty list that is not nil
// means no assumptions.
func besides(given, own []string) []string {
	if len(given) == 0 {
		return assumed(given, own)
	}
	all := slices.Clone(own)
	for _, one := range given {
		if !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
}

// allows tells whether the bounds allow any fault.
func allows(b rounds.Bounds) bool {
	return slices.ContainsFunc(rounds.Kinds(), func(k rounds.Kind) bool { return k != rounds.Restart && k != rounds.Choose && b.Budget(k) != 0 })
}
