package universe

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/links"
	"github.com/lineage-driven/ldfi/internal/plural"
	"github.com/lineage-driven/ldfi/rounds"
)

// Assumed reports a fault that cannot be by the assumptions of the bounds, or by
// the setting reliable of its schedule.
func Assumed(s rounds.Schedule, b rounds.Bounds) error {
	_, err := assumed{}.of(s, b)
	return err
}

// assumed are the links on which nothing is lost in the execution of a schedule.
type assumed struct {
	links    links.Set
	patterns []string // that they were made of
	setting  string   // the setting of the schedule, which is among these
	made     bool
}

// of returns those of a schedule, which may be the ones that are there already. It
// is an error if a fault contradicts them, or is a crash of who never crashes.
func (a assumed) of(s rounds.Schedule, b rounds.Bounds) (assumed, error) {
	if setting := s.Settings.Reliable; !a.made || setting != a.setting {
		patterns := slices.Concat(b.Reliable, links.Split(setting))
		slices.Sort(patterns)
		patterns = slices.Compact(patterns)
		set, err := links.Of(b.Processes, patterns)
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

// check reports what contradicts a fault.
func (a *assumed) check(f rounds.Fault, b rounds.Bounds) error {
	process, to := slices.Index(b.Processes, f.Process), slices.Index(b.Processes, f.To)
	switch {
	case f.Kind == rounds.Crash && slices.Contains(b.NeverCrash, f.Process):
		return fmt.Errorf("%s never crashes (never-crash=%s)", f.Process, strings.Join(b.NeverCrash, ","))
	case f.Kind == rounds.Omit && a.links.Has(process, to):
		return fmt.Errorf("what %s sends %s cannot be lost: %s is reliable", f.Process, f.To, links.Meaning(a.patterns, f.Process, f.To))
	case f.Kind == rounds.Isolate && a.links.Around(process):
		return fmt.Errorf("nothing that %s sends or is sent can be lost: reliable are %s", f.Process, plural.List(a.patterns, "and"))
	default:
		return nil
	}
}
