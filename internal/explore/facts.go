package explore

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Fact is a fact of any round: in which it holds, and in which it could.
type Fact struct {
	Text     string // without a round
	Holds    []bool // by round, from 1
	Possible []bool // under some schedule; also where it holds
}

// In returns the fact of a round, as questions take it.
func (f Fact) In(round int) string { return fmt.Sprintf("%s@%d", f.Text, round) }

// Last is the last round in which the fact holds, or without any the last one in which
// it could.
func (f Fact) Last() int {
	for _, rounds := range [][]bool{f.Holds, f.Possible} {
		for round := len(rounds) - 1; round > 0; round-- {
			if rounds[round] {
				return round
			}
		}
	}
	return 1
}

// Facts are those of an execution and those that are possible, in the order of their
// relations and arguments: those of the promise first, built-in ones last.
func (e *Exploration) Facts(in *recording.Execution) []Fact {
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
	if in != nil {
		for _, f := range in.Facts {
			add(f, true)
		}
	}
	for _, f := range e.trials.Possible() {
		add(f, false)
	}
	facts := make([]Fact, len(list))
	for i, f := range list {
		facts[i] = *f
	}
	slices.SortFunc(facts, compareFacts)
	return facts
}

// promised are the relations that come first.
var promised = []string{"violation(", "post(", "pre(", "good("}

func compareFacts(a, b Fact) int {
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
	case strings.HasPrefix(f.Text, "crash("), strings.HasPrefix(f.Text, "booted("):
		return len(promised) + 1
	default:
		return len(promised)
	}
}
