package simulation

import "time"

// station does jobs in the order in which they come, one at a time on each of its cores.
type station struct {
	clock *clock
	free  []time.Duration // when each core is free again
	busy  time.Duration   // how long cores worked, altogether
}

func newStation(c *clock, cores int) *station {
	return &station{clock: c, free: make([]time.Duration, max(cores, 1))}
}

// do begins a job as soon as a core is free, and calls then when it has ended.
func (s *station) do(cost time.Duration, then func()) {
	core := 0
	for i, at := range s.free {
		if at < s.free[core] {
			core = i
		}
	}
	s.free[core] = max(s.free[core], s.clock.now) + cost
	s.busy += cost
	s.clock.after(s.free[core]-s.clock.now, then)
}

// load is the share of its time that the station was at work.
func (s *station) load() float64 {
	if s.clock.now == 0 {
		return 0
	}
	return min(1, float64(s.busy)/float64(s.clock.now)/float64(len(s.free)))
}
