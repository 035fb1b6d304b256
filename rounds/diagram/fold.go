package diagram

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
)

// fewestRepeats is how often a message has to come, always after the same number of
// rounds, to be folded.
const fewestRepeats = 4

// fold takes messages that come again and again, always after the same number of rounds,
// out of the rounds, and says of each once who sends it to whom and how often. One that is
// lost or late stays, and so does what is said to nobody.
func (m *model) fold() {
	type said struct {
		from           int
		relation, says string
		copies         int
	}
	type sent struct {
		said
		to int
	}
	at := map[sent][]int{}
	for _, r := range m.rounds {
		for _, a := range r.arrows {
			if a.from >= 0 && a.to >= 0 && !a.lost && a.coming == (coming{}) {
				k := sent{said{a.from, a.relation, a.says, a.copies}, a.to}
				at[k] = append(at[k], r.number)
			}
		}
	}
	type run struct{ first, last, every int }
	folded := map[said]map[run][]int{} // by what is said: the receivers of each run
	dropped := map[sent]map[int]bool{}
	for k, numbers := range at {
		for _, n := range runs(numbers) {
			if dropped[k] == nil {
				dropped[k] = map[int]bool{}
			}
			for round := n[0]; round <= n[1]; round += n[2] {
				dropped[k][round] = true
			}
			if folded[k.said] == nil {
				folded[k.said] = map[run][]int{}
			}
			r := run{n[0], n[1], n[2]}
			folded[k.said][r] = append(folded[k.said][r], k.to)
		}
	}
	for i := range m.rounds {
		r := &m.rounds[i]
		r.arrows = slices.DeleteFunc(r.arrows, func(a arrow) bool {
			return !a.lost && a.coming == (coming{}) && dropped[sent{said{a.from, a.relation, a.says, a.copies}, a.to}][r.number]
		})
	}
	type line struct {
		first, from int
		text        string
	}
	var lines []line
	for what, all := range folded {
		for r, to := range all {
			slices.Sort(to)
			var names []string
			for _, column := range to {
				names = append(names, text.Safe(m.processes[column]))
			}
			text := fmt.Sprintf("%s %s>%s every %s from round %d to %d", text.Safe(what.says), text.Safe(m.processes[what.from]), strings.Join(names, ","), text.Plural(r.every, "round"), r.first, r.last)
			lines = append(lines, line{r.first, what.from, strings.Replace(text, "every 1 round ", "every round ", 1)})
		}
	}
	slices.SortFunc(lines, func(a, b line) int {
		return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.from, b.from), strings.Compare(a.text, b.text))
	})
	for _, l := range lines {
		m.folded = append(m.folded, l.text)
	}
}

// foldLost draws once what one fault that lasts loses again and again, as a connection sends
// it until its other end is there, and says there how often it is lost, and in which rounds.
func (m *model) foldLost() {
	folds := func(a arrow) bool {
		return a.lost && a.cause.Kind != rounds.Omit && a.from >= 0 && a.to >= 0
	}
	all := map[arrow]losses{}
	for _, r := range m.rounds {
		for _, a := range r.arrows {
			if folds(a) {
				a.copies = 1
				all[a] = all[a].and(r.number)
			}
		}
	}
	drawn := map[arrow]bool{}
	for i := range m.rounds {
		r := &m.rounds[i]
		var left []arrow
		for _, a := range r.arrows {
			k := a
			k.copies = 1
			if n := all[k]; folds(a) && n.times >= fewestRepeats {
				if drawn[k] {
					continue
				}
				drawn[k] = m.options.near(r.number)
				a.losses = n
			}
			left = append(left, a)
		}
		r.arrows = left
	}
	m.foldKinds(folds)
}

// mostLosses is how many messages of one kind are drawn that one fault loses between two
// processes: of more the first few are.
const mostLosses = 2 * fewestRepeats

// foldKinds draws the first few of many messages of a kind that one fault loses, as those of a
// connection on which more is written while nothing arrives, and says behind them how many
// more there are.
func (m *model) foldKinds(folds func(arrow) bool) {
	type kind struct {
		from, to int
		relation string
		cause    rounds.Fault
	}
	of := func(a arrow) kind { return kind{a.from, a.to, a.relation, a.cause} }
	all, seen, rest := map[kind]int{}, map[kind]int{}, map[kind]losses{}
	each := func(do func(r *round, a arrow) bool) {
		for i := range m.rounds {
			r := &m.rounds[i]
			r.arrows = slices.DeleteFunc(r.arrows, func(a arrow) bool { return folds(a) && m.options.near(r.number) && !do(r, a) })
		}
	}
	each(func(_ *round, a arrow) bool {
		all[of(a)]++
		return true
	})
	each(func(r *round, a arrow) bool {
		k := of(a)
		if seen[k]++; all[k] <= mostLosses || seen[k] <= fewestRepeats {
			return true
		}
		rest[k] = losses{more: rest[k].more + max(a.times, 1), until: max(rest[k].until, a.last, r.number)}
		return false
	})
	clear(seen)
	for i := range m.rounds {
		for j := range m.rounds[i].arrows {
			a := &m.rounds[i].arrows[j]
			if k := of(*a); folds(*a) && m.options.near(m.rounds[i].number) && rest[k].more > 0 {
				if seen[k]++; seen[k] == fewestRepeats {
					a.more, a.until = rest[k].more, rest[k].until
				}
			}
		}
	}
}

// losses are what is lost besides what is drawn. The zero value is nothing.
type losses struct {
	times, first, last int // the same, with what is drawn
	more, until        int // the like
}

// and adds a loss in a round.
func (n losses) and(round int) losses {
	return losses{times: n.times + 1, first: cmp.Or(n.first, round), last: round}
}

func (n losses) String() string {
	var all []string
	if n.times > 0 {
		all = append(all, fmt.Sprintf("%s, rounds %d to %d", text.Plural(n.times, "time"), n.first, n.last))
	}
	if n.more > 0 {
		all = append(all, fmt.Sprintf("then %d more of its kind, until round %d", n.more, n.until))
	}
	return strings.Join(all, ", ")
}

// runs returns the longest stretches of ascending numbers with one distance, as first,
// last and distance, of those with enough numbers. They share none.
func runs(numbers []int) [][3]int {
	var all [][3]int
	for i := 0; i+1 < len(numbers); {
		every, j := numbers[i+1]-numbers[i], i+1
		for j+1 < len(numbers) && numbers[j+1]-numbers[j] == every {
			j++
		}
		if j-i+1 < fewestRepeats {
			i++
			continue
		}
		all = append(all, [3]int{numbers[i], numbers[j], every})
		i = j + 1
	}
	return all
}

// near tells whether a round is one of those that are drawn.
func (o Options) near(round int) bool {
	return o.Around == nil || slices.ContainsFunc(o.Around, func(n int) bool { return n-o.Within <= round && round <= n+o.Within })
}
