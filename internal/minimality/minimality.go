// Package minimality has the words in which every output says how small a
// counterexample is, and compared with what.
package minimality

import (
	"fmt"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// What a minimal counterexample has the fewest faults of; see
// result.Counterexample.Among.
const (
	Bounds      = "the schedules within the bounds"
	Assumptions = "the schedules within the bounds that meet the assumptions"
	Settings    = "the schedules within the bounds with the same seed and ticks"
)

// Text says how many faults a counterexample has, and whether fewer could do.
func Text(c *result.Counterexample) string {
	switch {
	case c.Size == 0 && c.Repeats != nil:
		return "without faults it " + c.Repeats.Found()
	case c.Size == 0 && c.Schedule.Choices() > 0:
		return "it fails without faults, by what is chosen"
	case c.Size == 0:
		return "it fails without faults"
	case c.Repeats != nil:
		return fmt.Sprintf("%s, %s; %s", text.Plural(c.Size, "fault"), c.Repeats.Size(c.Size), c.Repeats.Found())
	}
	return text.Plural(c.Size, "fault") + ", " + word(c)
}

// Unneeded says without which of its faults a counterexample breaks the promise as
// well.
func Unneeded(c *result.Counterexample) string {
	return fmt.Sprintf("breaks without %s as well", c.Unneeded)
}

// word says whether fewer faults could do.
func word(c *result.Counterexample) string {
	switch {
	case len(c.Unneeded.Faults) > 0:
		return Unneeded(c)
	case c.Minimal && c.Among == Bounds:
		return "minimal"
	case c.Minimal && c.Among == Settings && c.Schedule.Settings.Goroutines.Given:
		return "minimal for its seed, ticks and order of goroutines"
	case c.Minimal && c.Among == Settings:
		return "minimal for its seed and ticks"
	case c.Minimal:
		return "minimal among " + c.Among
	case c.Irreducible:
		return "none can be left out"
	default:
		return "perhaps not minimal"
	}
}
