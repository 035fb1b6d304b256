package tabular

import "math/rand/v2"

// Kinds are kinds of actions. They are taken the more often the more often they led to a state
// that was new.
type Kinds struct {
	kinds map[string]*led
}

// led is what actions of a kind led to.
type led struct{ all, fresh float64 }

// mostRemembered is after how many actions of a kind half of them are forgotten.
const mostRemembered = 2000

// NewKinds returns kinds of which nothing is known.
func NewKinds() *Kinds { return &Kinds{map[string]*led{}} }

// Note says whether an action of a kind led to a new state.
func (k *Kinds) Note(kind string, fresh bool) {
	l := k.kinds[kind]
	if l == nil {
		l = &led{}
		k.kinds[kind] = l
	}
	if l.all++; fresh {
		l.fresh++
	}
	if l.all > mostRemembered {
		l.all, l.fresh = l.all/2, l.fresh/2
	}
}

// weight is the square of how often, in the mean, actions of some kinds led to a new state;
// 0 without any.
func (k *Kinds) weight(kinds []string) float64 {
	mean := 0.0
	for _, kind := range kinds {
		l := k.kinds[kind]
		if l == nil {
			l = &led{}
		}
		mean += (l.fresh + 1) / (l.all + 2) / float64(len(kinds))
	}
	return mean * mean
}

// Accept tells whether one of several lists of kinds, which was picked in another way, is
// taken: with a probability in proportion to its weight. The one of the highest weight is.
func (k *Kinds) Accept(r *rand.Rand, lists [][]string, picked int) bool {
	most := 0.0
	for _, kinds := range lists {
		most = max(most, k.weight(kinds))
	}
	return r.Float64()*most <= k.weight(lists[picked])
}
