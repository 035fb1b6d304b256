package rounds

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// checkLater reports a message that arrives before the end of its round, or behind
// the last round.
func (f Fault) checkLater(eot int) error {
	switch {
	case f.By < 1 || f.By > maxRound:
		return errors.New("what comes later does so by 1 round or more")
	case f.Round+f.By > eot:
		return fmt.Errorf("there is no round %d for it to arrive in, the rounds are 1 to %d (eot=%d): %s", f.Round+f.By, eot, eot, f.instead(eot))
	}
	return nil
}

// instead says what to write where a message would arrive behind the last round.
func (f Fault) instead(eot int) string {
	if f.Kind == Delay {
		return fmt.Sprintf("a message that does not arrive is lost, write %s", Fault{Kind: Omit, Process: f.Process, To: f.To, Round: f.Round, Of: f.Of, Nth: f.Nth})
	}
	if f.Round == eot {
		return "leave it out"
	}
	f.By = eot - f.Round
	return fmt.Sprintf("the latest is %s", f)
}

// checkOrder reports an order that names who does not send to the process, or that
// is the usual one.
func (f Fault) checkOrder(processes []string) error {
	names := strings.Split(f.Detail, ",")
	for i, name := range names {
		switch {
		case !slices.Contains(processes, name):
			return unknownProcess(name, processes)
		case name == f.Process:
			return fmt.Errorf("what %s sends itself keeps its place: name other processes", name)
		case slices.Contains(names[:i], name):
			return fmt.Errorf("%s is named twice", name)
		}
	}
	index := func(name string) int { return slices.Index(processes, name) }
	if slices.IsSortedFunc(names, func(p, q string) int { return index(p) - index(q) }) {
		return errors.New("that is the usual order: name at least two processes in another order")
	}
	return nil
}

// checkLate reports that two faults strike what one process sends another in a round
// which do not go together: it is lost, late once, or comes once more. And two
// orders in one round.
func checkLate(faults []Fault) error {
	struck := map[Fault]Fault{}
	for _, f := range widestFirst(faults) {
		if f.Kind != Omit && f.Kind != Delay && f.Kind != Duplicate && f.Kind != Order {
			continue
		}
		for _, at := range f.spots(f.Kind) {
			if g, twice := struck[at]; twice && (f.By != g.By || f.Detail != g.Detail) {
				return wrong("%s; %s: %s", g, f, onlyOnce(f.Kind))
			}
		}
		struck[f.spots(f.Kind)[0]] = f
	}
	const either = "what is lost comes neither late nor twice"
	for _, f := range faults {
		if f.Kind != Delay && f.Kind != Duplicate {
			continue
		}
		if g, lost := f.struckBy(Omit, struck); lost {
			return wrong("%s; %s: %s", g, f, either)
		}
	}
	for _, f := range faults {
		for _, later := range []Kind{Delay, Duplicate} {
			if g, late := f.struckBy(later, struck); late && f.Kind == Omit {
				return wrong("%s; %s: %s", f, g, either)
			}
		}
	}
	return nil
}

// struckBy returns a fault of kind k that hits all messages which f hits.
func (f Fault) struckBy(k Kind, struck map[Fault]Fault) (Fault, bool) {
	for _, at := range f.spots(k) {
		if g, ok := struck[at]; ok {
			return g, true
		}
	}
	return Fault{}, false
}

// onlyOnce says why there are no two different faults of a kind for the same messages.
func onlyOnce(k Kind) string {
	switch k {
	case Delay:
		return "what a process sends another in a round comes late by one number of rounds"
	case Duplicate:
		return "what a process sends another in a round comes once more, not several times"
	case Order:
		return "what reaches a process in a round comes in one order"
	}
	return ""
}
