package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/diagram"
)

// mostDrawn is how many of the fault sets have a diagram of their own.
const mostDrawn = 20

// Words are what a page says of fault sets in the words of who asked.
type Words struct {
	About  func(result.Counterexample) string // how small it is, or what it breaks
	Replay func(rounds.Schedule) string       // the command that executes it
	Cuts   func(result.Counterexample) string // what each of its faults does; nil: that is not said
}

// AddAnswer adds the verdict of an answer and the fault sets that it has, the first ones
// with what happens.
func (p *Page) AddAnswer(a *result.Answer, words Words) error {
	p.Verdict = a.Verdict
	for _, w := range a.Warnings {
		p.Warnings = append(p.Warnings, w.String())
	}
	if a.Rounds != nil {
		p.prove(a.Rounds.Sentences)
	}
	for i, c := range a.Counterexamples {
		s := Set{
			Schedule: scheduleText(c.Schedule), Size: c.Size, Cost: c.Cost, World: -1,
			About: text.Safe(words.About(c)), Because: text.SafeEach(c.Because), Replay: text.Safe(words.Replay(c.Schedule)),
		}
		s.Broken = broken(c)
		if words.Cuts != nil {
			s.Cuts = text.Safe(words.Cuts(c))
		}
		if i < mostDrawn && c.Execution != nil {
			s.World = p.AddExecution(c.Execution, c.Violations)
			var drawing strings.Builder
			if err := diagram.Write(&drawing, c.Execution, diagram.Options{Notes: Notes(c.Execution, c.Violations)}); err != nil {
				return err
			}
			s.Text = drawing.String()
		}
		p.Sets = append(p.Sets, s)
	}
	return nil
}

// mostProved limits the clauses of a proof on a page.
const mostProved = 5000

// prove adds the sentences of a proof, if they are not too many.
func (p *Page) prove(all []result.Sentence) {
	n := 0
	for _, s := range all {
		said := result.Sentence{Text: text.Safe(s.Text)}
		for _, c := range s.Clauses {
			said.Clauses = append(said.Clauses, text.SafeEach(c))
		}
		n += len(s.Clauses)
		p.Proof = append(p.Proof, said)
	}
	if n > mostProved {
		p.Proof = nil
	}
}

// mostBroken is how many of the things that are broken a page names.
const mostBroken = 8

// broken says what a counterexample breaks.
func broken(c result.Counterexample) (lines []string) {
	for i, v := range c.Violations {
		if i == mostBroken {
			lines = append(lines, fmt.Sprintf("and %d more", len(c.Violations)-i))
			break
		}
		lines = append(lines, v.String())
	}
	if c.Continued != nil {
		lines = append(lines, c.Continued.String())
	}
	if len(c.Violations) > 0 {
		lines = append(append(lines, c.Violations[0].Stack...), c.Violations[0].Conflict...)
	}
	return text.SafeEach(lines)
}

func scheduleText(s rounds.Schedule) string {
	if written := s.String(); written != "" {
		return text.Safe(written)
	}
	return "none"
}

// Depends says which relations the promise depends on, and which are what is promised.
// Without any, all count.
func (p *Page) Depends(relations, promised []string) {
	if len(relations) == 0 {
		return
	}
	for name, i := range p.relations {
		p.Relation[i].Beside = !slices.Contains(relations, name)
		p.Relation[i].Promise = slices.Contains(promised, name)
	}
}
