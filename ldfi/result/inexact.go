package result

import (
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
)

// RepeatedExecutions is how often a schedule is executed to count how often it breaks
// the promise.
const RepeatedExecutions = 20

// Repeats counts how many of several executions of one schedule broke the promise. The
// execution in which a search found the schedule does not count.
type Repeats struct {
	Broken     int    `json:"broken"`     // the number that broke the promise as found by the search, or as the first of them did
	Otherwise  int    `json:"otherwise"`  // the number that broke it only in another way
	Executions int    `json:"executions"` // altogether
	Why        string `json:"why"`        // the reason why executions of the schedule may differ, a phrase

	// Needed is the number of executions in which a smaller schedule had to break the
	// promise to replace this one: without any one of the faults it was fewer. 0: no
	// smaller schedule was searched for, or not to the end.
	Needed int `json:"needed,omitempty"`
}

// All tells whether every execution broke the promise.
func (c *Repeats) All() bool { return c.Executions > 0 && c.Broken == c.Executions }

// Found returns a phrase for a schedule that a search found: how often it breaks the
// promise.
func (c *Repeats) Found() string {
	switch {
	case c.Executions == 0:
		return "broke once in the search, with no time to execute it again" + c.advice()
	case c.Broken == 0:
		return fmt.Sprintf("broke once in the search, and in none of %s of this schedule after it%s%s", text.Plural(c.Executions, "execution"), c.others(), c.advice())
	default:
		return c.Replayed()
	}
}

// Replayed returns a phrase for a schedule that was given: how often it breaks the
// promise.
func (c *Repeats) Replayed() string {
	executions := text.Plural(c.Executions, "execution")
	if c.Broken == 0 {
		return fmt.Sprintf("holds in %d of %s of this schedule%s", c.Executions, executions, c.advice())
	}
	return fmt.Sprintf("breaks in %d of %s of this schedule%s%s", c.Broken, executions, c.others(), c.advice())
}

func (c *Repeats) others() string {
	if c.Otherwise == 0 {
		return ""
	}
	return fmt.Sprintf(" (and in %d in another way)", c.Otherwise)
}

// advice says how to make executions equal, or else why they may differ.
func (c *Repeats) advice() string { return InexactAdvice(c.Why) }

// InexactAdvice returns text to append to a phrase about executions that may differ for
// the reason why: how to make them equal, "" where that is not known.
func InexactAdvice(why string) string {
	if NeedsOverlay(why) {
		return "; `ldfi test` or `ldfi overlay` makes it exact"
	}
	return ": executions may differ, because " + why
}

// NeedsOverlay tells whether why is the reason that the program was built without the
// overlay of the standard library (ldfi overlay).
func NeedsOverlay(why string) bool {
	return strings.HasSuffix(why, "overlay") // a message that is quoted in why may name it, too
}

// Size returns a phrase that says how small the schedule is; faults is its number of
// faults.
func (c *Repeats) Size(faults int) string {
	without := "all needed: without any one of them,"
	if faults == 1 {
		without = "needed: without it,"
	}
	if c.Needed == 0 {
		return "perhaps not minimal"
	}
	if c.Needed == 1 {
		return without + fmt.Sprintf(" none of %d executions breaks", RepeatedExecutions)
	}
	return without + fmt.Sprintf(" fewer than %d of %d executions break", c.Needed, RepeatedExecutions)
}

// InexactUnseen returns a phrase about a search without a violation, if executions of one
// schedule may differ for the reason why.
func InexactUnseen(why string) string {
	return "two executions of one schedule may differ: a schedule that broke nothing here may break a property next time" + InexactAdvice(why)
}
