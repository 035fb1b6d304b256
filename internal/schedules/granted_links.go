package schedules

import (
	"math/big"
	"math/bits"
)

// waysToOmit returns the numbers of ways to omit 0, 1, ... messages of a round so that
// enough are received.
func (c *grantedCounts) waysToOmit(cfg grantedConfig) []*big.Int {
	if known := c.links[cfg]; known != nil {
		return known
	}
	ways := c.round(cfg).all()
	c.links[cfg] = ways
	return ways
}

// all returns the numbers of ways to omit 0, 1, ... messages so that enough are received.
func (r *roundOfLinks) all() byNumber {
	var ways byNumber
	if r.kernel {
		ways = r.kernels()
	} else {
		ways = r.ways(0)
	}
	if len(ways) == 0 {
		ways = byNumber{new(big.Int)}
	}
	return ways
}

// roundOfLinks has the links of one round.
type roundOfLinks struct {
	*grantedSpace
	up   uint32
	lost []uint32 // by sender, the receivers that get nothing from it
	open []uint32 // by sender, the receivers to which a message can be omitted
}

func (c *grantedCounts) round(cfg grantedConfig) *roundOfLinks {
	r := &roundOfLinks{grantedSpace: c.grantedSpace, up: cfg.up, lost: make([]uint32, c.Processes), open: make([]uint32, c.Processes)}
	for from := range c.Processes {
		for to := range c.Processes {
			if from != to && c.Lossy(from, to) {
				if cfg.lossy {
					r.open[from] |= 1 << to
				}
				if c.parted(cfg.active, from, to) {
					r.lost[from] |= 1 << to
				}
			}
		}
	}
	return r
}

// parted tells whether some fault that lasts parts two processes.
func (s *grantedSpace) parted(active uint64, from, to int) bool {
	for i, l := range s.Lasting {
		if active>>i&1 == 1 && (l.Side>>from&1 != l.Side>>to&1 || l.Cut != nil && *l.Cut == fromTo{from, to}) {
			return true
		}
	}
	return false
}

// kernels returns the ways in which some process exchanges messages with all others, by
// inclusion and exclusion: the ways in which each process of a set does.
func (r *roundOfLinks) kernels() byNumber {
	var able uint32
	for k := range r.Processes {
		if r.up>>k&1 == 1 && r.reaches(k) {
			able |= 1 << k
		}
	}
	var sum byNumber
	for set := able; set != 0; set = (set - 1) & able {
		ways := r.ways(set)
		if bits.OnesCount32(set)%2 == 0 {
			ways.negate()
		}
		sum = sum.plus(ways)
	}
	return sum
}

// reaches tells whether no message is lost between process k and the processes that take
// part.
func (r *roundOfLinks) reaches(k int) bool {
	for p := range r.Processes {
		if r.up>>p&1 == 1 && (r.lost[k]>>p&1 == 1 || r.lost[p]>>k&1 == 1) {
			return false
		}
	}
	return true
}

// ways returns the numbers of ways to omit 0, 1, ... messages so that each process that
// takes part receives from enough, and no message from or to a process in kernel is lost.
func (r *roundOfLinks) ways(kernel uint32) byNumber {
	product, rest := byNumber{big.NewInt(1)}, 0 // messages that make no difference
	all := r.Processes * r.Processes
	for to := range r.Processes {
		from, free := 1, 0
		for q := range r.Processes {
			if q == to {
				continue
			}
			open, both := r.open[q]>>to&1 == 1, r.up>>q&1 == 1 && r.up>>to&1 == 1
			switch {
			case !both || r.lost[q]>>to&1 == 1:
				if open {
					rest++
				}
			case !open || kernel>>q&1 == 1 || kernel>>to&1 == 1:
				from++
			default:
				free++
			}
		}
		if r.up>>to&1 == 1 {
			product = product.times(slots{free, 1}.byNumber(from+free-r.least), all)
		}
	}
	return product.times(slots{rest, 1}.byNumber(rest), all)
}

func (p byNumber) plus(q byNumber) byNumber {
	for len(p) < len(q) {
		p = append(p, new(big.Int))
	}
	for i := range q {
		p[i].Add(p[i], q[i])
	}
	return p
}

func (p byNumber) negate() {
	for _, n := range p {
		n.Neg(n)
	}
}
