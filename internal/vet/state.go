package vet

import (
	"context"
	"slices"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// State is the part of a program that makes up the local states of its processes.
type State struct {
	Program   *dedalus.Program // the part on which the promise depends
	Relations []string         // the relations that processes keep, sorted
	Promise   []string
}

// StateOf returns the relations that processes keep and that depend on messages or
// faults. Messages that are kept, and read in their round only, belong to no state.
func StateOf(ctx context.Context, p *dedalus.Program, b rounds.Bounds) (*State, error) {
	a := newAnalysis(p, b)
	if err := a.evaluate(ctx); err != nil {
		return nil, err
	}
	s := &State{Program: a.Program, Promise: a.Promise}
	for _, r := range a.Program.Rules {
		relation := r.Head.Relation
		if r.Kind == syntax.Next && !a.timed[relation] && !a.mailbox(relation) && !slices.Contains(s.Relations, relation) {
			s.Relations = append(s.Relations, relation)
		}
	}
	slices.Sort(s.Relations)
	return s, nil
}

// mailbox tells whether a relation has messages, which are at most kept, and are read in
// their round only.
func (a *analysis) mailbox(relation string) bool {
	if !a.messages[relation] || a.schedule == nil {
		return false
	}
	for _, r := range a.Program.Rules {
		if r.Head.Relation == relation && r.Kind != syntax.Async && !keeps(r) {
			return false
		}
	}
	_, carries := a.carried[relation]
	return !carries && !slices.ContainsFunc(a.schedule.leaks, func(l leak) bool { return l.atom.Relation == relation })
}
