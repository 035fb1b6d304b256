package system

import (
	"cmp"

	"github.com/lineage-driven/ldfi/rounds"
)

// Abilities are the optional methods and machines that the processes of a system have:
// a field is true if all processes have the ability, unless it says otherwise.
type Abilities struct {
	Restarts, Ticks, Fingerprints, Snapshots bool

	Clocks bool // each process has a clock of a machine, or timers, that can run fast or slow, and jump
	Timers bool // each process has timers, and none has a clock of a machine

	Final []string // the processes that cannot restart

	// Machine has Clock and Disk if the machines of all processes do, Single and
	// Goroutines and Terminates if that of any process does, and the first Inexact that is not empty.
	Machine Machine

	Points map[string][]string // the points within a round at which each process can crash, in the order in which it names them; nil: none
}

// Abilities returns the abilities of the processes. It makes each process once, and
// closes it.
func (s *System) Abilities() (a Abilities, err error) {
	r := s.NewRunner()
	r.watched(func() { a, err = r.abilities() })
	return a, err
}

func (r *Runner) abilities() (a Abilities, err error) {
	defer func() {
		if wrong := r.close(); err == nil {
			err = wrong
		}
	}()
	if err := r.reset(rounds.Schedule{}); err != nil {
		return Abilities{}, err
	}
	a = Abilities{Restarts: true, Ticks: true, Fingerprints: true, Snapshots: true, Clocks: true, Timers: true, Machine: Machine{Clock: true, Disk: true}}
	for _, p := range r.processes {
		_, restarts := p.process.(Restarter)
		if !restarts {
			a.Final = append(a.Final, p.name)
		}
		_, snapshots := p.process.(Snapshotter)
		a.Restarts, a.Ticks = a.Restarts && restarts, a.Ticks && p.ticker != nil
		a.Fingerprints, a.Snapshots = a.Fingerprints && p.fingerprinter != nil, a.Snapshots && snapshots
		a.Clocks, a.Timers = a.Clocks && p.clocked(), a.Timers && p.ticker != nil && !p.machine.Clock
		a.Machine = a.Machine.and(p.machine)
		if len(p.points) > 0 {
			if a.Points == nil {
				a.Points = map[string][]string{}
			}
			a.Points[p.name] = p.points
		}
	}
	return a, nil
}

// and returns what both machines have.
func (m Machine) and(n Machine) Machine {
	return Machine{
		Clock: m.Clock && n.Clock, Disk: m.Disk && n.Disk, Goroutines: m.Goroutines || n.Goroutines, Terminates: m.Terminates || n.Terminates,
		Single: m.Single || n.Single, Inexact: cmp.Or(m.Inexact, n.Inexact),
	}
}
