package suite

import (
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// judge compares a result with the expectation. stopped says that the run ended before the
// case did: then nothing that is undecided counts as expected.
func (c *CaseResult) judge(stopped bool) {
	if c.Error != "" {
		c.Outcome, c.Differs = Error, c.Error
		return
	}
	c.Outcome, c.Differs = c.verdict(stopped)
	for i := range c.Kept {
		k := &c.Kept[i]
		verdict := result.Verdict(k.Outcome)
		k.Expected = !k.Known && verdict == result.Holds || verdict == result.Violated && (k.Known || c.Expect == result.Violated)
		switch {
		case k.Expected:
		case k.Known && verdict == result.Holds:
			c.differ(Fail, fmt.Sprintf("the known schedule in %s %s: take it out of known", k.File, k.text()))
		case k.Outcome == NotRun:
			c.differ(Inconclusive, fmt.Sprintf("the schedule in %s was %s", k.File, k.text()))
		case verdict == result.Violated:
			c.differ(Fail, fmt.Sprintf("the schedule in %s %s", k.File, k.breaks()))
		default:
			c.differ(Fail, fmt.Sprintf("the schedule in %s %s; delete the file if the change was made on purpose", k.File, k.text()))
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
	case c.Expect == Reached && a.Verdict != result.Violated:
		return c.target(stopped)
	case a.Verdict == result.Inconclusive && c.Expect == result.Inconclusive && stopped:
		return Inconclusive, fmt.Sprintf("inconclusive, as expected, but this case did not come to its end: %s", c.reason())
	case a.Verdict == result.Inconclusive && c.Expect != result.Inconclusive:
		text := fmt.Sprintf("inconclusive, and %s: %s", c.expected(), c.reason())
		if never := c.never(); never != "" && !c.cut(stopped) {
			return Fail, text + "; the guide is vacuous: " + never
		}
		return Inconclusive, text
	case a.Verdict != c.Expect:
		text := fmt.Sprintf("%s, and %s", a.Verdict, c.expected())
		if a.Verdict == result.Violated {
			text += ": " + a.First().Violations[0].String()
		}
		return Fail, text
	case a.Verdict != result.Violated:
		return c.vacuity()
	case c.ExpectFaults != nil:
		if outcome, differs := c.size(stopped); outcome != Pass {
			return outcome, differs
		}
	}
	return c.idle()
}

// target compares in how many executions the target of the guide was reached.
func (c *CaseResult) target(stopped bool) (Outcome, string) {
	g := c.Answer.Guidance
	switch {
	case g == nil || g.Target == nil || g.Executions == g.Prevented || c.cut(stopped) && !g.Missed():
		return Inconclusive, fmt.Sprintf("inconclusive, and %s: %s", c.expected(), c.reason())
	case g.Missed():
		text := g.Of() + ", and expected in every one"
		if len(g.Nearest) > 0 {
			text += ": " + strings.Join(g.Nearest, "; ")
		}
		return Fail, text
	}
	return c.vacuity()
}

// cut tells whether the search did not come to its end.
func (c *CaseResult) cut(stopped bool) bool {
	return stopped || c.Answer.Limit != nil && c.Answer.Limit.Kind != result.LimitExecutions
}

// idle compares whether something in the guide never came about.
func (c *CaseResult) idle() (Outcome, string) {
	if never := c.never(); never != "" {
		return Fail, fmt.Sprintf("%s, as expected, but the guide is vacuous: %s", c.came(), never)
	}
	return Pass, ""
}

// never says what in the guide never came about, "" if all did.
func (c *CaseResult) never() string {
	g := c.Answer.Guidance
	if g == nil || len(g.Vacuous) == 0 {
		return ""
	}
	text := fmt.Sprintf("%s: %s", g.Vacuous[0].Position, g.Vacuous[0].Message)
	if more := len(g.Vacuous) - 1; more > 0 {
		text += fmt.Sprintf(", and %d more", more)
	}
	return text + "; if that is meant, the rule ends with # may never"
}

// came is what came out, as the case expects it.
func (c *CaseResult) came() string {
	if c.Expect == Reached {
		return c.Answer.Guidance.Of()
	}
	return string(c.Answer.Verdict)
}

// vacuity compares whether the promise asks for anything. One that is violated does.
func (c *CaseResult) vacuity() (Outcome, string) {
	switch a := c.Answer; {
	case c.vacuous() == c.ExpectVacuous:
		return c.idle()
	case c.ExpectVacuous:
		return Fail, fmt.Sprintf("%s, as expected, and the promise asks for something: take vacuous: yes out of the case", c.came())
	default:
		return Fail, fmt.Sprintf("%s, as expected, but the promise is vacuous: %s; if that is meant, the case says vacuous: yes", c.came(), a.Vacuity)
	}
}

// vacuous tells whether nothing is violated because the promise asks for nothing.
func (c *CaseResult) vacuous() bool {
	return c.Answer != nil && c.Answer.Verdict != result.Violated && c.Answer.Vacuity != ""
}

// size compares the number of faults of a case that is violated, as expected.
func (c *CaseResult) size(stopped bool) (Outcome, string) {
	a, want := c.Answer.First(), *c.ExpectFaults
	broken := "broken by " + text.Plural(a.Size, "fault")
	switch {
	case a.Size == want && (a.Minimal || !stopped):
		return Pass, ""
	case a.Size == want:
		return Inconclusive, broken + ", as expected: there was no time to look for fewer"
	case a.Size < want:
		return Fail, fmt.Sprintf("%s, and expected to be broken by no fewer than %d", broken, want)
	case stopped:
		return Inconclusive, fmt.Sprintf("%s, and expected to be broken by %d: there was no time to look for fewer", broken, want)
	default:
		return Fail, fmt.Sprintf("%s, and expected to be broken by %d", broken, want)
	}
}

func (c *CaseResult) expected() string {
	text := "expected to be " + string(c.Expect)
	if c.Expect == result.Holds {
		text = "expected to hold"
	}
	if c.Expect == result.Holds {
		text += c.span()
	}
	return text
}
