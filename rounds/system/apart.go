package system

import (
	"math/rand/v2"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// Apart says how far the processes of a system are apart: when they start, and how late
// what they send each other is. Without it all start in round 1, and everything arrives in
// the round in which it is sent. Then servers that dial each other do so in the same round,
// for ever, which no real network has them do.
//
// Both are drawn from the seed of the schedule, unless its settings start and latency say
// them, and recorded as these settings.
type Apart struct {
	// Rounds is by how many rounds at most a process starts after the one before, in an
	// order that is drawn, too; by one at least. Each link has a latency of 0 to
	// rounds.MaxLatency rounds. 0: nothing is drawn.
	Rounds int

	// Last names processes that start after all others, such as clients of servers.
	Last []string

	// Own names processes that know themselves when they start: in round 1, as far as the
	// system is concerned.
	Own []string
}

// mostApart is the most rounds by which a process starts after the one before.
const mostApart = 10_000

// apart settles when processes start, and how late links are.
func (r *Runner) apart() {
	r.starts, r.latency, r.slow = nil, nil, r.slow[:0]
	s := &r.schedule.Settings
	if r.system.Apart.Rounds > 0 {
		drawn := r.system.drawApart(s.Seed.Value)
		*s = drawn.With(*s)
	}
	if s.Start != "" {
		r.starts = make([]int, len(r.processes))
		for i, name := range r.system.Processes {
			r.starts[i], _ = s.StartOf(name)
		}
	}
	if s.Latency != "" {
		n := len(r.processes)
		r.latency = make([]int, n*n)
		for i, from := range r.system.Processes {
			for j, to := range r.system.Processes {
				r.latency[i*n+j], _ = s.LatencyOf(from, to)
			}
		}
	}
}

// drawApart draws all starts and latencies.
func (s *System) drawApart(seed uint64) (all rounds.Settings) {
	random := rand.New(rand.NewPCG(seed, apartStream))
	last := map[string]bool{}
	for _, name := range s.Apart.Last {
		last[name] = true
	}
	start := 0
	for _, late := range []bool{false, true} {
		for _, i := range random.Perm(len(s.Processes)) {
			name := s.Processes[i]
			if last[name] != late || slices.Contains(s.Apart.Own, name) {
				continue
			}
			if start == 0 {
				start = 1
			} else {
				start += 1 + random.IntN(s.Apart.Rounds)
			}
			all.SetStart(name, start)
		}
	}
	for _, from := range s.Processes {
		for _, to := range s.Processes {
			if from != to {
				all.SetLatency(from, to, random.IntN(rounds.MaxLatency+1))
			}
		}
	}
	return all
}

// late returns by how many rounds what one process sends another arrives later than
// otherwise.
func (r *Runner) late(from, to int) int {
	if r.latency == nil {
		return 0
	}
	return r.latency[from*len(r.processes)+to]
}

// Latencies returns a function for the links between this process and another: by how many
// rounds what it sends the other arrives later than otherwise, and what the other sends it,
// in all rounds. It is nil if no link has a latency.
func (s *Step) Latencies() func(other string) (there, back int) {
	r, self := s.runner, s.self
	if r.latency == nil {
		return nil
	}
	return func(other string) (there, back int) {
		i := r.place(other)
		if i < 0 {
			return 0, 0
		}
		return r.late(self, i), r.late(i, self)
	}
}

// sendSlowly sends what is in an envelope over a link with a latency, unless something
// loses it on its way. It arrives together with what is sent in the round of its arrival.
func (r *Runner) sendSlowly(from int, envelope *envelope) bool {
	late := r.late(from, envelope.to)
	if late == 0 || r.struck.loses || !r.env.Delivers(from, envelope.to, r.round) && r.stopped(from, envelope.to) {
		return false
	}
	u := underway{message: r.processes[from].step.message(envelope), from: from, to: envelope.to, sent: r.round, arrival: r.round + late}
	if r.recordsMessages() {
		u.at = r.recordMessage(from, envelope, true, false)
		r.recording.messages[u.at].Arrival = min(u.arrival, r.rounds()+1)
	}
	r.slow = append(r.slow, u)
	return true
}

// arriveFrom brings what a process has sent over links with a latency to the receivers.
func (r *Runner) arriveFrom(from int) {
	kept := r.slow[:0]
	for _, u := range r.slow {
		if u.from == from && u.arrival == r.round {
			r.hand(u)
		} else {
			kept = append(kept, u)
		}
	}
	clear(r.slow[len(kept):])
	r.slow = kept
}

// refuser is a message that asks for something, such as a connection, which a machine
// refuses whose process has not started. The answer is nil for messages that get none.
type refuser interface{ Refused() (answer any) }

// refuse has the machine of a process that has not started answer what has arrived, in the
// next round.
func (r *Runner) refuse(p *participant) {
	for _, m := range p.inbox {
		if asks, ok := m.Payload.(refuser); ok {
			if answer := asks.Refused(); answer != nil {
				p.refusals = append(p.refusals, envelope{payload: answer, to: r.place(m.From)})
			}
		}
	}
}
