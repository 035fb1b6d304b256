package bisect

import "github.com/lineage-driven/ldfi/ldfi/result"

// verdict is that of all versions together: Inconclusive if the search was
// interrupted; else Violated if some version is; else Holds if all versions are
// certified.
func (r *Report) verdict() result.Verdict {
	violated, open := 0, 0
	for _, m := range r.Matrices {
		violated += len(m.in(Violated))
		open += len(m.Findings) - len(m.in(Holds))
	}
	switch {
	case r.Interrupted:
		return result.Inconclusive
	case violated > 0:
		return result.Violated
	case open > 0:
		return result.Inconclusive
	default:
		return result.Holds
	}
}
