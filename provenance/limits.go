package provenance

import (
	"context"
	"fmt"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// budget ends an evaluation that takes too long or grows too large. Loops ask
// goOn; the first error stays.
type budget struct {
	ctx      context.Context
	circuit  *solver.Circuit
	values   *values
	maxFacts int
	progress func(round int)
	work
	memory limits.MemoryCount

	now            int // the round
	facts, firings int
	steps          int // up to the last look at the context and the circuit
	fuel           int // steps until the next one
	err            error
}

const (
	stepsPerCheck  = 1024
	firingsPerFact = 3          // how many firings there may be for each fact that there may be
	stepsPerFact   = 1000       // steps, most of which lead nowhere
	fewSteps       = 10_000_000 // which are always allowed
)

func newBudget(ctx context.Context, g *Graph, o Options) budget {
	return budget{ctx: ctx, circuit: g.Circuit, values: g.values, maxFacts: o.MaxFacts, progress: o.Progress, fuel: stepsPerCheck, work: newWork(g.Circuit, o), memory: limits.MemoryOf(ctx)}
}

// goOn counts a step. It returns false when the evaluation is to end.
func (l *budget) goOn() bool {
	l.fuel--
	if l.fuel > 0 && l.err == nil {
		return true
	}
	return l.check()
}

// check looks at the context and the circuit. It returns false when the
// evaluation is to end.
func (l *budget) check() bool {
	l.steps += stepsPerCheck - l.fuel
	l.fuel = stepsPerCheck
	if l.err != nil {
		return false
	}
	if l.maxFacts > 0 && l.steps > max(fewSteps, stepsPerFact*l.maxFacts) {
		l.err = &limits.LimitError{What: StepsOfMatching, Count: l.steps, Round: l.now}
		return false
	}
	if l.tooMuch(); l.err != nil {
		return false
	}
	if further := l.circuit.Bytes() + ofValue*int64(len(l.values.list)); !l.memory.With(further) {
		l.err = limits.OfMemory(l.memory, "", l.now)
		return false
	}
	if l.ctx.Err() != nil {
		l.err = fmt.Errorf("evaluating the program: %w", context.Cause(l.ctx))
	} else if err := l.circuit.Err(); err != nil {
		l.err = fmt.Errorf("evaluating the program: %w", err)
	}
	return l.err == nil
}

// fail ends the evaluation.
func (l *budget) fail(err error) {
	if l.err == nil {
		l.err = err
	}
}

// round reports the round of the evaluation to the caller.
func (l *budget) round(round int) {
	l.now = round
	if l.progress != nil {
		l.progress(round)
	}
}

// What a fact and a firing take in bytes, beside a cell for each column and variable. Facts
// are in a list, which may have room for as many more, and in tables, by hash.
const (
	ofCell     = 4
	ofFact     = 80 + 16 + 24
	ofPattern  = 4 + 24
	ofFiring   = 80
	ofDeferred = 48
	ofSend     = 200
	ofColumn   = 32 + ofCell // of a sent message
	ofUse      = 8
	ofBody     = 160 // of a firing in a recursion, which is stored once more in terms of its facts
	ofValue    = 120
)

func (l *budget) countFact(n *node) {
	l.facts++
	if !l.memory.Take(ofFact + ofPattern*len(n.relation.patterns) + ofCell*n.relation.arity) {
		l.fail(limits.OfMemory(l.memory, n.relation.name, n.round))
	}
	if l.maxFacts > 0 && l.facts > l.maxFacts {
		l.fail(&limits.LimitError{What: "facts", Relation: n.relation.name, Count: l.facts, Round: n.round})
	}
}

func (l *budget) countFiring(r *rule, round int) {
	l.firings++
	bytes := ofFiring + ofCell*len(r.variables) + ofUse*len(r.positive)
	if l.inside {
		bytes += ofBody + 3*ofUse*len(r.positive)
	}
	l.countMemory(bytes, r, round)
	if l.maxFacts > 0 && l.firings > firingsPerFact*l.maxFacts {
		l.fail(&limits.LimitError{What: "rule firings", Relation: r.head.name, Count: l.firings, Round: round})
	}
}

// countMemory counts memory other than that of facts and firings.
func (l *budget) countMemory(bytes int, r *rule, round int) {
	if !l.memory.Take(bytes) {
		l.fail(limits.OfMemory(l.memory, r.head.name, round))
	}
}

// maxTables is the most that is prepared before anything is evaluated.
const maxTables = 10_000_000

// tooLarge refuses programs and bounds for which there would be no memory.
func tooLarge(p *dedalus.Program, b rounds.Bounds) error {
	n := len(b.Processes)
	if each := len(p.Relations()) + len(p.Rules) + n*(n+1); each > maxTables/b.EOT {
		return &limits.LimitError{What: "relations, rules and pairs of processes in all rounds together", Count: each * b.EOT, Round: 1}
	}
	return nil
}
