package bisect

import "github.com/lineage-driven/ldfi/ldfi/result"

// verdict is that of all versions together: Inconclusive if the search was
// interrupted; else Violated if some version is; else Holds if all versions are
// certified.
func (r *Report) verdict() result.Verdict {
	count := map[State]int{}
	open := 0
	for _, m := range r.Matrices {
		for _, f := range m.Findings {
			count[f.State]++
			if f.State != Holds {
				open++
			}
		}
	}
	switch {
	case r.Interrupted:
		return result.Inconclusive
	case count[Violated] > 0:
		return result.Violated
	case open > 0:
		return result.Inconclusive
	default:
		return result.Holds
	}
}
