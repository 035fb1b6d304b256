package result

import (
	"fmt"

	"github.com/lineage-driven/ldfi/internal/text"
)

// The schedules among which a minimal counterexample has the fewest faults; see
// Counterexample.Among.
const (
	AmongBounds      = "the schedules within the bounds"
	AmongAssumptions = "the schedules within the bounds that meet the assumptions"
	AmongWaypoints   = "the schedules within the bounds that reach the waypoints"
	AmongSettings    = "the schedules within the bounds with the same seed and ticks"
	AmongGuided      = "the schedules within the bounds, without what the guide decides"
)

// Minimality returns text: the number of faults, and whether fewer could break the
// promise.
func (c *Counterexample) Minimality() string {
	switch {
	case c.Size == 0 && c.Repeats != nil:
		return "without faults it " + c.Repeats.Found()
	case c.Size == 0 && c.Schedule.Choices() > 0:
		return "it fails without faults, with these choices"
	case c.Size == 0:
		return "it fails without faults"
	case c.Repeats != nil:
		return fmt.Sprintf("%s, %s; %s", text.Plural(c.Size, "fault"), c.Repeats.Size(c.Size), c.Repeats.Found())
	}
	return text.Plural(c.Size, "fault") + ", " + c.fewerCouldDo()
}

// fewerCouldDo says whether fewer faults could do.
func (c *Counterexample) fewerCouldDo() string {
	switch {
	case len(c.Unneeded.Faults) > 0:
		return fmt.Sprintf("also breaks without %s", c.Unneeded)
	case c.Minimal && c.Among == AmongBounds:
		return "minimal"
	case c.Minimal && c.Among == AmongGuided:
		return "minimal beside what the guide decides"
	case c.Minimal && c.Among == AmongSettings && c.Schedule.Settings.Goroutines.Given:
		return "minimal with this seed and order of goroutines"
	case c.Minimal && c.Among == AmongSettings:
		return "minimal with this seed"
	case c.Minimal:
		return "minimal among " + c.Among
	case c.Beside != nil && c.Beside.Size() == 0:
		return "all decided by the guide"
	case c.Beside != nil && c.Beside.Size() < c.Size:
		return fmt.Sprintf("%d beside those that the guide decided", c.Beside.Size())
	case c.Irreducible:
		return "none can be left out"
	default:
		return "perhaps not minimal"
	}
}
