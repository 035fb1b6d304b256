package solver

// Counts counts how many of lits hold: element i of the result is true when at least i+1 of them do.
// The result has at most max elements, and the network that computes it is only that wide, which for
// a small max is much less than sorting all of lits.
func (c *Circuit) Counts(lits []Lit, max int) []Lit {
	if max <= 0 || len(lits) == 0 {
		return nil
	}
	if len(lits) == 1 {
		return []Lit{lits[0]}
	}
	half := len(lits) / 2
	return c.merge(c.Counts(lits[:half], max), c.Counts(lits[half:], max), max)
}

// AtMost is true when no more than k of lits hold.
func (c *Circuit) AtMost(lits []Lit, k int) Lit {
	if k < 0 {
		return False
	}
	if k >= len(lits) {
		return True
	}
	return c.Counts(lits, k+1)[k].Not()
}

// directWidth is the largest width at which two counts are added by listing every way to
// make a sum. It is small, and wider counts of the same literals share its gates.
const directWidth = 4

// merge adds two counts: the first max elements of the count of both.
func (c *Circuit) merge(a, b []Lit, max int) []Lit {
	a, b = a[:min(len(a), max)], b[:min(len(b), max)]
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0:
		return a
	case min(len(a)+len(b), max) <= directWidth:
		return c.mergeDirectly(a, b, max)
	}
	return c.mergeOddEven(a, b, max)
}

// mergeDirectly adds two counts: at least n hold when at least i of one side and n-i of the
// other do, for some i.
func (c *Circuit) mergeDirectly(a, b []Lit, max int) []Lit {
	atLeast := func(count []Lit, n int) Lit {
		if n == 0 {
			return True
		}
		return count[n-1]
	}
	out := make([]Lit, min(len(a)+len(b), max))
	for n := 1; n <= len(out); n++ {
		sum := False
		for i := n - min(n, len(b)); i <= min(n, len(a)); i++ {
			sum = c.Or(sum, c.And(atLeast(a, i), atLeast(b, n-i)))
		}
		out[n-1] = sum
	}
	return out
}

// mergeOddEven is Batcher's merge: of the elements at even and at odd places separately, then
// one comparison for each two neighbours.
func (c *Circuit) mergeOddEven(a, b []Lit, max int) []Lit {
	even := c.merge(everySecond(a, 0), everySecond(b, 0), max/2+1)
	odd := c.merge(everySecond(a, 1), everySecond(b, 1), max/2)
	out := make([]Lit, min(len(a)+len(b), max))
	at := func(count []Lit, i int) Lit {
		if i >= len(count) {
			return False
		}
		return count[i]
	}
	out[0] = even[0]
	for i := 1; i < len(out); i++ {
		e, o := at(even, (i+1)/2), at(odd, (i-1)/2)
		if i%2 == 1 {
			out[i] = c.Or(e, o)
		} else {
			out[i] = c.And(e, o)
		}
	}
	return out
}

func everySecond(lits []Lit, from int) []Lit {
	var out []Lit
	for i := from; i < len(lits); i += 2 {
		out = append(out, lits[i])
	}
	return out
}
