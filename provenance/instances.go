package provenance

import (
	"context"
	"slices"

	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs"
)

// Restated returns sentences about a step with other processes as sentences about this one: their letters
// stand for all that is here. A sentence that would stand for too many clauses has one that is never so.
func (s *Step) Restated(ctx context.Context, t *solver.Transitions, sentences []*Sentence) (all []*Sentence) {
	w := newGeneralizer(ctx, s, t, nil, 0)
	for _, sentence := range sentences {
		p, here := w.patternHere(sentence), *sentence
		var few bool
		if here.Clauses, few = w.instances(p); !few {
			here.Clauses = [][]solver.StateBit{nil}
		}
		here.Letters = p.letters
		all = append(all, &here)
	}
	return all
}

// NotEarly are the clauses that say that nothing is there before the first round.
func (s *Step) NotEarly() (clauses [][]solver.StateBit) {
	for bit := range s.State {
		if bit != started {
			clauses = append(clauses, []solver.StateBit{{Bit: started, Value: true}, {Bit: bit}})
		}
	}
	return clauses
}

// patternHere is the pattern of a sentence, with the processes and values of this step.
func (w *generalizer) patternHere(s *Sentence) *pattern {
	p := &pattern{letters: slices.Clone(s.Letters)}
	for _, phrase := range s.Given {
		p.literals = append(p.literals, literal{phrase, false})
	}
	for _, phrase := range s.Follows {
		p.literals = append(p.literals, literal{phrase, true})
	}
	if len(s.Given) == 0 { // it is so after the first round
		p.literals = append(p.literals, literal{w.step.phraseOf(started), false})
	}
	for i := range p.letters {
		switch l := &p.letters[i]; {
		case !l.All:
		case l.Process:
			l.Among = w.processes()
		default:
			l.Among = w.valuesOf(p, i)
		}
	}
	return p
}

// valuesOf are the values that there are in the columns in which a letter stands.
func (w *generalizer) valuesOf(p *pattern, letter int) (values []specs.Value) {
	for _, l := range p.literals {
		for i, t := range l.Terms {
			if t.Letter != letter {
				continue
			}
			for _, v := range w.columns[place{l.Relation, i}] {
				if !slices.Contains(values, v) {
					values = append(values, v)
				}
			}
		}
	}
	slices.SortFunc(values, specs.Value.Compare)
	return values
}
