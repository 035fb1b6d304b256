package disk

import (
	"bytes"
	"math/rand/v2"
)

// draw returns what decides by random numbers what a crash leaves. All that is lost, and
// all that is kept, are among it however much there is.
func draw(random *rand.Rand) leaver {
	switch random.IntN(8) {
	case 0:
		return leavesDurable{}
	case 1:
		return leavesAll{}
	}
	return leavesSome{random}
}

type leavesSome struct{ random *rand.Rand }

// changes draws how many of the changes of each directory are left.
func (l leavesSome) changes(all []change) map[*node]int {
	places := map[*node][]int{} // of the changes that touch a directory
	var dirs []*node            // in a fixed order
	for i, c := range all {
		for _, e := range c {
			if len(places[e.dir]) == 0 {
				dirs = append(dirs, e.dir)
			}
			places[e.dir] = append(places[e.dir], i)
		}
	}
	limits := map[*node]int{}
	for _, dir := range dirs {
		if left := l.random.IntN(len(places[dir]) + 1); left > 0 {
			limits[dir] = places[dir][left-1] + 1
		}
	}
	return limits
}

// content draws what is left of a file: its length after so many operations, and each
// of its sectors, as it was after so many of them.
func (l leavesSome) content(c *content) sparse {
	last := l.random.IntN(len(c.since) + 1)
	if last == 0 && l.random.IntN(2) == 0 {
		return c.durable
	}
	length := c.length(last)
	if shorter := c.length(last - 1); shorter < length && l.random.IntN(2) == 0 {
		length = l.withinSectors(shorter, length)
	}
	after := l.order(c, last)
	var image sparse
	image.resize(length)
	for at := 0; at < length; at += sector {
		first, end := c.bounds(at, last)
		if left := c.sectorAfter(at, min(max(after(at), first), end)); !isZero(left) {
			image.write(left, at)
		}
	}
	return image
}

// withinSectors draws a length between two: one of the two, or the end of a sector.
func (l leavesSome) withinSectors(shorter, longer int) int {
	first, end := shorter/sector+1, (longer-1)/sector // sectors that end between
	return min(longer, (first+l.random.IntN(max(end-first+1, 0)+1))*sector)
}

// order draws after how many operations each sector is left: mostly after the last one
// of which anything is left, which itself may be cut.
func (l leavesSome) order(c *content, last int) func(at int) int {
	switch mode := l.random.IntN(4); {
	case mode == 0 && last > 0: // cut at a sector
		o := c.since[last-1]
		cut := o.at + l.random.IntN(len(o.sectors)/sector+2)*sector
		return func(at int) int { return last - btoi(at >= cut && o.covers(at)) }
	case mode == 1 && last > 0: // some of its sectors
		o := c.since[last-1]
		return func(at int) int { return last - btoi(o.covers(at) && l.random.IntN(2) == 0) }
	case mode == 2: // in no order
		return func(int) int { return l.random.IntN(len(c.since) + 1) }
	}
	return func(int) int { return last }
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// length is that of the file on the disk after so many operations.
func (c *content) length(after int) int {
	if after <= 0 {
		return c.durable.size
	}
	return c.since[after-1].length
}

// covers says whether an operation brings the sector at a place.
func (o operation) covers(at int) bool { return o.at <= at && at < o.at+len(o.sectors) }

// bounds returns after how many operations the sector at a place may be left where the
// length is that after last: those that cut it off are not passed.
func (c *content) bounds(at, last int) (first, end int) {
	cut := func(i int) bool { return c.length(i) < c.length(i-1) && c.length(i) < at+sector }
	for first = last; first > 0 && !cut(first); first-- {
	}
	for end = last; end < len(c.since) && !cut(end+1); end++ {
	}
	return first, end
}

// sectorAfter returns the sector at a place as it was after so many operations.
func (c *content) sectorAfter(at, operations int) []byte {
	whole := make([]byte, sector)
	for i := operations; i > 0; i-- {
		switch o := c.since[i-1]; {
		case o.covers(at):
			copy(whole, o.sectors[at-o.at:])
			return whole
		case o.length <= at:
			return whole
		}
	}
	c.durable.read(whole, at)
	return whole
}

var zeros [sector]byte

func isZero(b []byte) bool { return bytes.Equal(b, zeros[:]) }
