package answertext

import (
	"fmt"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// mostSentences is how many sentences of an invariant are shown.
const mostSentences = 8

// anyRounds adds what is known about any number of rounds.
func (p *Page) anyRounds(u *result.Unbounded) {
	switch {
	case u == nil:
		return
	case u.Verdict == result.Violated && u.Within != nil && u.Within.Begins > 0:
	case u.Verdict == result.Violated:
		p.field("rounds", u.Breaks()+fmt.Sprintf("; ldfi inject and why take --eot %d", u.Round))
	case u.Verdict == result.Inconclusive && u.Depth > 0:
		p.field("rounds", fmt.Sprintf("the promise holds in the first %s", text.Plural(u.Depth, "round")))
	case u.Verdict == result.Holds:
		p.field("proof", proof(u)...)
		if c := u.Certificate; c != nil {
			p.field("files", fmt.Sprintf("%s is the round as a circuit, %s has the invariant too; the formula %s cannot be satisfied", c.Model, c.Witness, c.Formula))
		}
	}
	if u.Within != nil {
		p.within(u)
	}
	for _, c := range u.Clocks {
		p.field("clock", fmt.Sprintf("%s is counted up to %d: no rule tells larger numbers apart (%s)", c.Relation, c.Most, c.Position))
	}
}

// proof says what an invariant is, and its first sentences.
func proof(u *result.Unbounded) []string {
	lines := []string{fmt.Sprintf("%s over %s that can be there after a round: true at first, kept by each round, and they exclude a violation", text.Plural(u.Clauses, "clause"), text.Plural(u.State, "fact"))}
	for i, sentence := range u.Invariant {
		if i == mostSentences {
			lines = append(lines, fmt.Sprintf("and %d sentences more: --output json has them", len(u.Invariant)-i))
			break
		}
		lines = append(lines, sentence)
	}
	return lines
}

// beyond adds what little work shows of more rounds than the bounds have.
func (p *Page) beyond(a *result.Answer) {
	u := a.Beyond
	switch b := a.Scope.Bounds; {
	case u == nil:
	case u.Verdict != result.Holds:
		p.field("rounds", fmt.Sprintf("not shown for more than %d: %s", b.EOT, u.Reason))
	case b.EFF < b.EOT:
		p.field("rounds", "holds for any number, with losses in any round")
	default:
		p.field("rounds", "holds for any number")
	}
}
