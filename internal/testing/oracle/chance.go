package oracle

import (
	"math/big"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
)

// Distribution returns the exact probability of each schedule that something
// draws, by going through all its random choices.
func Distribution(draw func(schedules.Chance) rounds.Schedule) map[string]*big.Rat {
	all := map[string]*big.Rat{}
	t := &tree{}
	for more := true; more; more = t.next() {
		t.at, t.likely = 0, big.NewRat(1, 1)
		text := draw(t).String()
		if all[text] == nil {
			all[text] = new(big.Rat)
		}
		all[text].Add(all[text], t.likely)
	}
	return all
}

// tree makes random choices along one path after the other.
type tree struct {
	path   []choice
	at     int
	likely *big.Rat // the path so far
}

// choice is one of several.
type choice struct {
	taken   int
	chances []*big.Rat
}

// IntN makes a choice of equals.
func (t *tree) IntN(n int) int {
	return t.choose(func() (chances []*big.Rat) {
		for range n {
			chances = append(chances, big.NewRat(1, int64(n)))
		}
		return chances
	})
}

// Pick makes a choice by weights.
func (t *tree) Pick(w *schedules.Weights) int {
	return t.choose(func() (chances []*big.Rat) {
		for weight := range w.All() {
			chances = append(chances, new(big.Rat).SetFrac(weight, w.Total()))
		}
		return chances
	})
}

func (t *tree) choose(chances func() []*big.Rat) int {
	if t.at == len(t.path) {
		t.path = append(t.path, choice{chances: chances()})
	}
	c := t.path[t.at]
	t.at++
	t.likely.Mul(t.likely, c.chances[c.taken])
	return c.taken
}

// next goes to the next path. It returns false after the last.
func (t *tree) next() bool {
	for i := t.at - 1; i >= 0; i-- {
		if c := &t.path[i]; c.taken+1 < len(c.chances) {
			c.taken++
			t.path = t.path[:i+1]
			return true
		}
	}
	return false
}
