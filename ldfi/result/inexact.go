package result

import (
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
)

// RepeatedExecutions is how often a schedule is executed to see how often it breaks.
const RepeatedExecutions = 20

// Repeats is how many of some executions of one schedule broke the promise. The one
// in which a search came upon it is none of them.
type Repeats struct {
	Broken     int    `json:"broken"`     // as was found, or as the first of them did
	Otherwise  int    `json:"otherwise"`  // in another way only
	Executions int    `json:"executions"` // altogether
	Why        string `json:"why"`        // executions of the schedule may differ, a phrase

	// Needed is in how many executions a smaller schedule had to break to be taken
	// instead: without any one of the faults it was fewer. 0: none was looked for, or
	// not to the end.
	Needed int `json:"needed,omitempty"`
}

// All tells whether every execution broke.
func (c *Repeats) All() bool { return c.Executions > 0 && c.Broken == c.Executions }

// Found says how often a schedule breaks that was seen to break once in a search, a
// phrase.
func (c *Repeats) Found() string {
	switch {
	case c.Executions == 0:
		return "was seen to break once, with no time to execute it again" + c.advice()
	case c.Broken == 0:
		return fmt.Sprintf("was seen to break once, and in 0 of %s of this schedule since%s%s", text.Plural(c.Executions, "execution"), c.others(), c.advice())
	default:
		return c.Replayed()
	}
}

// Replayed says how often a schedule breaks that was given, a phrase.
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

// advice is what makes executions equal, else why they may differ.
func (c *Repeats) advice() string { return InexactAdvice(c.Why) }

// InexactAdvice follows a phrase about executions that may differ, for that reason: what
// makes them equal, where that is known.
func InexactAdvice(why string) string {
	if NeedsOverlay(why) {
		return "; `ldfi overlay` makes it exact"
	}
	return ": executions may differ, because " + why
}

// NeedsOverlay tells whether executions may differ because the program was built without it.
func NeedsOverlay(why string) bool {
	return strings.HasSuffix(why, "overlay") // a message that is quoted in why may name it, too
}

// Size says how small the schedule is, of so many faults, a phrase.
func (c *Repeats) Size(faults int) string {
	without := "without any one of them"
	if faults == 1 {
		without = "without it"
	}
	if c.Needed == 0 {
		return "perhaps not minimal"
	}
	if c.Needed == 1 {
		return without + fmt.Sprintf(" none of %d executions breaks", RepeatedExecutions)
	}
	return without + fmt.Sprintf(" fewer than %d of %d executions break", c.Needed, RepeatedExecutions)
}

// InexactUnseen says what it means that nothing was found where executions of one schedule may
// differ, for that reason, a phrase.
func InexactUnseen(why string) string {
	return "executions of one schedule may differ, so that one that was executed may still break a property" + InexactAdvice(why)
}
