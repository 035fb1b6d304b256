package system

import "math/rand/v2"

// random is the random numbers of one process. It counts how many were drawn,
// because that is a part of the state of the process that no fingerprint of the
// user's has.
type random struct {
	*rand.Rand
	source source
}

type source struct {
	pcg      rand.PCG
	drawn    uint64
	reseeded bool // they come from the second seed of the schedule
}

func (s *source) Uint64() uint64 {
	s.drawn++
	return s.pcg.Uint64()
}

func newRandom() *random {
	r := &random{}
	r.Rand = rand.New(&r.source)
	return r
}

// The streams of random numbers of an execution: one for each process, one for its
// ticks, and one for how far processes are apart.
const (
	apartStream   = 0
	tickStream    = 1
	processStream = 2
)

// reset starts the numbers of a stream anew.
func (r *random) reset(seed, stream uint64) {
	r.source.pcg.Seed(seed, stream)
	r.source.drawn, r.source.reseeded = 0, false
}

// reseed lets the numbers of a process come from the second seed of the schedule,
// if the round is one of those that it is for.
func (r *Runner) reseed(p *participant, round int) {
	from := r.schedule.Settings.ReseedFrom
	if from == 0 || round < from || p.random.source.reseeded {
		return
	}
	p.random.reset(r.schedule.Settings.Reseed.Value, processStream+uint64(p.step.self))
	p.random.source.reseeded = true
}
