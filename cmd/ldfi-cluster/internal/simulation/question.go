package simulation

import (
	"math"
	"math/rand/v2"
	"time"
)

// Question is what is asked: units in the order in which one process does them.
type Question struct {
	Name   string
	Pieces []*Piece
	Files  int64         // how many bytes a worker needs before its first unit
	Open   time.Duration // what the coordinator has to do with each unit before it is one: it reads the programs of a case
	Factor float64       // how many times the work of one process that hands out nothing all units are, since each is begun anew; 0: once
}

// Piece is a unit.
type Piece struct {
	Cost   time.Duration // how long it takes to do it, or to find that it is too much
	Into   []*Piece      // what it is split into if it is too much; else nothing
	Breaks bool          // it has a counterexample: the units behind it do not matter
}

// Alone is how long one process takes, that hands out nothing. It ends with the first
// piece that breaks.
func (q *Question) Alone() time.Duration {
	sum, _ := alone(q.Pieces)
	if q.Factor > 0 {
		sum = time.Duration(float64(sum) / q.Factor)
	}
	return sum
}

func alone(pieces []*Piece) (sum time.Duration, broken bool) {
	for _, p := range pieces {
		sum += p.Cost
		if p.Breaks {
			return sum, true
		}
		in, broken := alone(p.Into)
		if sum += in; broken {
			return sum, true
		}
	}
	return sum, false
}

// Units is how many units there are, if nothing breaks.
func (q *Question) Units() int {
	count := 0
	walk(q.Pieces, func(*Piece) { count++ })
	return count
}

// Longest is how long the longest unit takes.
func (q *Question) Longest() (longest time.Duration) {
	walk(q.Pieces, func(p *Piece) { longest = max(longest, p.Cost) })
	return longest
}

// walk goes through all pieces, each before what it is split into.
func walk(pieces []*Piece, visit func(*Piece)) {
	for _, p := range pieces {
		visit(p)
		walk(p.Into, visit)
	}
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

// Cubes is a question whose schedules are split, and whose parts take about sum together. A
// piece that takes longer than enough is given up after that time and split into some. The
// work is spread over the pieces by chance: the larger uneven is, the more of it lies in
// one of them. 1 is as for random cuts of a line.
func Cubes(name string, sum, enough time.Duration, some int, uneven float64, random *rand.Rand) *Question {
	q := &Question{Name: name, Pieces: split(sum, enough, max(some, 2), min(max(uneven, 0), 4), random)}
	factor := float64(sum) / float64(max(q.Alone(), 1))
	walk(q.Pieces, func(p *Piece) { p.Cost = time.Duration(float64(p.Cost) * factor) })
	return q
}

func split(sum, enough time.Duration, some int, uneven float64, random *rand.Rand) []*Piece {
	weights, all := make([]float64, some), 0.0
	for i := range weights {
		weights[i] = math.Pow(random.ExpFloat64(), uneven)
		all += weights[i]
	}
	pieces := make([]*Piece, some)
	for i, w := range weights {
		cost := time.Duration(float64(sum) * w / all)
		pieces[i] = &Piece{Cost: cost}
		if cost > max(enough, time.Millisecond) {
			// Also if nearly all of the work is in one piece, splitting it takes some away.
			pieces[i] = &Piece{Cost: enough, Into: split(min(cost, sum*9/10), enough, some, uneven, random)}
		}
	}
	return pieces
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
