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
	return func(relation string, column int) bool { return e.in(column2{relation, column}) }, int(e.most), true
}
