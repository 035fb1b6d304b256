package memberlist

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/property"
)

// Properties returns what holds in every execution, if the members join again whom they
// have lost, and nothing is on its way for more rounds than given.
func Properties(drained int) []property.Property {
	return []property.Property{Converges, Joins, StaysDead(drained)}
}

// Converges says that by the end all members that are up hold exactly those for alive
// that are up and do not leave. Who is suspected counts as alive.
var Converges = property.Property{Name: "views converge", FactsOnly: true, ByEnd: true, Func: func(e *recording.Execution) (all []result.Violation) {
	v := viewsOf(e)
	end := e.Bounds.EOT
	for _, p := range e.Bounds.Processes {
		if !v.running(p, end) {
			continue
		}
		for _, q := range e.Bounds.Processes {
			if q != p && v.live(p, q, end) != v.running(q, end) {
				all = append(all, violation("views converge", fmt.Sprintf("%s holds %s for %s in round %d, but it %s",
					p, q, v.holds(p, q, end), end, v.really(q, end)), end, p, q))
			}
		}
	}
	return all
}}

// Joins says that every member that is up at the end, and not alone, has joined.
var Joins = property.Property{Name: "joins complete", FactsOnly: true, ByEnd: true, Func: func(e *recording.Execution) (all []result.Violation) {
	v := viewsOf(e)
	end := e.Bounds.EOT
	up := slices.DeleteFunc(slices.Clone(e.Bounds.Processes), func(p string) bool { return !v.running(p, end) })
	for _, p := range up {
		if len(up) > 1 && !v.joined[place{p, end}] {
			all = append(all, violation("joins complete", fmt.Sprintf("%s has not joined the others by round %d", p, end), end, p))
		}
	}
	return all
}}

// StaysDead says that who has crashed for good is not held for alive again when it was
// forgotten: when all members that are up have not held it for alive or suspect for so
// many rounds that nothing can be on its way any more which was sent before. Rounds in which
// one of them is paused do not count, as what is sent to it waits. A member that
// is held for dead by some may well come back: it refutes that, or news of its death come
// late.
func StaysDead(drained int) property.Property {
	const name = "the dead stay dead"
	return property.Property{Name: name, FactsOnly: true, Func: func(e *recording.Execution) (all []result.Violation) {
		v := viewsOf(e)
		for _, q := range e.Bounds.Processes {
			since := 0
			for round := 1; round <= e.Bounds.EOT; round++ {
				holder, forgotten := v.forgotten(q, round)
				switch {
				case forgotten:
					since++
				case since >= drained && holder != "":
					all = append(all, violation(name, fmt.Sprintf("%s, which has crashed, was alive for nobody in %d rounds, but %s holds it for %s in round %d",
						q, since, holder, v.holds(holder, q, round), round), round, holder, q))
					since = 0
				case holder != "" || !v.down(q, round):
					since = 0
				}
			}
		}
		return all
	}}
}

// forgotten tells whether a process is down, and no process that is up, each of which
// reports, holds it for alive; and who does if one does.
func (v *views) forgotten(q string, round int) (holder string, forgotten bool) {
	if !v.down(q, round) {
		return "", false
	}
	all := true
	for _, p := range v.e.Bounds.Processes {
		switch {
		case v.down(p, round):
		case v.live(p, q, round):
			return p, false
		case !v.reports[place{p, round}]:
			all = false
		}
	}
	return "", all
}

// place is a process in a round.
type place struct {
	process string
	round   int
}

// views are what members say in each round.
type views struct {
	e       *recording.Execution
	states  map[place]map[string]string // by the other member
	reports map[place]bool
	joined  map[place]bool
	leaves  map[place]bool
}

func viewsOf(e *recording.Execution) *views {
	v := &views{e: e, states: map[place]map[string]string{}, reports: map[place]bool{}, joined: map[place]bool{}, leaves: map[place]bool{}}
	for _, f := range e.Facts {
		if len(f.Args) == 0 {
			continue
		}
		at := place{f.Args[0].Text(), f.Round}
		switch {
		case f.Relation == "member" && len(f.Args) == 3:
			if v.states[at] == nil {
				v.states[at] = map[string]string{}
			}
			v.states[at][f.Args[1].Text()] = f.Args[2].Text()
			v.reports[at] = true
		case f.Relation == "joined":
			v.joined[at] = true
		case f.Relation == "leaves":
			v.leaves[at] = true
		}
	}
	return v
}

// holds returns what a member holds another for.
func (v *views) holds(p, q string, round int) string {
	if state := v.states[place{p, round}][q]; state != "" {
		return state
	}
	return "nobody"
}

// live tells whether a member holds another for alive, or suspects it only.
func (v *views) live(p, q string, round int) bool {
	state := v.holds(p, q, round)
	return state == "alive" || state == "suspect"
}

// running tells whether a process is up, and does not leave.
func (v *views) running(p string, round int) bool {
	return !v.down(p, round) && !v.leaves[place{p, round}]
}

// down tells whether a process has crashed and is not back.
func (v *views) down(p string, round int) bool {
	crashes := 0
	for _, f := range v.e.Schedule.Faults {
		if f.Process == p && f.Round <= round {
			switch f.Kind {
			case rounds.Crash:
				crashes++
			case rounds.Restart:
				crashes--
			}
		}
	}
	return crashes > 0
}

// really says what a process is.
func (v *views) really(q string, round int) string {
	switch {
	case v.down(q, round):
		return "has crashed"
	case v.leaves[place{q, round}]:
		return "has left"
	}
	return "is up"
}

func violation(name, text string, round int, names ...string) result.Violation {
	fact := recording.Fact{Relation: "violation", Round: round}
	for _, n := range names {
		fact.Args = append(fact.Args, specs.String(n))
	}
	return result.Violation{Property: name, Fact: fact, Text: text}
}
