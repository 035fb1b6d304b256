package system

import (
	"fmt"

	"github.com/lineage-driven/ldfi/rounds"
)

// firstAsk is the first ID of a request that a fault asks. It depends on nothing but the
// process, the round, and what else is asked of the process in that round.
const (
	firstAsk  = 1_000_000_000
	mostAsked = 1_000
)

// takeAsks takes note of what the faults of a schedule ask.
func (r *Runner) takeAsks(s rounds.Schedule) error {
	for _, f := range s.Faults {
		if f.Kind != rounds.Ask || f.Round > r.rounds() {
			continue
		}
		payload := any(f.Detail)
		if ask := r.system.Ask; ask != nil {
			var err error
			if payload, err = ask(f.Detail); err != nil {
				return fmt.Errorf("schedule: %s: %w", f, err)
			}
		}
		same := 0
		for _, q := range r.chosen {
			if q.Round == f.Round && q.Process == f.Process {
				same++
			}
		}
		if same == mostAsked {
			return fmt.Errorf("schedule: %s: of a process at most %d things can be asked in a round", f, mostAsked)
		}
		id := firstAsk + ((f.Round-1)*len(r.processes)+r.place(f.Process))*mostAsked + same
		r.chosen = append(r.chosen, Request{ID: id, Round: f.Round, Process: f.Process, Payload: payload})
	}
	return nil
}
