package system

import (
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// recording is what happens in an execution.
type recording struct {
	facts    []rounds.Fact
	messages []rounds.Message
}

// fact returns relation(process, args...) in this round.
func (r *Runner) fact(relation string, process int, args []any) rounds.Fact {
	values := make([]dedalus.Value, 1, len(args)+1)
	values[0] = r.names[process]
	for _, arg := range args {
		values = append(values, valueOf(arg))
	}
	return rounds.Fact{Relation: relation, Args: values, Round: r.round}
}

// recordMessage records a message and returns its place. Its arguments are the
// receiver, as in Dedalus programs, and the text of its payload.
func (r *Runner) recordMessage(from int, p parcel, delivers, waits bool) int {
	m := rounds.Message{
		From: p.message.From, To: p.message.To, Round: r.round, Relation: kindOf(p.message.Payload),
		Args: []dedalus.Value{r.names[p.to], dedalus.String(TextOf(p.message.Payload))},
	}
	switch {
	case !delivers:
		m.Lost = true
		m.Cause, _ = r.env.Cause(from, p.to, r.round)
	case waits:
		m.Arrival = r.Rounds() + 1 // unless the pause ends before
	}
	r.recording.messages = append(r.recording.messages, m)
	return len(r.recording.messages) - 1
}

// Execution returns the recording of the rounds so far, nil if nothing is
// recorded.
func (r *Runner) Execution() *rounds.Execution {
	if r.recording == nil {
		return nil
	}
	e := &rounds.Execution{
		System: r.system.Name, Bounds: r.env.Bounds(), Schedule: r.Schedule(),
		Facts: slices.Clone(r.recording.facts), Messages: slices.Clone(r.recording.messages),
	}
	e.Sort()
	return e
}
