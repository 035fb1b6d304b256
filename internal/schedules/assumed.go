package schedules

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
)

// Assumed returns an error if a fault of s contradicts the assumptions of b or the
// setting reliable of s, or if a process receives less in a round than b assumes. The
// schedule has to be valid.
func Assumed(s rounds.Schedule, b rounds.Bounds) error {
	if _, err := (assumed{}).of(s, b); err != nil {
		return err
	}
	return Granted(s, b)
}

// Granted returns an error if a process receives less in a round under s than b
// assumes.
func Granted(s rounds.Schedule, b rounds.Bounds) error { return networkOf(b).met(b, s) }

// WithinSystem is Within for a schedule of a system. A system takes the reliable links
// from the setting of the schedule, not from the bounds; where it makes a difference,
// the two have to agree.
func WithinSystem(s rounds.Schedule, b rounds.Bounds) error {
	if err := Within(s, b); err != nil {
		return err
	}
	return spares(s, b)
}

// AssumedOfSystem is Assumed for a schedule of a system. If b has no reliable links,
// those of the setting reliable of s are taken.
func AssumedOfSystem(s rounds.Schedule, b rounds.Bounds) error {
	if err := Assumed(s, b); err != nil || len(b.Reliable) == 0 {
		return err
	}
	return spares(s, b)
}

// KeptOfSystem returns an error if a kept schedule of a system contradicts the
// assumptions of b, so that it has no bearing on a search within b. Whether the
// schedule fits the system is checked where it is executed.
func KeptOfSystem(s rounds.Schedule, b rounds.Bounds) error {
	if s.Check(b) != nil {
		return nil
	}
	if err := AssumedOfSystem(s, b); err != nil {
		return fmt.Errorf("it lies outside the bounds: %w", errors.Unwrap(err))
	}
	return nil
}

// spares reports that a schedule loses other messages than its faults do by the
// bounds.
func spares(s rounds.Schedule, b rounds.Bounds) error {
	i := slices.IndexFunc(s.Faults, func(f rounds.Fault) bool { return f.Kind == rounds.Isolate || f.Kind == rounds.Partition })
	if i < 0 {
		return nil
	}
	said, err := syntax.Links(b.Processes, syntax.SplitLinks(s.Settings.Reliable))
	if err != nil {
		return wrong("reliable %s: %w", s.Settings.Reliable, err)
	}
	assumed, err := syntax.Links(b.Processes, b.Reliable)
	switch reliable := syntax.LinksText(b.Reliable); {
	case err != nil || said.Equal(assumed):
		return err
	case len(b.Reliable) == 0:
		return wrong("reliable %s: the bounds have no reliable links", s.Settings.Reliable)
	case s.Settings.Reliable == "":
		return wrong("%s: it also loses messages on %s, but the bounds say that these are reliable: write reliable %s; %s", s.Faults[i], reliable, reliable, s.Faults[i])
	default:
		return wrong("reliable %s: the bounds have reliable=%s", s.Settings.Reliable, reliable)
	}
}

// assumed are the links on which nothing is lost in the execution of a schedule.
type assumed struct {
	links    syntax.LinkSet
	patterns []string // the patterns of the links
	setting  string   // the setting of the schedule, which is among the patterns
	made     bool
}

// of returns the assumptions for a schedule, which may be a. It returns an error if a fault
// contradicts them, or is a crash of a process that never crashes.
func (a assumed) of(s rounds.Schedule, b rounds.Bounds) (assumed, error) {
	if setting := s.Settings.Reliable; !a.made || setting != a.setting {
		patterns := slices.Concat(b.Reliable, syntax.SplitLinks(setting))
		slices.Sort(patterns)
		patterns = slices.Compact(patterns)
		set, err := syntax.Links(b.Processes, patterns)
		if err != nil {
			return a, wrong("reliable %s: %w", setting, err)
		}
		a = assumed{set, patterns, setting, true}
	}
	if a.links.Empty() && len(b.NeverCrash) == 0 {
		return a, nil
	}
	for _, f := range s.Faults {
		if err := a.check(f, b); err != nil {
			return a, wrong("%s: %w", f, err)
		}
	}
	return a, nil
}

// check returns an error if a fault contradicts the assumptions.
func (a *assumed) check(f rounds.Fault, b rounds.Bounds) error {
	process, to := slices.Index(b.Processes, f.Process), slices.Index(b.Processes, f.To)
	switch {
	case (f.Kind == rounds.Crash || f.Kind == rounds.Terminate) && !CanCrash(b, f.Process):
		return fmt.Errorf("%s never crashes (never-crash=%s)", f.Process, strings.Join(b.NeverCrash, ","))
	case (f.Kind == rounds.Omit || f.Kind == rounds.Cut) && a.links.Has(process, to):
		return fmt.Errorf("what %s sends %s cannot be lost: %s is reliable", f.Process, f.To, syntax.LinksMeant(a.patterns, f.Process, f.To))
	case (f.Kind == rounds.Delay || f.Kind == rounds.Duplicate) && a.links.Has(process, to):
		return fmt.Errorf("what %s sends %s comes at once, and once: %s is reliable", f.Process, f.To, syntax.LinksMeant(a.patterns, f.Process, f.To))
	case f.Kind == rounds.Isolate && a.links.Around(process):
		return fmt.Errorf("nothing that %s sends or is sent can be lost: reliable are %s", f.Process, text.List(a.patterns, "and"))
	case f.Kind == rounds.Partition && a.joins(sidesIn(f.Detail, indexOf(b.Processes))):
		return fmt.Errorf("nothing between its sides can be lost: reliable are %s", text.List(a.patterns, "and"))
	default:
		return nil
	}
}

// joins tells whether no message between two sides is lost.
func (a *assumed) joins(sides []bool) bool {
	for from := range sides {
		for to := range sides {
			if sides[from] != sides[to] && !a.links.Has(from, to) {
				return false
			}
		}
	}
	return true
}

// Excluded returns a sentence if the assumptions of b exclude all faults that the
// budgets allow, and "" otherwise.
func Excluded(b rounds.Bounds) string {
	free := b
	free.NeverCrash, free.Reliable, free.Deliver, free.Kernel = nil, nil, "", ""
	strikes := func(b rounds.Bounds) bool { u := New(b); return u.Len() > u.Choices() }
	if strikes(b) && !onlyEmpty(b) || !strikes(free) {
		return ""
	}
	var says []string
	if len(b.NeverCrash) > 0 {
		says = append(says, "never-crash="+strings.Join(b.NeverCrash, ","))
	}
	if len(b.Reliable) > 0 {
		says = append(says, "reliable="+strings.Join(b.Reliable, ","))
	}
	if b.Deliver != "" {
		says = append(says, "deliver="+b.Deliver)
	}
	if b.Kernel != "" {
		says = append(says, "kernel="+b.Kernel)
	}
	return fmt.Sprintf("the assumptions leave no fault (%s), so ldfi asks only about the execution without faults", strings.Join(says, ", "))
}

// onlyEmpty tells whether only the schedule without faults satisfies the assumptions of the
// bounds about each round.
func onlyEmpty(b rounds.Bounds) bool {
	b.Choose, b.Choices = nil, 0 // which are no faults
	if networkOf(b) == nil {
		return false
	}
	u := New(b)
	for s := range u.AtMost(1) {
		if s.Size() > 0 {
			return false
		}
	}
	return u.Exact() && u.Count().Cmp(big.NewInt(1)) == 0
}
