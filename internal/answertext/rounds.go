package answertext

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/report"
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
	case u.Verdict == result.Inconclusive && u.Depth > 0 && u.Within == nil:
		p.field("rounds", fmt.Sprintf("the promise holds in the first %s", text.Plural(u.Depth, "round")))
	case u.Verdict == result.Holds:
		if u.Sizes == nil {
			p.proof(u)
		}
		p.files(u.Certificate)
	}
	if u.Within != nil {
		p.within(u)
	}
	p.sizes(u.Sizes)
	for _, c := range u.Clocks {
		p.field("clock", fmt.Sprintf("%s is counted up to %d: no rule tells larger numbers apart (%s)", c.Relation, c.Most, c.Position))
	}
}

// proof says what an invariant is, and its first sentences.
func (p *Page) proof(u *result.Unbounded) {
	p.sentences("proof", fmt.Sprintf("%s over %s that can be there after a round: true at first, kept by each round, and they exclude a violation", text.Plural(u.Clauses, "clause"), text.Plural(u.State, "fact")), u.Invariant)
}

// sentences adds a line and the first of some sentences; an HTML page has all.
func (p *Page) sentences(name, line string, all []string) {
	lines := append([]string{line}, all...)
	if letters(all) {
		lines = append(lines, legend)
	}
	p.Fields = append(p.Fields, report.Field{Name: name, Lines: text.SafeEach(lines)})
	if more := len(all) - mostSentences; more > 0 {
		lines = slices.Clone(lines[:mostSentences+1])
		if letters(lines[1:]) {
			lines = append(lines, legend)
		}
		lines = append(lines, fmt.Sprintf("and %s more: --report and --output json have them", text.Plural(more, "sentence")))
	}
	p.ofSet(name, lines...)
}

// sizes adds what is known for several numbers of processes.
func (p *Page) sizes(s *result.Sizes) {
	if s == nil {
		return
	}
	var lines, same, others []string
	all := true
	for _, one := range s.Each {
		line := fmt.Sprintf("%d processes: ", one.Processes)
		switch one.Verdict {
		case result.Holds:
			line += fmt.Sprintf("holds, by %s in %s", text.Plural(one.Clauses, "clause"), text.Plural(one.Sentences, "sentence"))
		case result.Violated:
			line += fmt.Sprintf("violated in round %d", one.Round)
		default:
			line += "not decided: " + one.Reason
		}
		all, lines = all && one.Verdict == result.Holds, append(lines, line)
		if one.Processes <= s.Same {
			same = append(same, fmt.Sprint(one.Processes))
		} else {
			others = append(others, fmt.Sprint(one.Processes))
		}
	}
	p.field("sizes", lines...)
	switch {
	case !all || len(s.Each) < 2:
	case s.Reason != "":
		p.field("same", "not known: "+s.Reason)
	case s.Same == 0:
		p.field("same", "no: the sentences of these proofs that are so for each number of processes do not prove it")
	default:
		line := fmt.Sprintf("the same %s prove it for %s", text.Plural(len(s.Sentences), "sentence"), text.List(same, "and"))
		if len(others) > 0 {
			line += fmt.Sprintf(", and not for %s", text.List(others, "and"))
		} else {
			line += ": evidence for more processes, and no proof"
		}
		p.sentences("same", line, s.Sentences)
	}
}

// legend says what stands in sentences in place of processes and values.
const legend = "(different letters stand for different processes or values, and _ for any)"

// letters tells whether a sentence has letters in place of processes or values.
func letters(sentences []string) bool {
	return slices.ContainsFunc(sentences, letter.MatchString)
}

var letter = regexp.MustCompile(`[(, ]([A-Z]|_)[,) ]`)

// Breach says why no round after the first has some facts together; nil is that none is known.
func Breach(b *result.Breach) []string {
	switch {
	case b == nil:
		return []string{"no sentence forbids it: a round may have these facts together, or may not"}
	case len(b.Never) > 0:
		var lines []string
		for _, fact := range b.Never {
			if always, not := strings.CutPrefix(fact, "not "); not {
				lines = append(lines, "each round after the first has "+always+", whatever happened before")
			} else {
				lines = append(lines, "no round after the first has "+fact+", whatever happened before")
			}
		}
		return lines
	case len(b.Sentences) == 0:
		return []string{"no round after the first has these facts together: its rules exclude that, whatever happened before"}
	}
	lines := append([]string{"no round after the first has these facts together: they break"}, b.Sentences...)
	if letters(b.Sentences) {
		lines = append(lines, legend)
	}
	return lines
}

// files names the files of a proof.
func (p *Page) files(c *result.ProofFiles) {
	if c != nil {
		p.field("files", fmt.Sprintf("%s is the round as a circuit, %s has the invariant too; the formula %s cannot be satisfied", c.Model, c.Witness, c.Formula))
	}
}

// safety adds what is known about violation alone.
func (p *Page) safety(a *result.Safety) {
	switch {
	case a == nil:
	case a.Verdict == result.Holds:
		p.field("safety", fmt.Sprintf("violation holds in no round, for any number of them: %s prove it", text.Plural(a.Rounds.Clauses, "clause")))
		p.files(a.Rounds.Certificate)
	case a.Verdict == result.Violated:
		p.field("safety", fmt.Sprintf("violation holds as well, in round %d: %s", a.Rounds.Round, Schedule(*a.Schedule)))
	default:
		p.field("safety", "of violation alone it is not decided: "+a.Rounds.Reason)
	}
}

// beyond adds what little work shows of more rounds than the bounds have.
func (p *Page) beyond(a *result.Answer) {
	u := a.Beyond
	switch b := a.Scope.Bounds; {
	case u == nil:
	case u.Verdict != result.Holds:
		p.field("rounds", fmt.Sprintf("not shown for more than %d: %s", b.EOT, u.Reason))
	case u.Within != nil:
		p.field("rounds", fmt.Sprintf("holds for any number, from %s on", afterQuiet(u.Within.Rounds)))
	case b.EFF > 0 && b.EFF <= b.EOT:
		p.field("rounds", "holds for any number, with losses in any round")
	default:
		p.field("rounds", "holds for any number")
	}
}
