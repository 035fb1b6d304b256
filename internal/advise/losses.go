package advise

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// mostGood is how many good executions a change is measured by, but for the one without
// faults: of more single faults every second, third and so on is taken.
const mostGood = 100

// place is a relation at a process, which its first column names; the first column of a
// relation that is at none is not looked at.
type place struct{ relation, process string }

// A good execution is one in which the program as it is keeps its promise: without
// faults, or with a single one.
type good struct {
	schedule rounds.Schedule
	has      map[place]int // since which round
}

// losses is what good executions lose by a change.
type losses struct {
	all  []result.Forgone
	sum  int              // places, each counted in every execution that loses it
	ends []result.Forgone // relations of the promise that in none of them a process takes over any more
}

// usual returns the good executions, that without faults first. They are made once.
func (c *checker) usual(ctx context.Context) ([]good, error) {
	if c.good != nil {
		return c.good, nil
	}
	trials, err := c.model.Trials(ctx)
	if err != nil {
		return nil, err
	}
	for _, s := range c.singleFaults() {
		in, err := trials.Execute(ctx, s)
		if err != nil {
			return nil, err
		}
		if in.Verdict != result.Holds {
			continue
		}
		has, err := c.places(in)
		if err != nil {
			return nil, err
		}
		c.good = append(c.good, good{s, has})
	}
	return c.good, nil
}

// singleFaults returns the schedule without faults, and with single ones.
func (c *checker) singleFaults() []rounds.Schedule {
	u := schedules.New(c.bounds)
	var single []rounds.Schedule
	for unit := range u.Len() {
		if u.IsChoice(unit) || !u.Alive(unit) {
			continue
		}
		s := u.Schedule(func(other int) bool { return other == unit })
		s.Faults = append(s.Faults, c.chosen.Faults...)
		if s = s.Normal(); s.Size() == 1 && schedules.Within(s, c.bounds) == nil {
			single = append(single, s)
		}
	}
	all := []rounds.Schedule{c.chosen}
	step := max(1, (len(single)+mostGood-1)/mostGood)
	for i := 0; i < len(single); i += step {
		all = append(all, single[i])
	}
	return all
}

// places returns where an execution has which of the relations that are the protocol's, or
// that the rules for violation speak about. What a process has while it is down is of no
// use to anybody.
func (c *checker) places(in *result.Injection) (map[place]int, error) {
	has := map[place]int{}
	environment, err := schedules.NewEnvironment(in.Bounds, in.Schedule)
	if err != nil {
		return nil, err
	}
	for _, f := range in.Execution.Facts {
		if c.specification[f.Relation] && !slices.Contains(c.spoken, f.Relation) {
			continue
		}
		at := place{relation: f.Relation}
		if len(f.Args) > 0 {
			if p := slices.Index(c.bounds.Processes, f.Args[0].Text()); p >= 0 {
				if _, down := environment.DownBy(p, f.Round); down {
					continue
				}
				at.process = f.Args[0].Text()
			}
		}
		if since, known := has[at]; !known || f.Round < since {
			has[at] = f.Round
		}
	}
	return has, nil
}

// loses executes a program with a candidate under all that good executions are under, and
// returns what they lose.
func (c *checker) loses(ctx context.Context, added candidate) (losses, error) {
	usual, err := c.usual(ctx)
	if err != nil || len(usual) == 0 {
		return losses{}, err
	}
	p, err := dedalus.ParseText("with a suggestion", added.program(c.program))
	if err != nil {
		return losses{}, err
	}
	b := c.bounds
	b.Durable = slices.Concat(b.Durable, added.durable())
	if b, err = b.Knowing(p); err != nil {
		return losses{}, err
	}
	m, err := ldfi.New(p, b, c.options)
	if err != nil {
		return losses{}, err
	}
	trials, err := m.Trials(ctx)
	if err != nil {
		return losses{}, err
	}
	first, normal := map[place]*result.Forgone{}, usual[0].has
	ended, goesOn := map[string]*result.Forgone{}, map[string]bool{}
	var l losses
	for _, g := range usual {
		in, err := trials.Execute(ctx, g.schedule)
		if err != nil {
			return losses{}, err
		}
		with, err := c.places(in)
		if err != nil {
			return losses{}, err
		}
		for at := range g.has {
			if with[at] > 0 {
				continue
			}
			l.sum++
			if first[at] == nil {
				first[at] = &result.Forgone{Relation: at.relation, Process: at.process, Schedule: g.schedule}
			}
			first[at].Executions++
		}
		for _, relation := range c.spoken {
			if !takenOver(g.has, normal, relation) {
				continue
			}
			if takenOver(with, normal, relation) {
				goesOn[relation] = true
			} else if ended[relation] == nil {
				ended[relation] = &result.Forgone{Relation: relation, Executions: 1, Schedule: g.schedule}
			} else {
				ended[relation].Executions++
			}
		}
	}
	for _, one := range first {
		l.all = append(l.all, *one)
	}
	slices.SortFunc(l.all, func(a, b result.Forgone) int {
		return cmp.Or(b.Executions-a.Executions, cmp.Compare(a.Relation, b.Relation), cmp.Compare(a.Process, b.Process))
	})
	for _, relation := range slices.Sorted(maps.Keys(ended)) {
		if !goesOn[relation] {
			l.ends = append(l.ends, *ended[relation])
		}
	}
	return l, nil
}

// takenOver tells whether a process that does not have a relation without faults has it
// after another one had it, as who leads when a leader has failed.
func takenOver(has, normal map[place]int, relation string) bool {
	for at, since := range has {
		if at.relation != relation || at.process == "" || normal[at] > 0 {
			continue
		}
		for before, round := range has {
			if before.relation == relation && before.process != "" && round < since {
				return true
			}
		}
	}
	return false
}
