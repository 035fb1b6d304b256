package rounds

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/specs/spelling"
)

// Check reports a fault that is not possible with these processes and rounds,
// whatever the budgets.
func (s Schedule) Check(processes []string, eot int) error {
	return s.check(indexOf(processes), processes, eot)
}

// indexOf returns the index of each process.
func indexOf(processes []string) map[string]int {
	index := make(map[string]int, len(processes))
	for i, name := range processes {
		index[name] = i
	}
	return index
}

func (s Schedule) check(index map[string]int, processes []string, eot int) error {
	crashes := make([]Fault, 0, 8)
	for _, f := range s {
		if err := f.check(index, processes, eot); err != nil {
			return fmt.Errorf("schedule: %s: %w", f, err)
		}
		if f.Kind != Crash {
			continue
		}
		i := slices.IndexFunc(crashes, func(g Fault) bool { return g.Process == f.Process })
		if i < 0 {
			crashes = append(crashes, f)
		} else if crashes[i].Round != f.Round {
			return fmt.Errorf("schedule: %s: %s has crashed in round %d already", f, f.Process, crashes[i].Round)
		}
	}
	return nil
}

func (f Fault) check(index map[string]int, processes []string, eot int) error {
	if f.Kind == Restart {
		return errors.New("restart is not supported for Dedalus programs")
	}
	if f.Kind < Crash || f.Kind > Restart {
		return errors.New("there is no such kind of fault")
	}
	if _, ok := index[f.Process]; !ok {
		return unknownProcess(f.Process, processes)
	}
	if f.Kind == Omit {
		if _, ok := index[f.To]; !ok {
			return unknownProcess(f.To, processes)
		}
		if f.To == f.Process {
			return errors.New("a message from a process to itself is never lost")
		}
	}
	if f.Round < 1 || f.Round > eot {
		return noRound(f.Round, eot)
	}
	if f.Kind == Isolate && f.Until > eot {
		return noRound(f.Until, eot)
	}
	return nil
}

func noRound(round, eot int) error {
	return fmt.Errorf("there is no round %d, the rounds are 1 to %d (eot=%d)", round, eot, eot)
}

func unknownProcess(name string, processes []string) error {
	return fmt.Errorf("there is no process %q%s: the processes are %s",
		name, spelling.DidYouMean(name, processes), strings.Join(processes, ", "))
}
