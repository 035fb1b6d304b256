package schedules

import (
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/rounds"
)

// simplify replaces each fault by a simpler one that fails as well, if there is one.
func simplify(s rounds.Schedule, fails Fails) (rounds.Schedule, error) {
	for i := range s.Faults {
		for _, f := range simpler(s.Faults[i]) {
			if g := s.Faults[i]; (f.Of != g.Of || f.Nth != g.Nth) && besides(s.Faults, i) {
				continue
			}
			other := s
			other.Faults = slices.Clone(s.Faults)
			other.Faults[i] = f
			failed, err := fails(other)
			if err != nil {
				return s, err
			}
			if failed {
				s = other
				break
			}
		}
	}
	return s, nil
}

// besides tells whether another fault hits messages of the link of a fault in its round. One of
// all messages may not go with it.
func besides(faults []rounds.Fault, i int) bool {
	f := faults[i]
	for j, g := range faults {
		if i != j && g.Process == f.Process && g.To == f.To && g.Round <= max(f.Round, f.Until) && f.Round <= max(g.Round, g.Until) {
			return true
		}
	}
	return false
}

// simpler returns the faults that are simpler than f. A crash at the beginning of a round
// is simpler than one at a point within it. A crash that loses the data not synced is
// simpler than one that keeps it, and that is simpler than one that tears it. The isolation
// of a named process is simpler than a partition, and a shorter jump or delay than a longer
// one. A fault of all messages of a link is simpler than one of a kind, and that than one of a
// single message. Bounds that allow f allow the simpler faults.
func simpler(f rounds.Fault) (all []rounds.Fault) {
	if f.Of != "" {
		wider := f
		wider.Of, wider.Nth = "", 0
		all = append(all, wider)
		if wider = f; f.Nth > 0 {
			wider.Nth = 0
			all = append(all, wider)
		}
	}
	switch {
	case f.Kind == rounds.Crash && f.Detail != "":
		kept := strings.Replace(f.Disk(), "torn", "kept", 1)
		details := []string{"", kept, f.Disk(), f.Point(), strings.TrimSuffix(f.Detail, f.Disk()) + kept}
		for i, detail := range details {
			if other := f; detail != f.Detail && !slices.Contains(details[:i], detail) {
				other.Detail = detail
				all = append(all, other)
			}
		}
	case f.Kind == rounds.Jump || f.Kind == rounds.Delay || f.Kind == rounds.Duplicate:
		for less := f.By - 1; less > 0; less /= 2 { // by one round only first
			shorter := f
			shorter.By -= less
			all = append(all, shorter)
		}
	case f.Kind == rounds.Partition:
		named, other, _ := strings.Cut(f.Detail, "|")
		for name := range strings.SplitSeq(named+","+other, ",") {
			if name != "*" {
				all = append(all, rounds.Fault{Kind: rounds.Isolate, Process: name, Round: f.Round, Until: f.Until})
			}
		}
	}
	return all
}
