package system

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
)

// takeLies takes note of the lies of a schedule.
func (r *Runner) takeLies(s rounds.Schedule) error {
	clear(r.lies)
	for _, f := range s.Faults {
		if f.Kind == rounds.Lie {
			if err := r.takeLie(f); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *Runner) takeLie(f rounds.Fault) error {
	if r.system.Lies[f.Detail] == nil {
		names := slices.Sorted(maps.Keys(r.system.Lies))
		if len(names) == 0 {
			return fmt.Errorf("schedule: %s: the system has no lies (system.System.Lies)", f)
		}
		return fmt.Errorf("schedule: %s: there is no lie %q%s; there are %s", f, f.Detail, text.DidYouMean(f.Detail, names), text.List(names, "and"))
	}
	if r.lies == nil {
		r.lies = map[int][]rounds.Fault{}
	}
	r.lies[f.Round] = append(r.lies[f.Round], f)
	return nil
}

// lie returns what arrives of a message: what the lies of the schedule make of it, one
// after the other. It tells whether there are any.
func (r *Runner) lie(from int, e *envelope) (payload any, lied bool) {
	payload = e.payload
	for _, f := range r.lies[r.round] {
		if f.Process != r.system.Processes[from] || f.To != r.system.Processes[e.to] || f.Of != "" && !r.struck.by(f) {
			continue
		}
		h := fnv.New64a()
		fmt.Fprintf(h, "%s %d %d %d %s", f.Detail, r.round, from, e.to, execution.PayloadText(payload))
		random := rand.New(rand.NewPCG(r.schedule.Settings.Seed.Value, h.Sum64()))
		payload, lied = r.told(f, payload, random), true
	}
	return payload, lied
}

// told returns what a lie makes of a payload. A lie that panics ends the execution: no process
// has done that.
func (r *Runner) told(f rounds.Fault, payload any, random *rand.Rand) any {
	defer func() {
		if p := recover(); p != nil && r.refused == nil {
			r.refused = fmt.Errorf("system %q: %s: the lie %q panics: %s", r.system.Name, f, f.Detail, text.Safe(fmt.Sprint(p)))
		}
	}()
	return r.system.Lies[f.Detail](Message{f.Process, f.To, payload}, random)
}
