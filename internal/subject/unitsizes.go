package subject

import (
	"math/bits"
	"time"

	"github.com/lineage-driven/ldfi/internal/search"
)

// unitSizes decide which executions make a unit. Later units have more executions, until a
// unit takes some time; from then on units have about the same size. A unit begins at a
// multiple of its size, which is a power of two. So a repeated question has the same units,
// as long as the cached results tell how long they took.
type unitSizes struct {
	most  int  // executions that a unit has behind the step; 0: that is not known yet
	step  int  // on which the first units are
	timed bool // the first unit of the step came back
}

const (
	enough   = 250 * time.Millisecond // the least time of a unit that allows to predict the time of others
	unitTime = 4 * time.Second        // the most time of a unit, if all executions take the same time
)

// newUnitSizes returns the sizes of units for executions from that number on, which is a power of 4.
func newUnitSizes(first int) *unitSizes { return &unitSizes{step: first} }

// part returns the executions of the unit whose first execution is first. The second result
// is false if the size of the unit is not known yet.
func (l *unitSizes) part(first int) (search.Part, bool) {
	size := stepOf(first)
	switch {
	case l.most > 0 && first >= 4*l.step:
		size = min(l.most, 1<<bits.TrailingZeros(uint(first)))
	case l.most == 0 && (size > l.step && !l.timed || size > 4*l.step):
		return search.Part{}, false
	}
	return search.Part{First: first, End: first + size}, true
}

// note records how long a unit took.
func (l *unitSizes) note(p search.Part, took time.Duration) {
	if l.most > 0 || p.First != stepOf(p.First) || p.First < l.step {
		return
	}
	l.step, l.timed = p.First, true
	if took < enough {
		return
	}
	l.most = 1
	for each := took / time.Duration(p.End-p.First); l.most < 1<<30 && each*time.Duration(2*l.most) <= unitTime; {
		l.most *= 2
	}
}

// stepOf returns the largest power of 4 up to a number.
func stepOf(n int) int {
	return 1 << ((bits.Len(uint(n)) - 1) &^ 1)
}
