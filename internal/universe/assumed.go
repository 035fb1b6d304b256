package universe

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/links"
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
	links   links.Set
	setting string // the setting of the schedule that they were made with
	made    bool
}

// of returns those of a schedule, which may be the ones that are there already. It
// is an error if a fault contradicts them, or is a crash of who never crashes.
func (a assumed) of(s rounds.Schedule, b rounds.Bounds) (assumed, error) {
	if setting := s.Settings.Reliable; !a.made || setting != a.setting {
		patterns := slices.Concat(b.Reliable, links.Split(setting))
		slices.Sort(patterns)
		set, err := links.Of(b.Processes, slices.Compact(patterns))
		if err != nil {
			return a, wrong("reliable %s: %w", setting, err)
		}
		a = assumed{set, setting, true}
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
		return fmt.Errorf("what %s sends %s is not lost (%s)", f.Process, f.To, a.says(b))
	case f.Kind == rounds.Isolate && a.links.Around(process):
		return fmt.Errorf("nothing that %s sends or is sent is lost (%s)", f.Process, a.says(b))
	default:
		return nil
	}
}

// says is what says that links are reliable.
func (a *assumed) says(b rounds.Bounds) string {
	if a.setting != "" {
		return "reliable " + a.setting
	}
	return "reliable=" + strings.Join(b.Reliable, ",")
}
