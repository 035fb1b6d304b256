package explore

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/causality"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Fact is a fact of any round: in which it holds, and in which it could.
type Fact struct {
	Text     string // without a round
	Holds    []bool // by round, from 1
	Possible []bool // under some schedule; also where it holds

	Typed bool // by a user, and maybe a pattern
	Round int  // of the time; 0: none was typed

	Broken int // the first round in which the promise is broken by this fact, or by its absence; 0: it is not
}

// In returns the fact of a round, as questions take it, or without a round.
func (f Fact) In(round int) string { return f.Text + syntax.Suffix(round) }

// HoldsIn tells whether the fact holds in a round, or in any.
func (f Fact) HoldsIn(round int) bool {
	if round == 0 {
		return slices.Contains(f.Holds, true)
	}
	return f.Holds[round]
}

// Last returns the last round in which the fact holds, or could hold if it holds in none.
// For a typed fact it returns the typed round, and for a broken one its round.
func (f Fact) Last() int {
	switch {
	case f.Typed:
		return f.Round
	case f.Broken > 0:
		return f.Broken
	}
	for _, rounds := range [][]bool{f.Holds, f.Possible} {
		for round := len(rounds) - 1; round > 0; round-- {
			if rounds[round] {
				return round
			}
		}
	}
	return 1
}

// Facts returns the facts of an execution and the possible facts, in the order of their
// relations and arguments: broken ones first, then those of the promise, built-in ones
// last.
func (e *Exploration) Facts(in *result.Injection) []Fact {
	all := map[string]*Fact{}
	var list []*Fact
	add := func(f recording.Fact, holds bool) {
		text := recording.Display(f, e.bounds.Processes)
		known := all[text]
		if known == nil {
			known = &Fact{Text: text, Holds: make([]bool, e.bounds.EOT+1), Possible: make([]bool, e.bounds.EOT+1)}
			all[text] = known
			list = append(list, known)
		}
		if f.Round > 0 && f.Round <= e.bounds.EOT {
			known.Holds[f.Round] = known.Holds[f.Round] || holds
			known.Possible[f.Round] = true
		}
	}
	if in != nil && in.Execution != nil {
		for _, f := range in.Execution.Facts {
			add(f, true)
		}
	}
	for _, f := range e.trials.Possible() {
		add(f, false)
	}
	if in != nil && !e.system {
		for _, v := range in.Violations {
			add(v.Fact, !v.Missing)
			if known := all[recording.Display(v.Fact, e.bounds.Processes)]; known.Broken == 0 {
				known.Broken = v.Fact.Round
			}
		}
	}
	facts := make([]Fact, len(list))
	for i, f := range list {
		facts[i] = *f
	}
	slices.SortFunc(facts, compareFacts)
	return facts
}

// Typed returns the fact, or the pattern, of a text such as leader(b, _)@4. The error says
// why the text is none.
func (e *Exploration) Typed(s string, in *recording.Execution) (Fact, error) {
	q, err := dedalus.ParseQuery(s)
	if err != nil {
		return Fact{}, err
	}
	if q.Round > e.bounds.EOT {
		return Fact{}, fmt.Errorf("round %d is after the last one, %d", q.Round, e.bounds.EOT)
	}
	if p := e.asked.AsProtocol(); p != nil {
		if known, _ := p.Relations(); !slices.Contains(known, q.Relation) && !slices.Contains(builtIn, q.Relation) {
			return Fact{}, fmt.Errorf("there is no relation %s%s", q.Relation, text.DidYouMean(q.Relation, known))
		}
	}
	f := Fact{
		Text: strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(s), syntax.Suffix(q.Round))), Typed: true, Round: q.Round,
		Holds: make([]bool, e.bounds.EOT+1), Possible: make([]bool, e.bounds.EOT+1),
	}
	if in == nil {
		return f, nil
	}
	q.Round = 0
	for _, held := range in.Facts {
		if held.Round > 0 && held.Round <= e.bounds.EOT && e.matches(held, &q) {
			f.Holds[held.Round], f.Possible[held.Round] = true, true
		}
	}
	return f, nil
}

func (e *Exploration) matches(f recording.Fact, q *syntax.Query) bool {
	if e.system {
		return causality.Matches(f, q)
	}
	return q.Matches(f.Relation, f.Args, f.Round)
}

// builtIn are the relations that every program has.
var builtIn = []string{"crash", syntax.Booted}

// promised are the relations that come first.
var promised = []string{"violation(", "post(", "pre(", "good("}

func compareFacts(a, b Fact) int {
	if (a.Broken > 0) != (b.Broken > 0) {
		return b.Broken - a.Broken
	}
	if c := rank(a) - rank(b); c != 0 {
		return c
	}
	return strings.Compare(a.Text, b.Text)
}

func rank(f Fact) int {
	i := slices.IndexFunc(promised, func(prefix string) bool { return strings.HasPrefix(f.Text, prefix) })
	switch {
	case i >= 0:
		return i
	case slices.ContainsFunc(builtIn, func(name string) bool { return strings.HasPrefix(f.Text, name+"(") }):
		return len(promised) + 1
	default:
		return len(promised)
	}
}
