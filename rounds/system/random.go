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
	pcg   rand.PCG
	drawn uint64
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

// The streams of random numbers of an execution: one for each process, and one
// for its ticks.
const (
	tickStream    = 1
	processStream = 2
)

// reset starts the numbers of a stream anew.
func (r *random) reset(seed, stream uint64) {
	r.source.pcg.Seed(seed, stream)
	r.source.drawn = 0
}
