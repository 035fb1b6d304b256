package solver

import (
	"context"
	"slices"
)

// cdcl decides whether clauses can hold together, by conflict-driven clause learning (Eén and
// Sörensson, "An extensible SAT-solver", SAT 2003). It is made for very many easy questions about the same
// clauses: a question looks at the variables of its domain only, as in Su, Yang and others, "Deeply
// optimizing the SAT solver for the IC3 algorithm", CAV 2025, and may have a clause of its own. What
// the others are has to follow from those of the domain: they are gates outside of its cone.
type cdcl struct {
	arena   []uint32 // each clause: its header, its glue, its literals
	learnt  int      // how many clauses were learnt since those of little use were forgotten
	watches [][]watch

	values   []int8 // by literal: 1 if it is true, -1 if it is false
	levels   []int32
	reasons  []uint32 // by variable: the clause that made it true, noClause if none did
	phases   []int8   // by variable: its last value
	trail    []literal
	limits   []int // by level: the length of the trail when it began
	head     int
	activity []float64
	step     float64
	heap     []uint32 // unassigned variables of the domain, and others
	places   []int32  // by variable: its place in the heap, -1 if it has none

	domain []uint32 // by variable: the last question that looked at it
	now    uint32

	onces   []uint32 // variables that switch clauses of single questions on
	used    int      // how many of them
	pending bool     // the last one is on
	seen    []bool
	core    []literal // assumptions that cannot hold together
	broken  bool      // the clauses cannot
	glues   []uint32  // a reused buffer
}

// literal is a variable, doubled, and one more if it is negated.
type literal = uint32

type watch struct {
	clause uint32
	other  literal // of the clause: if it is true, the clause need not be looked at
}

const noClause = ^uint32(0)

// The kinds of clauses, in the lowest bits of a header; the size is above.
const (
	given   = 0
	lent    = 1 // until the next call of renew
	learned = 2
	kinds   = 3
)

// manyOnces is how many questions with a clause of their own there are before renew is due.
const manyOnces = 400

func newCDCL() *cdcl {
	s := &cdcl{step: 1}
	s.variable() // literal 0 is false
	s.assign(1, noClause)
	for range manyOnces {
		s.onces = append(s.onces, s.variable())
	}
	return s
}

// variable makes a variable.
func (s *cdcl) variable() uint32 {
	v := uint32(len(s.levels))
	s.values = append(s.values, 0, 0)
	s.watches = append(s.watches, nil, nil)
	s.levels = append(s.levels, 0)
	s.reasons = append(s.reasons, noClause)
	s.phases = append(s.phases, -1)
	s.activity = append(s.activity, 0)
	s.places = append(s.places, -1)
	s.domain = append(s.domain, 0)
	s.seen = append(s.seen, false)
	return v
}

// add adds a clause.
func (s *cdcl) add(kind uint32, clause ...literal) {
	s.back(0)
	kept := make([]literal, 0, len(clause))
	for _, l := range clause {
		switch {
		case s.values[l] > 0 || slices.Contains(kept, l^1):
			return
		case s.values[l] == 0 && !slices.Contains(kept, l):
			kept = append(kept, l)
		}
	}
	switch len(kept) {
	case 0:
		s.broken = true
	case 1:
		s.assign(kept[0], noClause)
		s.broken = s.broken || s.propagate() != noClause
	default:
		s.attach(kind, 0, kept)
	}
}

func (s *cdcl) attach(kind, glue uint32, lits []literal) uint32 {
	c := uint32(len(s.arena))
	s.arena = append(s.arena, uint32(len(lits))<<2|kind, glue)
	s.arena = append(s.arena, lits...)
	s.watches[lits[0]] = append(s.watches[lits[0]], watch{c, lits[1]})
	s.watches[lits[1]] = append(s.watches[lits[1]], watch{c, lits[0]})
	return c
}

func (s *cdcl) lits(c uint32) []literal { return s.arena[c+2 : c+2+s.arena[c]>>2] }

