package bisect

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// All verdicts of three versions with two and with three inputs: what changes the
// verdict is what its definition says, by counting.
func TestFactorOfAllVerdicts(t *testing.T) {
	const versions = 3
	for _, inputs := range []int{2, 3} {
		for bits := range 1 << (versions * inputs) {
			m := &Matrix{}
			byVersion, byInput := make([]int, versions), make([]int, inputs) // how often each is broken
			broken := 0
			for i := range inputs {
				m.Inputs = append(m.Inputs, fmt.Sprint("i", i))
				for v := range versions {
					f := Finding{Version: fmt.Sprint("v", v), State: Holds}
					if bits>>(i*versions+v)&1 > 0 {
						f.State = Violated
						broken++
						byVersion[v]++
						byInput[i]++
					}
					m.Findings = append(m.Findings, f)
				}
			}
			m.factor()
			require.Equal(t, counted(byVersion, byInput, broken), m.Conclusion.ChangedBy, "%b of %d inputs", bits, inputs)
		}
	}
}

// counted says what changes the verdict, of how often each version and each input
// is broken.
func counted(byVersion, byInput []int, broken int) Factor {
	whole := func(counts []int, all int) bool { // each is broken always or never
		for _, n := range counts {
			if n != 0 && n != all {
				return false
			}
		}
		return true
	}
	some := func(counts []int) (n int) {
		for _, c := range counts {
			n += min(c, 1)
		}
		return n
	}
	v, i := some(byVersion), some(byInput)
	switch {
	case broken == 0 || broken == len(byVersion)*len(byInput):
		return ByNeither
	case whole(byVersion, len(byInput)):
		return ByVersion
	case whole(byInput, len(byVersion)):
		return ByInput
	case broken == v*i && v < len(byVersion) && i < len(byInput):
		return ByTogether
	default:
		return ByBoth
	}
}
