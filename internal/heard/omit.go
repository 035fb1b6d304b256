package heard

import (
	"math/big"
	"slices"
)

// Link is from one process to another.
type Link struct{ From, To int }

// Omittable is the messages that can be omitted in a round beside what else happens.
type Omittable struct {
	Links  []Link
	Number int // of those that are omitted; Unlimited: any
	round  *roundOfLinks
}

// Omittable returns those of a way that Ways has yielded.
func (c *Counts) Omittable(w *Way) *Omittable {
	o := &Omittable{Number: w.Omitted, round: c.round(w.config)}
	for from, open := range o.round.open {
		for to := range c.Processes {
			if open>>to&1 == 1 {
				o.Links = append(o.Links, Link{from, to})
			}
		}
	}
	return o
}

// Enough tells whether enough is received without the messages on some links.
func (o *Omittable) Enough(omitted []Link) bool {
	r := &roundOfLinks{Space: o.round.Space, up: o.round.up, lost: slices.Clone(o.round.lost)}
	for _, l := range omitted {
		r.lost[l.From] |= 1 << l.To
	}
	kernel := !r.Kernel
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
		if from < r.Least {
			return false
		}
		kernel = kernel || r.reaches(p)
	}
	return kernel
}

// Choose decides of one link after the other whether what is sent on it is omitted,
// given how many ways there are with that and without, and returns those on which it
// is.
func (o *Omittable) Choose(omit func(with, without *big.Int) bool) []Link {
	r := &roundOfLinks{Space: o.round.Space, up: o.round.up, lost: slices.Clone(o.round.lost), open: slices.Clone(o.round.open)}
	var omitted []Link
	left := o.Number
	for _, l := range o.Links {
		before := r.lost[l.From]
		r.open[l.From] &^= 1 << l.To
		without := r.number(left)
		r.lost[l.From] |= 1 << l.To
		with := new(big.Int)
		if left != 0 {
			with = r.number(max(left-1, Unlimited))
		}
		if omit(with, without) {
			omitted = append(omitted, l)
			left = max(left-1, Unlimited)
		} else {
			r.lost[l.From] = before
		}
	}
	return omitted
}

// number returns in how many ways so many messages can be omitted.
func (r *roundOfLinks) number(omitted int) *big.Int {
	ways, sum := r.all(), new(big.Int)
	for i, n := range ways {
		if omitted == Unlimited || omitted == i {
			sum.Add(sum, n)
		}
	}
	return sum
}