func (s *cdcl) assign(l literal, reason uint32) {
	v := l >> 1
	s.values[l], s.values[l^1] = 1, -1
	s.levels[v], s.reasons[v] = int32(len(s.limits)), reason
	s.trail = append(s.trail, l)
}

// back takes back what was assigned in later levels.
func (s *cdcl) back(level int) {
	if len(s.limits) <= level {
		return
	}
	from := s.limits[level]
	for _, l := range s.trail[from:] {
		v := l >> 1
		s.values[l], s.values[l^1] = 0, 0
		s.phases[v] = 1 - 2*int8(l&1)
		if s.places[v] < 0 && s.domain[v] == s.now {
			s.push(v)
		}
	}
	s.trail, s.limits, s.head = s.trail[:from], s.limits[:level], from
}

// propagate assigns what follows within the domain. It returns a clause that is false, if there is one.
func (s *cdcl) propagate() uint32 {
	for s.head < len(s.trail) {
		wrong := s.trail[s.head] ^ 1
		s.head++
		all := s.watches[wrong]
		kept := 0
		for i, w := range all {
			if s.values[w.other] > 0 {
				all[kept] = w
				kept++
				continue
			}
			lits := s.lits(w.clause)
			if lits[0] == wrong {
				lits[0], lits[1] = lits[1], wrong
			}
			first := lits[0]
			if first != w.other && s.values[first] > 0 {
				all[kept] = watch{w.clause, first}
				kept++
				continue
			}
			moved := false
			for j := 2; j < len(lits); j++ {
				if l := lits[j]; s.values[l] >= 0 {
					lits[1], lits[j] = l, wrong
					s.watches[l] = append(s.watches[l], watch{w.clause, first})
					moved = true
					break
				}
			}
			if moved {
				continue
			}
			all[kept] = watch{w.clause, first}
			kept++
			switch {
			case s.values[first] < 0:
				kept += copy(all[kept:], all[i+1:])
				s.watches[wrong] = all[:kept]
				s.head = len(s.trail)
				return w.clause
			case len(s.limits) == 0 || s.domain[first>>1] == s.now:
				s.assign(first, w.clause)
			}
		}
		s.watches[wrong] = all[:kept]
	}
	return noClause
}

// ask begins a question, whose domain is empty.
func (s *cdcl) ask() {
	s.settle()
	s.now++
	for _, v := range s.heap {
		s.places[v] = -1
	}
	s.heap = s.heap[:0]
}

// look adds a variable to the domain of the question; false if it has it.
func (s *cdcl) look(v uint32) bool {
	if s.domain[v] == s.now {
		return false
	}
	s.domain[v] = s.now
	if s.values[2*v] == 0 {
		s.places[v] = int32(len(s.heap))
		s.heap = append(s.heap, v)
	}
	return true
}

// solve looks for values of the variables of the domain with which all clauses, one of once if that
// is not empty, and all assumptions hold. If there are none, core has assumptions that cannot hold
// together. The values are there until the next question.
func (s *cdcl) solve(ctx context.Context, once []literal, assumptions []literal) (bool, error) {
	if s.broken {
		s.core = s.core[:0]
		return false, nil
	}
	on := noClause
	if len(once) > 0 {
		on = 2 * s.onces[s.used]
		s.used, s.pending = s.used+1, true
		s.look(on >> 1)
		s.add(learned, append(slices.Clone(once), on^1)...)
		assumptions = append([]literal{on}, assumptions...)
	}
	for i := len(s.heap)/2 - 1; i >= 0; i-- {
		s.down(i)
	}
	sat, err := s.search(ctx, assumptions)
	s.core = slices.DeleteFunc(s.core, func(l literal) bool { return l == on })
	return sat, err
}

// settle switches off the clause of the last question.
func (s *cdcl) settle() {
	s.back(0)
	if s.pending {
		s.pending = false
		s.add(given, 2*s.onces[s.used-1]+1)
	}
}

// restartAfter is how many conflicts there are before the first restart.
const restartAfter = 200

