package oracle

import (
	"math/rand/v2"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Case is a program, and the bounds and goals that its settings state.
type Case struct {
	Name    string // the path below testdata/protocols, or the seed of a random program
	Text    string // of a random program
	Program *dedalus.Program
	Bounds  rounds.Bounds
	Goals   string
	Seed    uint64 // of every random choice of the test
}

// newCase reads the settings of a program.
func newCase(name, text string, seed uint64, p *dedalus.Program) (Case, error) {
	b, goals, err := rounds.BoundsOf(p, nil)
	return Case{Name: name, Text: text, Program: p, Bounds: b, Goals: goals, Seed: seed}, err
}

// Schedules returns all schedules within the bounds if there are at most so
// many, and else so many random ones, the first without faults.
func (c Case) Schedules(most int) []rounds.Schedule {
	u := schedules.New(c.Bounds)
	var list []rounds.Schedule
	if n := schedules.Count(c.Bounds); n.IsInt64() && n.Int64() <= int64(most) {
		for s := range u.All() {
			list = append(list, s)
		}
		return list
	}
	r := rand.New(rand.NewPCG(c.Seed, 0))
	list = append(list, rounds.Schedule{})
	for len(list) < most {
		list = append(list, u.Random(r))
	}
	return list
}
