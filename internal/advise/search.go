package advise

import (
	"context"
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// Ask decides within bounds whether a promise is kept.
type Ask func(ctx context.Context, b rounds.Bounds) (*result.Answer, error)

// WeakestOptions say how much is asked.
type WeakestOptions struct {
	Loss      string // the key of the kind of loss; "": that of the bounds
	AnyRounds bool   // each question is about any number of rounds
	Questions int    // at most
	Progress  func(doing string)
}

// known is what is known of a point.
type known struct {
	verdict result.Verdict // "": nothing
	asked   bool           // or it follows from another
	found   *rounds.Schedule
	reason  string // why it is inconclusive
}

// weakestSearch asks about points until all are known.
type weakestSearch struct {
	*grid
	WeakestOptions
	ask   Ask
	known []known
	asked int
	open  int // points of which nothing is known
}

// Weakest compares bounds with what a protocol can bear. When the context ends, or so
// many questions are asked, the report says what is known by then.
func Weakest(ctx context.Context, b rounds.Bounds, o WeakestOptions, ask Ask) (*WeakestReport, error) {
	s, err := find(ctx, b, o, ask)
	if err != nil {
		return nil, err
	}
	r := s.report()
	r.Interrupted = s.open > 0 && ctx.Err() != nil
	return r, nil
}

func find(ctx context.Context, b rounds.Bounds, o WeakestOptions, ask Ask) (*weakestSearch, error) {
	g, err := newGrid(b, o.Loss, o.AnyRounds)
	if err != nil {
		return nil, err
	}
	s := &weakestSearch{grid: g, WeakestOptions: o, ask: ask, known: make([]known, len(g.points)), open: len(g.points)}
	for s.open > 0 && s.asked < o.Questions && ctx.Err() == nil {
		if err := s.question(ctx, s.next()); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// question asks about a point, and takes note of what follows.
func (s *weakestSearch) question(ctx context.Context, at int) error {
	if s.Progress != nil {
		s.Progress(s.text(s.points[at]))
	}
	a, err := s.ask(ctx, s.at(s.points[at]))
	if err != nil {
		return err
	}
	if a.Verdict == result.Inconclusive && ctx.Err() != nil {
		return nil // it was not asked to the end
	}
	s.asked++
	k := known{verdict: a.Verdict, asked: true}
	switch {
	case a.Verdict == result.Violated:
		k.found = &a.First().Schedule
	case a.Limit != nil:
		k.reason = a.Limit.Reason
	}
	s.note(at, k)
	k.asked = false
	for i, p := range s.points {
		if s.known[i].verdict == "" && s.follows(k, s.points[at], p) {
			s.note(i, k)
		}
	}
	return nil
}

func (s *weakestSearch) note(i int, k known) {
	s.known[i] = k
	s.open--
}

// follows tells whether what is known of one point is so of another: with smaller
// budgets and more assumptions the promise holds as well, and a schedule that breaks it
// does so within all bounds that have it.
func (s *weakestSearch) follows(k known, from, p point) bool {
	switch k.verdict {
	case result.Holds:
		return p.within(from)
	case result.Violated:
		return from.within(p) || s.has(p, *k.found)
	default:
		return false
	}
}

// has tells whether a schedule is within the bounds of a point.
func (s *weakestSearch) has(p point, found rounds.Schedule) bool {
	crashes, losses, last := 0, 0, 0
	for _, f := range found.Faults {
		switch f.Kind {
		case rounds.Crash:
			crashes++
		case s.loss:
			losses++
			last = max(last, f.Round, f.Until)
		}
	}
	eff := s.effs[p.eff]
	if crashes > p.crashes || losses > p.losses || eff > 0 && last >= eff {
		return false
	}
	b := s.at(p)
	if s.AnyRounds {
		found.Faults = slices.DeleteFunc(slices.Clone(found.Faults), func(f rounds.Fault) bool { return f.Kind == rounds.Choose })
		b = b.Lasting(max(found.LastRound(), b.Shortest()))
	}
	return schedules.Within(found, b) == nil
}

// looked is how many points are looked at to choose the next one.
const looked = 64

// next returns a point of which nothing is known: first the one with all faults and no
// assumption, then that without faults, then one whose answer tells most of the
// others, whichever it is.
func (s *weakestSearch) next() int {
	if s.asked == 0 {
		return s.width() - 1
	}
	var open []int
	for i := range s.points {
		if s.known[i].verdict == "" {
			open = append(open, i)
		}
	}
	best, most := open[0], -1
	for n := range min(len(open), looked) {
		i := open[n*len(open)/min(len(open), looked)]
		below, above := 0, 0
		for _, j := range open {
			if s.points[j].within(s.points[i]) {
				below++
			}
			if s.points[i].within(s.points[j]) {
				above++
			}
		}
		if worth := min(below, above); worth > most {
			best, most = i, worth
		}
	}
	return best
}

// width is how many points make the same assumptions: the first of them make none.
func (s *weakestSearch) width() int { return len(s.points) >> len(s.assumed) }
