package simulation

import (
	"math/rand/v2"
	"time"
)

// Question is what is asked: units in the order in which one process does them.
type Question struct {
	Name   string
	Pieces []*Piece
	Files  int64         // how many bytes a worker needs before its first unit
	Open   time.Duration // what the coordinator has to do with each unit before it is one: it reads the programs of a case
}

// Piece is a unit.
type Piece struct {
	Cost   time.Duration // how long it takes
	Breaks bool          // it has a counterexample: the units behind it do not matter
}

// Alone is how long one process takes, that hands out nothing. It ends with the first
// piece that breaks.
func (q *Question) Alone() (sum time.Duration) {
	for _, p := range q.Pieces {
		if sum += p.Cost; p.Breaks {
			break
		}
	}
	return sum
}

// Longest is how long the longest unit takes.
func (q *Question) Longest() (longest time.Duration) {
	for _, p := range q.Pieces {
		longest = max(longest, p.Cost)
	}
	return longest
}

// Suite is a question of independent cases.
func Suite(name string, costs []time.Duration) *Question {
	q := &Question{Name: name}
	for _, cost := range costs {
		q.Pieces = append(q.Pieces, &Piece{Cost: cost})
	}
	return q
}

// Draw returns costs drawn from those that were measured, each as likely as the other.
func Draw(from []time.Duration, count int, random *rand.Rand) []time.Duration {
	costs := make([]time.Duration, count)
	for i := range costs {
		costs[i] = from[random.IntN(len(from))]
	}
	return costs
}

// Scaled returns costs that stand to each other as before, and are sum altogether.
func Scaled(costs []time.Duration, sum time.Duration) []time.Duration {
	var before time.Duration
	for _, c := range costs {
		before += c
	}
	scaled := make([]time.Duration, len(costs))
	for i, c := range costs {
		scaled[i] = time.Duration(float64(c) * float64(sum) / float64(max(before, 1)))
	}
	return scaled
}

// Executions is a drawn search: ranges of executions that take each about the same time.
// Times vary by a share of it, as in a normal distribution.
func Executions(name string, ranges int, each time.Duration, vary float64, random *rand.Rand) *Question {
	q := &Question{Name: name}
	for range ranges {
		factor := max(0.1, 1+vary*random.NormFloat64())
		q.Pieces = append(q.Pieces, &Piece{Cost: time.Duration(float64(each) * factor)})
	}
	return q
}