func (s *cdcl) search(ctx context.Context, assumptions []literal) (bool, error) {
	conflicts, restart, round := 0, restartAfter, 1
	for {
		if wrong := s.propagate(); wrong != noClause {
			if len(s.limits) == 0 {
				s.broken, s.core = true, s.core[:0]
				return false, nil
			}
			s.learn(wrong)
			s.step *= 1 / 0.95
			if conflicts++; conflicts%1000 == 0 && ctx.Err() != nil {
				return false, stopped(ctx)
			}
			continue
		}
		if conflicts >= restart {
			round++
			restart = conflicts + restartAfter*luby(round)
			s.back(0)
		}
		decision := noClause
		for len(s.limits) < len(assumptions) && decision == noClause {
			switch l := assumptions[len(s.limits)]; {
			case s.values[l] > 0:
				s.limits = append(s.limits, len(s.trail))
			case s.values[l] < 0:
				s.blame(l)
				return false, nil
			default:
				decision = l
			}
		}
		for decision == noClause {
			if len(s.heap) == 0 {
				return true, nil
			}
			if v := s.pop(); s.values[2*v] == 0 {
				decision = 2 * v
				if s.phases[v] < 0 {
					decision++
				}
			}
		}
		s.limits = append(s.limits, len(s.trail))
		s.assign(decision, noClause)
	}
}

// luby is the sequence of Luby, Sinclair and Zuckerman: 1, 1, 2, 1, 1, 2, 4, …
func luby(i int) int {
	for k := 1; ; k++ {
		switch full := 1<<k - 1; {
		case i == full:
			return 1 << (k - 1)
		case i < full:
			return luby(i - full/2)
		}
	}
}

// learn adds what a false clause teaches, and goes back to where that says something new.
func (s *cdcl) learn(wrong uint32) {
	lits := []literal{0}
	open, at := 0, len(s.trail)-1
	top := int32(len(s.limits))
	var touched []uint32
	for c, l := wrong, noClause; ; {
		for _, m := range s.lits(c) {
			v := m >> 1
			if m == l || s.seen[v] || s.levels[v] == 0 {
				continue
			}
			s.seen[v] = true
			touched = append(touched, v)
			s.bump(v)
			if s.levels[v] == top {
				open++
			} else {
				lits = append(lits, m)
			}
		}
		for !s.seen[s.trail[at]>>1] {
			at--
		}
		l = s.trail[at]
		at--
		if open--; open == 0 {
			lits[0] = l ^ 1
			break
		}
		c = s.reasons[l>>1]
	}
	kept := lits[:1]
	for _, l := range lits[1:] {
		if !s.implied(l) {
			kept = append(kept, l)
		}
	}
	lits = kept
	for _, v := range touched {
		s.seen[v] = false
	}
	if len(lits) == 1 {
		s.back(0)
		s.assign(lits[0], noClause)
		return
	}
	second := 1
	for i := 2; i < len(lits); i++ {
		if s.levels[lits[i]>>1] > s.levels[lits[second]>>1] {
			second = i
		}
	}
	lits[1], lits[second] = lits[second], lits[1]
	glue := s.glue(lits)
	s.back(int(s.levels[lits[1]>>1]))
	s.learnt++
	s.assign(lits[0], s.attach(learned, glue, lits))
}

// implied tells whether a literal of a learned clause follows from the others.
func (s *cdcl) implied(l literal) bool {
	c := s.reasons[l>>1]
	if c == noClause {
		return false
	}
	for _, m := range s.lits(c) {
		if v := m >> 1; m != l^1 && !s.seen[v] && s.levels[v] > 0 {
			return false
		}
	}
	return true
}

// glue is the number of levels of the literals.
func (s *cdcl) glue(lits []literal) uint32 {
	s.glues = s.glues[:0]
	for _, l := range lits {
		if level := uint32(s.levels[l>>1]); !slices.Contains(s.glues, level) {
			if s.glues = append(s.glues, level); len(s.glues) > 8 {
				break
			}
		}
	}
	return uint32(len(s.glues))
}

