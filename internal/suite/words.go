package suite

import (
	"fmt"
	"math"
	"math/big"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/diagram"
)

// The words of the outputs for people and for continuous integration. Names, facts and
// messages come from the programs that are checked, so every output must be able to show
// any text.

// verdictText is the verdict of the case, or "error".
func (c *CaseResult) verdictText() string {
	if c.Answer == nil {
		return "error"
	}
	return string(c.Answer.Verdict)
}

// headline is one sentence, without its full stop, about the result of the case.
func (c *CaseResult) headline() string {
	switch {
	case c.Differs != "":
		return c.Differs
	case c.Error != "":
		return c.Error
	case c.Answer == nil:
		return "there is no answer"
	case c.Expect == Reached && c.Outcome == Pass:
		return c.came() + ", as expected"
	case c.Answer.Verdict == result.Inconclusive:
		return c.reason()
	default:
		return fmt.Sprintf("%s%s, as expected", c.Answer.Verdict, c.ever())
	}
}

// reason says why the answer is inconclusive, and how much was searched.
func (c *CaseResult) reason() string { return c.reasonWith(ofSuite) }

// reasonWith is the reason with advice in some terms.
func (c *CaseResult) reasonWith(terms func(string) string) string {
	text := answertext.Reason(c.Answer)
	if s := c.Answer.Search; text != "" && s != nil && s.Guarantee != "" {
		text += "; " + s.Guarantee
	}
	if l := c.Answer.Limit; text != "" && c.Answer.Search != nil && len(l.Advice) > 0 {
		text += "; try " + terms(strings.Join(l.Advice, "; or "))
	}
	return text
}

// ofSuite writes advice in terms of a suite.
func ofSuite(text string) string {
	return search.Advice(text, "strategy: $1, executions: $2", "bounds: {crashes: $1, restarts: $2}", "bounds: {eot: $1}")
}

// ever says that a promise holds for any number of rounds, if it does.
func (c *CaseResult) ever() string {
	switch {
	case c.Answer == nil || c.Answer.Rounds == nil || c.Answer.Verdict != result.Holds:
		return ""
	case c.Answer.Rounds.Within != nil:
		return fmt.Sprintf(" from %s after the last fault on", text.Plural(c.Answer.Rounds.Within.Rounds, "round"))
	}
	return " for any number of rounds"
}

// span says of which rounds something is expected, "" if of those of the bounds.
func (c *CaseResult) span() string {
	number, within := strings.CutPrefix(c.Rounds, "within ")
	switch {
	case c.Rounds == "any":
		return " for any number of rounds"
	case within && number == "least":
		return " from some round after the last fault on"
	case within && number == "1":
		return " from 1 round after the last fault on"
	case within:
		return fmt.Sprintf(" from %s rounds after the last fault on", number)
	}
	return ""
}

// bounds are those that the case is about.
func (c *CaseResult) bounds() string {
	if c.Rounds != "" {
		return "any number of rounds"
	}
	return c.Answer.Scope.Bounds.String()
}

// ofRounds says what is known about any number of rounds, "" if that was not asked.
func (c *CaseResult) ofRounds() string {
	if c.Answer == nil || c.Answer.Rounds == nil {
		return ""
	}
	switch u := c.Answer.Rounds; {
	case u.Verdict == result.Violated && u.Within != nil && u.Within.Never != nil:
		return fmt.Sprintf("the last fault is over in round %d, and post is missing for ever", u.Within.Begins)
	case u.Verdict == result.Violated && u.Within != nil && u.Within.Begins > 0:
		return fmt.Sprintf("the last fault is over in round %d, and post is missing in round %d", u.Within.Begins, u.Round)
	case u.Verdict == result.Holds:
		return fmt.Sprintf("%s over %s prove it for any number of rounds", text.Plural(u.Clauses, "clause"), text.Plural(u.State, "fact"))
	case u.Verdict == result.Violated:
		return u.Breaks()
	case u.Depth > 0:
		return fmt.Sprintf("the promise holds in the first %s", text.Plural(u.Depth, "round"))
	default:
		return ""
	}
}

// looked describes briefly the extent of a search that found nothing, and proves nothing;
// or that what it proves is about any number of rounds; "" for other answers.
func (c *CaseResult) looked() string {
	a := c.Answer
	if c.ever() != "" {
		return "none" + c.ever()
	}
	if a != nil && a.Rounds != nil && a.Rounds.Depth > 0 {
		return "none in the first " + text.Plural(a.Rounds.Depth, "round")
	}
	if a == nil || a.Search == nil || a.Verdict != result.Inconclusive || a.Search.Executions == 0 {
		return ""
	}
	s := "none in 1 execution"
	if a.Search.Executions > 1 {
		s = fmt.Sprintf("none in %s executions", text.Number(big.NewInt(int64(a.Search.Executions)), 9))
	}
	if a.Search.Drawn > 0 {
		s += ", any drawn with " + chance(a.Search.Drawn)
	}
	return s
}

// chance writes a probability, rounded down.
func chance(p float64) string {
	if percent := math.Floor(1000*p) / 10; percent >= 0.1 {
		return fmt.Sprintf("%g %%", percent)
	}
	return "less than 0.1 %"
}

