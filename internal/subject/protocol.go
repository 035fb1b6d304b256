package subject

import (
	"context"
	"fmt"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// protocol is a program with its bounds.
type protocol struct {
	dir     string // of the subject
	program *dedalus.Program
	limits  rounds.Bounds
	goals   string
}

func openProtocol(s *Subject) (*protocol, error) {
	program, err := dedalus.Parse(s.paths(s.Files)...)
	if err != nil {
		return nil, err
	}
	bounds, goals, err := rounds.BoundsOf(program, s.Bounds)
	if err != nil {
		return nil, err
	}
	return &protocol{s.Dir, program, bounds, goals}, nil
}

func (p *protocol) close() {}

func (p *protocol) bounds() rounds.Bounds { return p.limits.Normal() }

func (p *protocol) search(ctx context.Context) (*Answer, error) {
	r, err := ldfi.Check(ctx, p.program, p.limits, ldfi.Options{Goals: p.goals})
	if err != nil {
		return nil, err
	}
	a := &Answer{
		Verdict: r.Verdict, Executions: r.Stats.Executions, Scope: r.Scope,
		Complete: r.Verdict == ldfi.Holds, Warnings: warningTexts(r.Warnings),
	}
	if r.Vacuous() {
		a.Warnings = append(a.Warnings, "the promise is vacuous: "+r.Vacuity)
	}
	if r.Verdict == ldfi.Inconclusive {
		a.Reason = r.Limit.Reason
		if r.Decided > 0 {
			a.Reason += fmt.Sprintf("; with eot=%d it is decided", r.Decided)
		}
	}
	if len(r.Counterexamples) > 0 {
		c := r.Counterexamples[0]
		a.Schedule, a.Size, a.Minimal, a.Because, a.Execution = c.Schedule, c.Size, c.Minimal, c.Reason, c.Execution
		a.Violations, a.Senders = p.violations(c.Violations), p.senders(c.Execution)
	}
	return a, nil
}

func (p *protocol) replay(ctx context.Context, s rounds.Schedule) (*Answer, error) {
	if err := p.fits(s); err != nil {
		return nil, err
	}
	in, err := ldfi.Inject(ctx, p.program, p.limits, s, ldfi.Options{Goals: p.goals})
	if err != nil {
		return nil, err
	}
	if in.Verdict == "" {
		return nil, &ldfi.NoPromiseError{File: p.program.Files[0]}
	}
	a := &Answer{
		Verdict: in.Verdict, Schedule: in.Schedule, Size: in.Schedule.Size(), Executions: 1,
		Scope: scopeOf(in.Bounds), Warnings: warningTexts(in.Warnings),
	}
	if in.Verdict == ldfi.Violated {
		a.Because, a.Execution, a.Violations = in.Reason, in.Execution, p.violations(in.Violations)
		a.Senders = p.senders(in.Execution)
	}
	return a, nil
}

// fits reports what of a schedule the protocol does not have.
func (p *protocol) fits(s rounds.Schedule) error {
	err := s.CheckProgram()
	if err == nil {
		err = s.Check(p.limits.Processes, p.limits.EOT)
	}
	if err != nil {
		return &MisfitError{err}
	}
	return nil
}

// violations says where the promises are stated that are broken.
func (p *protocol) violations(all []ldfi.Violation) []Violation {
	var list []Violation
	for _, v := range all {
		at := p.definition(v.Fact.Relation)
		list = append(list, Violation{v.Fact.Relation, v.Text(p.limits.Processes), at.File, at.Line, at.Column})
	}
	return list
}

// definition returns where a relation has its first rule or, without rules, its
// first fact.
func (p *protocol) definition(relation string) specs.Position {
	for _, r := range p.program.Rules {
		if r.Head.Relation == relation {
			return r.Position
		}
	}
	for _, f := range p.program.Facts {
		if f.Relation == relation {
			return f.Position
		}
	}
	return specs.Position{File: p.program.Files[0], Line: 1, Column: 1}
}

// senders returns the rules that send the messages of an execution.
func (p *protocol) senders(e *recording.Execution) []Sender {
	sent := map[string]bool{}
	for _, m := range e.Messages {
		sent[m.Relation] = true
	}
	var list []Sender
	for _, r := range p.program.Rules {
		if relation := r.Head.Relation; r.Kind == syntax.Async && sent[relation] {
			sent[relation] = false
			list = append(list, Sender{relation, r.Position.File, r.Position.Line, r.Position.Column})
		}
	}
	return list
}

// warningTexts returns warnings in one line each.
func warningTexts(all []specs.Warning) []string {
	var texts []string
	for _, w := range all {
		w.Excerpt = ""
		texts = append(texts, w.String())
	}
	return texts
}
