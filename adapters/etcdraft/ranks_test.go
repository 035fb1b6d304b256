package etcdraft

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// above is the one-sided Mann-Whitney U test: the probability to see the values of a this
// far above those of b if both were of one kind. It is the normal approximation, with
// corrections for ties and continuity.
func above(a, b []float64) float64 {
	n, m := float64(len(a)), float64(len(b))
	u := a12(a, b) * n * m
	all := slices.Sorted(slices.Values(slices.Concat(a, b)))
	ties := 0.0
	for i := 0; i < len(all); {
		j := i
		for j < len(all) && all[j] == all[i] {
			j++
		}
		t := float64(j - i)
		ties += t*t*t - t
		i = j
	}
	total := n + m
	deviation := math.Sqrt(n * m / 12 * (total + 1 - ties/(total*(total-1))))
	if deviation == 0 {
		return 1
	}
	return math.Erfc((u-n*m/2-0.5)/deviation/math.Sqrt2) / 2
}

// a12 is how often a value of a is above one of b; half as often if they are equal.
func a12(a, b []float64) float64 {
	sum := 0.0
	for _, x := range a {
		for _, y := range b {
			sum += float64(cmp.Compare(x, y)+1) / 2
		}
	}
	return sum / float64(len(a)*len(b))
}

// quartile returns the value below which a share of the values is.
func quartile(values []float64, share float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	at := share * float64(len(sorted)-1)
	i := int(at)
	if i == len(sorted)-1 {
		return sorted[i]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// Ten values above ten others have the 9.13e-05 that Table 4.5 of the thesis has for most
// rows.
func TestRanks(t *testing.T) {
	low, high := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, []float64{11, 12, 13, 14, 15, 16, 17, 18, 19, 20}
	require.InDelta(t, 9.13e-05, above(high, low), 5e-8)
	require.InDelta(t, 1, above(low, high), 1e-3)
	require.InDelta(t, 1, a12(high, low), 0)
	require.InDelta(t, 0.5, a12(low, low), 0)
	require.InDelta(t, 1, above([]float64{3, 3}, []float64{3, 3}), 0)

	// U = 1, the mean is 3; three equal values leave a variance of 3*2/12 * (6 - 24/20) = 2.4.
	tied, more := []float64{1, 2, 2}, []float64{2, 3}
	require.InDelta(t, 1.0/6, a12(tied, more), 1e-12)
	require.InDelta(t, math.Erfc(-2.5/math.Sqrt(2.4)/math.Sqrt2)/2, above(tied, more), 1e-12)

	require.InDelta(t, 5.5, quartile(low, 0.5), 0)
	require.InDelta(t, 3.25, quartile(low, 0.25), 0)
	require.InDelta(t, 10, quartile(low, 1), 0)
}
