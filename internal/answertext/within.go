package answertext

import (
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// aboutWithin is the heading of an answer about the rounds after the quiet begins; "" if it is not one, or is about another
// promise.
func aboutWithin(a *result.Answer) string {
	if a.Rounds == nil || a.Rounds.Within == nil {
		return ""
	}
	w := a.Rounds.Within
	switch {
	case a.Verdict == result.Holds:
		ever := ""
		if w.Violation {
			ever = "; and there is never a violation"
		}
		return fmt.Sprintf("pre implies post from %s on, for any number of rounds and faults before%s", afterQuiet(w.Rounds), ever)
	case w.Never != nil:
		after := "without faults"
		if s := a.First().Schedule.String(); s != "" {
			after = "after " + s
		}
		return fmt.Sprintf("after no number of rounds: %s %s, and %s", after, repeats(w.Never), lacks(w.Never.Missing))
	}
	return ""
}

// afterQuiet is a round after the quiet begins.
func afterQuiet(rounds int) string {
	if rounds == 0 {
		return "the first quiet round"
	}
	return text.Plural(rounds, "round") + " after the quiet begins"
}

// repeats says which rounds are over and over the same.
func repeats(n *result.Never) string {
	but := ""
	if n.Grows {
		but = ", but for numbers that grow"
	}
	if n.With != "" {
		but += fmt.Sprintf(" (%s, again and again)", n.With)
	}
	if n.From == n.Until {
		return fmt.Sprintf("nothing changes any more from round %d on%s", n.From, but)
	}
	return fmt.Sprintf("the rounds %d to %d repeat for ever%s", n.From, n.Until, but)
}

// lacks says what is missing.
func lacks(missing []string) string {
	if len(missing) == 1 {
		return missing[0] + " is missing"
	}
	return text.List(missing, "and") + " are missing"
}

// within adds what is known about the rounds after the quiet begins.
func (p *Page) within(u *result.Unbounded) {
	w := u.Within
	switch {
	case u.Verdict == result.Holds:
		p.field("quiet", "begins with the first round after the last fault, its effects, and the last fact of the program")
		if w.Least && w.Rounds > 0 {
			before := "in the first quiet round"
			if w.Rounds > 1 {
				before = afterQuiet(w.Rounds - 1)
			}
			p.field("least", before+" it may not hold yet")
		}
	case u.Verdict == result.Inconclusive && w.Needs > 0:
		p.field("quiet", fmt.Sprintf("fewer rounds than %d after it begins are not enough", w.Needs))
	case w.Begins > 0:
		said := []string{fmt.Sprintf("begins with round %d", w.Begins)}
		if w.Needs > 0 {
			said = append(said, fmt.Sprintf("with these faults pre implies post from %s on at the earliest", afterQuiet(w.Needs)))
		}
		p.field("quiet", strings.Join(said, ": "))
		p.field("rounds", fmt.Sprintf("ldfi inject and why take --within none --eot %d", u.Round))
	}
}
