package ldfi

import "slices"

// Ways are the names of the ways to decide a question.
var Ways = []string{string(circuitWay), string(tablesWay), string(casesWay)}

// Without returns the options with some ways switched off.
func (o Options) Without(ways ...string) Options {
	for _, w := range ways {
		o.without = append(slices.Clip(o.without), way(w))
	}
	return o
}

// Only returns the options with all ways but one switched off.
func (o Options) Only(only string) Options {
	for _, w := range Ways {
		if w != only {
			o = o.Without(w)
		}
	}
	return o
}
