package schedules

import (
	"math/big"
	"slices"

	"github.com/lineage-driven/ldfi/rounds"
)

// fromTo is a link from one process to another.
type fromTo struct{ From, To int }

// omittable has the messages that can be omitted in a round, given its other faults.
type omittable struct {
	Links  []fromTo
	Number int // of omitted messages; Unlimited: any
	round  *roundOfLinks
}

// Omittable returns the omittable messages of a way that Ways has yielded.
func (c *grantedCounts) Omittable(w *grantedWay) *omittable {
	o := &omittable{Number: w.Omitted, round: c.round(w.config)}
	for from, open := range o.round.open {
		for to := range c.Processes {
			if open>>to&1 == 1 {
				o.Links = append(o.Links, fromTo{from, to})
			}
		}
	}
	return o
}

// Enough tells whether enough is received without the messages on some links.
func (o *omittable) Enough(omitted []fromTo) bool {
	r := &roundOfLinks{grantedSpace: o.round.grantedSpace, up: o.round.up, lost: slices.Clone(o.round.lost)}
	for _, l := range omitted {
		r.lost[l.From] |= 1 << l.To
	}
	kernel := !r.kernel
	for p := range r.Processes {
		if r.up>>p&1 == 0 {
			continue
		}
		from := 0
		for q := range r.Processes {
			if r.up>>q&1 == 1 && r.lost[q]>>p&1 == 0 {
				from++
			}
		}
		if from < r.least {
			return false
		}
		kernel = kernel || r.reaches(p)
	}
	return kernel
}

// Choose returns the links whose messages are omitted. It calls omit for one link after the
// other, with the numbers of ways with and without its omission.
func (o *omittable) Choose(omit func(with, without *big.Int) bool) []fromTo {
	r := &roundOfLinks{grantedSpace: o.round.grantedSpace, up: o.round.up, lost: slices.Clone(o.round.lost), open: slices.Clone(o.round.open)}
	var omitted []fromTo
	left := o.Number
	for _, l := range o.Links {
		before := r.lost[l.From]
		r.open[l.From] &^= 1 << l.To
		without := r.number(left)
		r.lost[l.From] |= 1 << l.To
		with := new(big.Int)
		if left != 0 {
			with = r.number(max(left-1, rounds.Unlimited))
		}
		if omit(with, without) {
			omitted = append(omitted, l)
			left = max(left-1, rounds.Unlimited)
		} else {
			r.lost[l.From] = before
		}
	}
	return omitted
}

// number returns the number of ways to omit exactly omitted messages.
func (r *roundOfLinks) number(omitted int) *big.Int {
	ways, sum := r.all(), new(big.Int)
	for i, n := range ways {
		if omitted == rounds.Unlimited || omitted == i {
			sum.Add(sum, n)
		}
	}
	return sum
}
