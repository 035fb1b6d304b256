package schedules

import "github.com/lineage-driven/ldfi/rounds"

// Moment is a moment at which a process can crash or restart, with the units of that
// crash or restart.
type Moment struct {
	Kind  rounds.Kind // Crash or Restart
	Round int
	Units []int
}

// Chain returns the moments at which a process can crash or restart, in the order
// of time. In a schedule they come in turn: a process that is up crashes, one that
// is down restarts. So the crashes and restarts of a process are a schedule if,
// going through the moments,
//
//	no crash is on while it is down, and none twice at one moment,
//	no restart is on while it is up.
//
// In a round a process can crash, then restart, then crash at one of its points
// within the round. While it is down by a crash of an earlier round, or by one of
// this round that is not at a point, it takes no part in the round.
func (u *Universe) Chain(p int) []Moment {
	var chain []Moment
	units := func(row, target, count, round int) []int {
		s := &u.sections[row]
		if s.last == 0 || count == 0 || round < s.from || round > s.last {
			return nil
		}
		number, ok := s.number(target) // the units of one target have consecutive numbers
		if !ok {
			return nil
		}
		return run(s.unit(number, round), count)
	}
	add := func(k rounds.Kind, round int, units []int) {
		if units = u.living(units); len(units) > 0 {
			chain = append(chain, Moment{k, u.inRounds(rounds.Fault{Round: round}).Round, units})
		}
	}
	for round := 1; round <= u.bounds.LastFault(); round++ {
		add(rounds.Crash, round, append(units(crashes, p, 1, round), units(disks, u.outcome(p, 1), u.outcomes-1, round)...))
		add(rounds.Restart, round, units(restarts, p, 1, round))
		add(rounds.Crash, round, units(points, u.before[p], u.before[p+1]-u.before[p], round))
	}
	return chain
}
