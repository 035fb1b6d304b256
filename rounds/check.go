package rounds

import (
	"errors"
	"fmt"
	"strings"
)

// Check reports a fault that is not possible with these processes and rounds,
// whatever the budgets.
func (s Schedule) Check(processes []string, eot int) error {
	index := make(map[string]int, len(processes))
	for i, name := range processes {
		index[name] = i
	}
	return s.check(index, processes, eot)
}

func (f Fault) check(index map[string]int, processes []string, eot int) error {
	if f.Kind == Restart {
		return errors.New("restart is not supported for Dedalus programs")
	}
	if f.Kind < Crash || f.Kind > Restart {
		return errors.New("no such kind of fault")
	}
	if _, ok := index[f.Process]; !ok {
		return unknownProcess(f.Process, processes)
	}
	if f.Kind == Omit {
		if _, ok := index[f.To]; !ok {
			return unknownProcess(f.To, processes)
		}
		if f.To == f.Process {
			return errors.New("a message of a process to itself is never lost")
		}
	}
	for _, round := range []int{f.Round, max(f.Until, f.Round)} {
		if round < 1 || round > eot {
			return fmt.Errorf("there is no round %d: the rounds are 1 to %d", round, eot)
		}
	}
	return nil
}

func unknownProcess(name string, processes []string) error {
	return fmt.Errorf("there is no process %q: the processes are %s", name, strings.Join(processes, ", "))
}

// Within reports which of the bounds a schedule exceeds.
func (s Schedule) Within(b Bounds) error {
	_, err := NewUniverse(b).Units(s)
	return err
}
