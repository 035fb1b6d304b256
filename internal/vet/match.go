package vet

import (
	"context"
	"fmt"

	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/solver"
)

// match returns a schedule of crashes and omissions under which all processes have the
// wanted histories, and false if there is none.
func (f *finder) match(ctx context.Context, delayed rounds.Schedule, want []history) (rounds.Schedule, bool, error) {
	for _, guess := range guesses(delayed) {
		run, err := f.executor.run(ctx, guess)
		if err != nil {
			return rounds.Schedule{}, false, err
		}
		if sameHistories(f.histories(run), want) {
			return guess, true, nil
		}
	}
	return f.solve(ctx, delayed, want)
}

// guesses are the schedules that are tried first: late messages are lost, or in time.
func guesses(delayed rounds.Schedule) []rounds.Schedule {
	var lost, prompt rounds.Schedule
	for _, fault := range delayed.Faults {
		if fault.Kind != rounds.Delay {
			lost.Faults, prompt.Faults = append(lost.Faults, fault), append(prompt.Faults, fault)
			continue
		}
		lost.Faults = append(lost.Faults, rounds.Fault{Kind: rounds.Omit, Process: fault.Process, To: fault.To, Round: fault.Round})
	}
	return []rounds.Schedule{lost, prompt}
}

// solve finds such a schedule with the solver, and executes it.
func (f *finder) solve(ctx context.Context, delayed rounds.Schedule, want []history) (rounds.Schedule, bool, error) {
	if f.graph == nil {
		var err error
		if f.graph, err = provenance.Evaluate(ctx, f.program, lossy(f.bounds), f.limits); err != nil {
			return rounds.Schedule{}, false, err
		}
	}
	c := f.graph.Circuit
	s := solver.NewSolver(c)
	for _, l := range f.graph.Valid {
		s.Assert(l)
	}
	f.sameCrashes(s, delayed)
	for i, h := range want {
		s.Assert(f.shows(f.bounds.Processes[i], h))
	}
	if err := c.Err(); err != nil {
		return rounds.Schedule{}, false, err
	}
	status, err := s.Solve(ctx)
	if err != nil || status != solver.Sat {
		return rounds.Schedule{}, false, err
	}
	return f.confirmed(ctx, s, want)
}

// lossy returns bounds within which any message can be lost, and processes crash as they
// may.
func lossy(b rounds.Bounds) rounds.Bounds {
	return rounds.Bounds{
		Processes: b.Processes, EOT: b.EOT, Omissions: rounds.Unlimited,
		Crashes: b.Crashes, CrashStop: b.CrashStop, NeverCrash: b.NeverCrash,
		Choose: b.Choose, // the choices hold by default
		Kinds:  b.Kinds,
	}
}

// sameCrashes requires the crashes of a schedule.
func (f *finder) sameCrashes(s *solver.Solver, delayed rounds.Schedule) {
	crashes := map[rounds.Fault]bool{}
	for _, fault := range delayed.Faults {
		crashes[fault] = true
	}
	for unit, input := range f.graph.Inputs {
		if fault := f.graph.Universe.Fault(unit); fault.Kind == rounds.Crash {
			if !crashes[fault] {
				input = input.Not()
			}
			s.Assert(input)
		}
	}
}

// shows returns the condition under which a process has a history: in round 1 it is in the
// first state, in each further round in the same or the next state, and in the last round
// in the last state.
func (f *finder) shows(process string, h history) solver.Lit {
	c := f.graph.Circuit
	here := make([]solver.Lit, len(h)) // the process has reached each of the states, by this round
	for i := range here {
		here[i] = solver.False
	}
	for round := 1; round <= f.bounds.EOT; round++ {
		next := make([]solver.Lit, len(h))
		for i := range h {
			come := here[i]
			switch {
			case round == 1 && i == 0:
				come = solver.True
			case i > 0:
				come = c.Or(come, here[i-1])
			}
			next[i] = c.And(come, f.isIn(process, h[i], round))
		}
		here = next
	}
	return here[len(h)-1]
}

// isIn is when a process is in a state in a round.
func (f *finder) isIn(process string, s state, round int) solver.Lit {
	in := map[string]bool{}
	for _, fact := range s {
		in[fact.String()] = true
	}
	var all []solver.Lit
	found := 0
	for _, relation := range f.relations {
		for _, fact := range f.graph.Facts(relation, round) {
			args := fact.Args()
			if len(args) == 0 || args[0] != f.program.ProcessValue(process) {
				continue
			}
			if in[recording.Fact{Relation: relation, Args: args}.String()] {
				all, found = append(all, fact.Cond()), found+1
			} else {
				all = append(all, fact.Cond().Not())
			}
		}
	}
	if found < len(s) {
		return solver.False
	}
	return f.graph.Circuit.Ands(all...)
}

// confirmed executes the schedule that the solver found.
func (f *finder) confirmed(ctx context.Context, s *solver.Solver, want []history) (rounds.Schedule, bool, error) {
	var found rounds.Schedule
	for unit, input := range f.graph.Inputs {
		if s.Value(input) {
			found.Faults = append(found.Faults, f.graph.Universe.Fault(unit))
		}
	}
	run, err := f.executor.run(ctx, found)
	if err != nil {
		return found, false, err
	}
	if !sameHistories(f.histories(run), want) {
		return found, false, fmt.Errorf("internal error: %s was to have the same local histories, and has others", found)
	}
	return found, true, nil
}

// differs returns the first process whose history alone no execution in lock-step rounds
// has.
func (f *finder) differs(ctx context.Context, delayed rounds.Schedule, want []history) (string, error) {
	for i, name := range f.bounds.Processes {
		s := solver.NewSolver(f.graph.Circuit)
		for _, l := range f.graph.Valid {
			s.Assert(l)
		}
		f.sameCrashes(s, delayed)
		s.Assert(f.shows(name, want[i]))
		status, err := s.Solve(ctx)
		if err != nil {
			return "", err
		}
		if status == solver.Unsat {
			return name, nil
		}
	}
	return "", nil
}
