package provenance

import (
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Epochs tells which columns have numbers of rounds that are compared with rounds of crashes, and up to which round
// they are told apart; false if there are none.
func Epochs(p *dedalus.Program, b rounds.Bounds) (in func(relation string, column int) bool, most int, ok bool) {
	e, err := newFlow(p).epochs(b)
	if err != nil || e == nil {
		return func(string, int) bool { return false }, 0, false
	}
	return func(relation string, column int) bool { return e.in(place{relation, column}) }, int(e.most), true
}

// Counted tells up to which number a column is counted in the program that Saturated returns; 0: as far as it goes.
func Counted(p *dedalus.Program) func(relation string, column int) int64 {
	f := newFlow(p)
	_, clocks := Saturated(p)
	most := map[place]int64{}
	for _, c := range clocks {
		if !c.Crashes {
			most[f.root(place{c.Relation, c.Column})] = c.Most
		}
	}
	return func(relation string, column int) int64 {
		at := place{relation, column}
		if f.most[at] != unlimited {
			return 0
		}
		return most[f.root(at)]
	}
}
