package schedules

import "github.com/lineage-driven/ldfi/rounds"

// alternatives are the facts that the environment can choose in place of the default ones,
// each once for all rounds. Those of one choice are adjacent.
var alternatives = domain{
	count: func(u *Universe) int { return len(u.alternatives) },
	name: func(u *Universe, target int, f *rounds.Fault) {
		f.Detail, f.Round = u.alternatives[target].Detail, u.alternatives[target].Round
	},
	of: func(u *Universe, f rounds.Fault) (int, bool) {
		target, ok := u.alternative[f]
		return target, ok
	},
}

// addAlternatives lists the facts that the environment can choose.
func (u *Universe) addAlternatives() {
	if len(u.bounds.Choose) == 0 {
		return
	}
	u.alternative = map[rounds.Fault]int{}
	for _, c := range u.bounds.Choose {
		for _, f := range c.Others() {
			u.alternative[f] = len(u.alternatives)
			u.alternatives = append(u.alternatives, f)
		}
	}
}

// slotsOfChoices returns the slots of the choices: one slot for all alternatives of a
// choice, or one for each alternative if any number of them can be chosen.
func (u *Universe) slotsOfChoices(first int) []slot {
	all := []slot{}
	for _, c := range u.bounds.Choose {
		n := len(c.Others())
		switch {
		case n == 0:
		case c.Exclusive():
			all = append(all, slot{first, 1, n})
		default:
			for i := range n {
				all = append(all, slot{first + i, 1, 1})
			}
		}
		first += n
	}
	return all
}

// IsChoice tells whether unit is a choice of the environment and no fault.
func (u *Universe) IsChoice(unit int) bool {
	s := &u.sections[chosen]
	return s.first <= unit && unit < s.first+s.len()
}

// Choices returns the number of units that are choices of the environment and no
// faults.
func (u *Universe) Choices() int { return u.sections[chosen].len() }

// Alternatives returns the units of the choice c, without its default.
func (u *Universe) Alternatives(c rounds.Choice) (units []int) {
	for _, f := range c.Others() {
		if unit, ok := u.Index(f); ok {
			units = append(units, unit)
		}
	}
	return units
}

// Chosen returns the facts that the environment chooses under the schedule, including
// defaults.
func (e *Environment) Chosen() []rounds.Fault {
	var facts []rounds.Fault
	on := map[rounds.Fault]bool{}
	for _, f := range e.schedule.Faults {
		if f.Kind == rounds.Choose {
			on[f] = true
		}
	}
	for _, c := range e.bounds.Choose {
		some := false
		for _, f := range c.Of {
			if on[f] {
				facts, some = append(facts, f), true
			}
		}
		if f, ok := c.Default(); ok && !some {
			facts = append(facts, f)
		}
	}
	return facts
}
