package answertext

import (
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/diagram"
)

// Turn is a turn of a search by lineage, below its schedule.
func Turn(s result.Step, style diagram.Style) *Page {
	p := newPage(fmt.Sprintf("turn %d", s.Number), Schedule(s.Schedule), style)
	p.field("because", s.Why...)
	for _, o := range s.Outcomes {
		p.field("holds", outcomeLines(o)...)
	}
	for _, v := range s.Violations {
		p.field("breaks", v.String())
	}
	p.space()
	return p
}

// outcomeLines says what an outcome rests on, a support a line.
func outcomeLines(o result.Outcome) []string {
	lines := []string{o.Fact}
	for i, s := range o.Supports {
		word := "  by "
		if i > 0 {
			word = "  or "
		}
		lines = append(lines, word+supportText(s))
	}
	switch {
	case o.More && len(o.Supports) == 0:
		lines = append(lines, "  in several ways: no single fault prevents it")
	case o.More:
		lines = append(lines, "  or in further ways")
	}
	return lines
}

// clauseShown is how many faults of a clause are named.
const clauseShown = 6

func supportText(s result.Support) string {
	written := "no message at all"
	if len(s.Messages) > 0 {
		written = strings.Join(s.Messages, ", ")
	}
	if len(s.Lacks) > 0 {
		written += ", without " + strings.Join(s.Lacks, " and ")
	}
	return text.Safe(written) + clauseText(s)
}

// clauseText says which faults take a support away. Besides, it ends with what it
// lacks, should that be there.
func clauseText(s result.Support) string {
	switch {
	case len(s.Clause) == 0 && len(s.Messages) == 0:
		return ""
	case len(s.Clause) == 0:
		return ": no fault within the bounds can lose one of them"
	}
	clause, more, verb := s.Clause, "", "lost"
	if n := len(clause) - clauseShown; n > 1 {
		clause, more = clause[:clauseShown], fmt.Sprintf(" or %d more", n)
	}
	if len(s.Messages) == 0 {
		verb = "prevented"
	}
	return ": " + verb + " by " + strings.Join(clause, " or ") + more
}