// blame finds the assumptions that make one of them false.
func (s *cdcl) blame(l literal) {
	s.core = append(s.core[:0], l)
	if s.levels[l>>1] == 0 {
		return
	}
	s.seen[l>>1] = true
	for at := len(s.trail) - 1; at >= s.limits[0]; at-- {
		m := s.trail[at]
		v := m >> 1
		if !s.seen[v] {
			continue
		}
		s.seen[v] = false
		if s.reasons[v] == noClause {
			s.core = append(s.core, m)
			continue
		}
		for _, n := range s.lits(s.reasons[v]) {
			if n != m && s.levels[n>>1] > 0 {
				s.seen[n>>1] = true
			}
		}
	}
}

// mostLearnt is how many clauses are learnt before those of little use are forgotten.
const mostLearnt = 4000

// due tells whether renew is to be called before the next question.
func (s *cdcl) due() bool { return s.used >= manyOnces || s.learnt >= mostLearnt }

// renew forgets the clauses that are lent, those that are true, and, if many are learnt, half of the
// learnt ones.
func (s *cdcl) renew() {
	if s.settle(); s.broken {
		return
	}
	old := s.arena
	s.arena = make([]uint32, 0, len(old))
	for i := range s.watches {
		s.watches[i] = s.watches[i][:0]
	}
	many := s.learnt >= mostLearnt
	if many {
		s.learnt = 0
	}
	for c := 0; c < len(old); {
		header, glue := old[c], old[c+1]
		lits := old[c+2:][:header>>2]
		c += 2 + len(lits)
		if header&kinds == lent || many && header&kinds == learned && glue > 4 {
			continue
		}
		kept := lits[:0]
		truth := false
		for _, l := range lits {
			truth = truth || s.values[l] > 0
			if s.values[l] == 0 {
				kept = append(kept, l)
			}
		}
		if !truth {
			s.attach(header&kinds, glue, kept)
		}
	}
	for _, l := range s.trail {
		s.reasons[l>>1] = noClause
	}
	for _, v := range s.onces[:s.used] {
		s.values[2*v], s.values[2*v+1] = 0, 0
	}
	s.trail = slices.DeleteFunc(s.trail, func(l literal) bool { return s.values[l] == 0 })
	s.head, s.used = len(s.trail), 0
}

// bump makes a variable more urgent.
func (s *cdcl) bump(v uint32) {
	if s.activity[v] += s.step; s.activity[v] > 1e100 {
		for i := range s.activity {
			s.activity[i] *= 1e-100
		}
		s.step *= 1e-100
	}
	if s.places[v] >= 0 {
		s.up(int(s.places[v]))
	}
}

func (s *cdcl) push(v uint32) {
	s.places[v] = int32(len(s.heap))
	s.heap = append(s.heap, v)
	s.up(len(s.heap) - 1)
}

func (s *cdcl) pop() uint32 {
	v, last := s.heap[0], len(s.heap)-1
	s.heap[0] = s.heap[last]
	s.places[s.heap[0]] = 0
	s.heap, s.places[v] = s.heap[:last], -1
	s.down(0)
	return v
}

func (s *cdcl) up(i int) {
	v := s.heap[i]
	for i > 0 {
		parent := (i - 1) / 2
		if s.activity[s.heap[parent]] >= s.activity[v] {
			break
		}
		s.heap[i] = s.heap[parent]
		s.places[s.heap[i]] = int32(i)
		i = parent
	}
	s.heap[i], s.places[v] = v, int32(i)
}

func (s *cdcl) down(i int) {
	if i >= len(s.heap) {
		return
	}
	v := s.heap[i]
	for {
		child := 2*i + 1
		if child >= len(s.heap) {
			break
		}
		if child+1 < len(s.heap) && s.activity[s.heap[child+1]] > s.activity[s.heap[child]] {
			child++
		}
		if s.activity[s.heap[child]] <= s.activity[v] {
			break
		}
		s.heap[i] = s.heap[child]
		s.places[s.heap[i]] = int32(i)
		i = child
	}
	s.heap[i], s.places[v] = v, int32(i)
}
