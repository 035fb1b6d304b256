package schedules

import "github.com/lineage-driven/ldfi/rounds"

// Renamed returns, for each unit, the unit of its fault under other names: rename changes
// the names of processes in a fault, and neither its kind nor when it happens. It
// returns false if one of them is no unit.
func (u *Universe) Renamed(rename func(rounds.Fault) rounds.Fault) ([]int, bool) {
	units := make([]int, u.Len())
	for i := range u.sections {
		s := &u.sections[i]
		for target := range s.width {
			if s.last == 0 {
				break
			}
			f := rounds.Fault{Kind: s.kind.kind, Round: 1}
			s.domain.name(u, s.target(target), &f)
			other, ok := s.domain.of(u, rename(f))
			if !ok {
				return nil, false
			}
			if other, ok = s.number(other); !ok {
				return nil, false
			}
			for step := s.from; step <= s.last; step++ {
				from, to := s.unit(target, step), s.unit(other, step)
				if u.Alive(from) != u.Alive(to) {
					return nil, false
				}
				units[from] = to
			}
		}
	}
	return units, true
}