// broken is the counterexample that the answer has, nil if nothing is violated.
func (c *CaseResult) broken() *result.Counterexample {
	if c.Answer == nil {
		return nil
	}
	return c.Answer.First()
}

// conflict is the table of the requests in conflict, empty without one.
func (c *CaseResult) conflict() []string {
	for _, v := range c.properties() {
		if len(v.Conflict) > 0 {
			return v.Conflict
		}
	}
	return nil
}

// properties are the violations of the answer, the first of each property.
func (c *CaseResult) properties() []result.Violation {
	var list []result.Violation
	seen := map[string]bool{}
	if broken := c.broken(); broken != nil {
		for _, v := range broken.Violations {
			if !seen[v.Property] {
				seen[v.Property] = true
				list = append(list, v)
			}
		}
	}
	return list
}

// violations are sentences about the violations that the headline does not have, one for
// each property.
func (c *CaseResult) violations() []string {
	properties := c.properties()
	if len(properties) == 0 {
		return nil
	}
	count := map[string]int{}
	for _, v := range c.broken().Violations {
		count[v.Property]++
	}
	var list []string
	for _, v := range properties {
		switch more := count[v.Property] - 1; {
		case more > 0:
			list = append(list, fmt.Sprintf("%s, and %d more of %s", v.Text, more, v.Property))
		case !c.told(v):
			list = append(list, v.Text)
		}
	}
	return list
}

// told tells whether the sentence about the difference is about a violation: it
// has the first, where none is expected.
func (c *CaseResult) told(v result.Violation) bool {
	first := c.broken().Violations[0]
	return c.Outcome == Fail && c.Expect != result.Violated && v.Property == first.Property && v.Text == first.Text
}

// warnings are the warnings about a case that has an answer, one a line.
func (c *CaseResult) warnings() []string {
	if c.Answer == nil {
		return nil
	}
	a := *c.Answer
	if c.vacuous() { // the case allows it, or differs because of it
		a.Vacuity = ""
	}
	texts := append(answertext.Warnings(&a), c.guided()...)
	for i := range texts {
		texts[i] = ofSuite(texts[i])
	}
	return append(texts, c.held()...)
}

// guided are warnings about the guide, without the one that the case differs by.
func (c *CaseResult) guided() (texts []string) {
	g := c.Answer.Guidance
	if g == nil {
		return nil
	}
	for _, w := range slices.Concat(g.Findings, g.Vacuous) {
		if text := fmt.Sprintf("%s: %s", w.Position, w.Message); !strings.Contains(c.Differs, text) {
			texts = append(texts, text)
		}
	}
	return texts
}

// held lists kept schedules that broke nothing in all their executions, if executions may
// differ: this is no proof.
func (c *CaseResult) held() []string {
	var texts []string
	for i := range c.Kept {
		if k := &c.Kept[i]; k.Repeats != nil && k.Repeats.Broken == 0 {
			texts = append(texts, fmt.Sprintf("the schedule in %s %s", k.File, k.Repeats.Replayed()))
		}
	}
	return texts
}

// scopeText describes the scope of the verdict, "" if it is not known.
func scopeText(a *result.Answer) string {
	if a.Scope.Scenarios == nil || len(a.Scope.Bounds.Processes) == 0 {
		return ""
	}
	text := a.Scope.Text
	if a.Complete && a.Verdict == result.Holds && a.Rounds == nil {
		text += ", all decided" + search.SettledOn(a)
	}
	return text
}

// diagramOf returns the options for drawing the execution of a counterexample: the
// violation is noted in its round, if it has one. Properties of systems are about whole
// executions.
func diagramOf(c *result.Counterexample) diagram.Options {
	var notes []diagram.Note
	for _, v := range c.Violations {
		if v.Fact.Round > 0 {
			notes = append(notes, diagram.Note{Round: v.Fact.Round, Text: v.Text})
		}
	}
	return diagram.Options{Notes: notes}
}

// elapsed is the time that the answer took, 0 if it was there before.
func (c *CaseResult) elapsed() time.Duration {
	if c.Answer == nil || c.Cached {
		return 0
	}
	return time.Duration(c.Answer.Stats.Times.Total * float64(time.Millisecond))
}

// title names the suite, and its part that was run.
func (r *Report) title() string {
	if r.Shard == "" {
		return filepath.ToSlash(r.Suite)
	}
	return fmt.Sprintf("%s, part %s", filepath.ToSlash(r.Suite), r.Shard)
}

// summary counts the outcomes in words.
func (r *Report) summary() string {
	parts := []string{text.Plural(len(r.Cases), "case")}
	for _, o := range []struct {
		outcome Outcome
		text    string
	}{{Pass, "as expected"}, {Fail, "not as expected"}, {Inconclusive, "inconclusive"}, {Error, "could not be asked"}} {
		if n := r.Count(o.outcome); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, o.text))
		}
	}
	return strings.Join(parts, ", ")
}

// oneLine returns a text of any lines as one printable line.
func oneLine(s string) string { return text.Safe(ends.Replace(s)) }

var ends = strings.NewReplacer("\r\n", " ", "\n", " ", "\t", " ")
