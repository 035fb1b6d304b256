package suite

import (
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/ldfi"
)

// judge compares a result with what is expected. stopped says that the run was
// ended before the case was: then nothing counts as expected that is not
// decided.
func (c *CaseResult) judge(stopped bool) {
	if c.Error != "" {
		c.Outcome, c.Differs = Error, c.Error
		return
	}
	c.Outcome, c.Differs = c.verdict(stopped)
	for i := range c.Kept {
		k := &c.Kept[i]
		k.Expected = k.Outcome == string(ldfi.Holds) || k.Outcome == string(ldfi.Violated) && c.Expect == ldfi.Violated
		switch {
		case k.Expected:
		case strings.HasPrefix(k.Outcome, "not run"):
			c.differ(Inconclusive, fmt.Sprintf("the schedule in %s was %s", k.File, k.Outcome))
		case k.Outcome == string(ldfi.Violated):
			c.differ(Fail, fmt.Sprintf("the schedule in %s breaks the promise", k.File))
		default:
			c.differ(Fail, fmt.Sprintf("the schedule in %s %s; delete the file if the change was made on purpose", k.File, k.Outcome))
		}
	}
}

// differ adds a difference; a failure is worse than being inconclusive.
func (c *CaseResult) differ(o Outcome, text string) {
	if c.Outcome != Fail {
		c.Outcome = o
	}
	if c.Differs != "" {
		text = c.Differs + "; " + text
	}
	c.Differs = text
}

// verdict compares the verdict and the number of faults.
func (c *CaseResult) verdict(stopped bool) (Outcome, string) {
	a := c.Answer
	switch {
	case a.Verdict == ldfi.Inconclusive && (c.Expect != ldfi.Inconclusive || stopped):
		return Inconclusive, fmt.Sprintf("inconclusive, and %s: %s", expected(c.Expect), a.Reason)
	case a.Verdict != c.Expect:
		text := fmt.Sprintf("%s, and %s", a.Verdict, expected(c.Expect))
		if a.Verdict == ldfi.Violated {
			text += ": " + sentence(a.Violations[0])
		}
		return Fail, text
	case c.ExpectFaults == nil, a.Size == *c.ExpectFaults && (a.Minimal || !stopped):
		return Pass, ""
	case a.Size == *c.ExpectFaults:
		return Inconclusive, fmt.Sprintf("broken by %s, as expected: there was no time to look for fewer", plural(a.Size, "fault"))
	case a.Size > *c.ExpectFaults && stopped:
		return Inconclusive, fmt.Sprintf("broken by %s, and expected to be broken by %d: there was no time to look for fewer", plural(a.Size, "fault"), *c.ExpectFaults)
	case a.Size > *c.ExpectFaults:
		return Fail, fmt.Sprintf("broken by %s, and expected to be broken by %d", plural(a.Size, "fault"), *c.ExpectFaults)
	default:
		return Fail, fmt.Sprintf("broken by %s, and expected to be broken by no fewer than %d", plural(a.Size, "fault"), *c.ExpectFaults)
	}
}

func expected(v ldfi.Verdict) string {
	if v == ldfi.Holds {
		return "expected to hold"
	}
	return "expected to be " + string(v)
}

// sentence says what is violated, with the name of the property unless the text
// begins with it.
func sentence(v subject.Violation) string {
	if strings.HasPrefix(v.Text, v.Property+"(") {
		return v.Text
	}
	return v.Property + ": " + v.Text
}
