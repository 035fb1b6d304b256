package ldfi

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
)

// What waypoints gain is measured on the circuit, for 64 seeds at a time.
const (
	lanes      = 64
	drawnFirst = 1024        // schedules that are drawn to see which facts are rare
	mostDrawn  = 500         // executions for each seed
	mostGain   = 400_000_000 // gates that are evaluated to measure one gain
	unguided   = 8           // one of so many executions has no waypoint
	continued  = 8           // executions that continue one that reached a waypoint
)

// draws draws schedules within bounds for some seeds, and evaluates them at the same time.
type draws struct {
	universe *schedules.Universe
	bounds   rounds.Bounds
	uniform  *schedules.Uniform
	random   [lanes]schedules.Dice
	number   []int // of the circuit's input of each unit
	inputs   []uint64
}

func newDraws(g *provenance.Graph, b rounds.Bounds) *draws {
	d := &draws{universe: g.Universe, bounds: b, uniform: g.Universe.Uniform(), inputs: make([]uint64, g.Circuit.Inputs()+1)}
	for lane := range d.random {
		d.random[lane] = schedules.Dice{Rand: rand.New(rand.NewPCG(probeSeed, uint64(lane)))}
	}
	for _, input := range g.Inputs {
		number := g.Circuit.Inputs() // of nothing
		if input > solver.True {
			_, _, _, number = g.Circuit.Node(input)
		}
		d.number = append(d.number, number)
	}
	return d
}

func (d *draws) draw(lane int) rounds.Schedule { return d.uniform.Draw(d.random[lane]) }

// load puts a schedule in the place of a seed.
func (d *draws) load(lane int, s rounds.Schedule) {
	units, err := d.universe.Units(s)
	if err != nil {
		return // none within the bounds: it is not executed
	}
	for _, unit := range units {
		d.inputs[d.number[unit]] |= 1 << lane
	}
}

// add adds faults to a schedule as far as that stays within the bounds, half of them at a time.
func (d *draws) add(s *rounds.Schedule, faults []rounds.Fault) {
	if more := (rounds.Schedule{Faults: slices.Concat(s.Faults, faults)}); d.within(more) {
		*s = more
	} else if half := len(faults) / 2; half > 0 {
		d.add(s, faults[:half])
		d.add(s, faults[half:])
	}
}

func (d *draws) within(s rounds.Schedule) bool {
	_, err := d.universe.Units(s)
	return err == nil
}

// eval evaluates all that was loaded.
func (d *draws) eval(w *solver.Words) {
	w.Eval(d.inputs)
	clear(d.inputs)
}

// goOn draws faults from a round on, as far as the bounds allow, and adds them to those of a schedule before it: what holds
// in a round rests on what was lost before it.
func (d *draws) goOn(lane int, s rounds.Schedule, round int) rounds.Schedule {
	further := d.draw(lane)
	both := rounds.Schedule{}
	for _, f := range s.Faults {
		if f.Round < round {
			both.Faults = append(both.Faults, f)
		}
	}
	prefix := len(both.Faults)
	for _, f := range further.Faults {
		if f.Round >= round {
			both.Faults = append(both.Faults, f)
		}
	}
	if d.within(both) {
		return both.Normal()
	}
	after := both.Faults[prefix:]
	kept := rounds.Schedule{Faults: both.Faults[:prefix:prefix]}
	d.random[lane].Shuffle(len(after), func(i, j int) { after[i], after[j] = after[j], after[i] })
	d.add(&kept, after)
	if !d.within(kept) { // it ends in the middle of something
		return further
	}
	return kept.Normal()
}

// measure measures how many drawn executions it takes to reach the target: without waypoints, with each, and with all.
func (p *proposal) measure(ctx context.Context, d *draws, found *result.Waypoints) error {
	if len(p.chosen) == 0 {
		return nil
	}
	var err error
	if found.Alone, err = p.gain(ctx, d.again(), nil); err != nil {
		return err
	}
	for i := range p.chosen {
		if found.Waypoints[i].Gain, err = p.gain(ctx, d.again(), p.chosen[i:i+1]); err != nil {
			return err
		}
	}
	if found.All, err = p.gain(ctx, d.again(), p.chosen); err != nil {
		return err
	}
	found.Better = better(found)
	return nil
}

// again returns draws that begin anew.
func (d *draws) again() *draws {
	anew := *d
	for lane := range anew.random {
		anew.random[lane] = schedules.Dice{Rand: rand.New(rand.NewPCG(probeSeed, uint64(lanes+lane)))}
	}
	return &anew
}

// passing is a schedule that reached a waypoint.
type passing struct {
	schedule rounds.Schedule
	level    int // how many waypoints it reached, in order
	round    int // in which it reached the last of them
	left     int // how often it is to be continued
}

// seed is the search of one seed.
type seed struct {
	executions int
	done       bool
	known      []*passing // that are to be continued, those that reached most last
	from       *passing   // that the execution continues; nil: none
	tried      rounds.Schedule
}

// gain measures how many executions it takes with some waypoints, one after the other. A schedule that reached more of
// them than the one that it continues is continued in turn, a few times, with other faults from the round on in which it did.
func (p *proposal) gain(ctx context.Context, d *draws, way []*candidate) (*result.Gain, error) {
	target := p.graph.Circuit.Ors(p.target...)
	roots := []solver.Lit{target}
	for _, c := range way {
		roots = append(roots, c.holds...)
	}
	words := solver.NewWords(p.graph.Circuit, roots...)
	most := max(min(mostDrawn, mostGain/(words.Gates()+1)), 16)
	seeds := make([]seed, lanes)
	for left, n := lanes, 0; left > 0 && n < most; n++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for lane := range seeds {
			s := &seeds[lane]
			if s.done {
				continue
			}
			s.executions++
			if s.next(); s.from == nil {
				s.tried = d.draw(lane)
			} else {
				s.tried = d.goOn(lane, s.from.schedule, s.from.round)
			}
			d.load(lane, s.tried)
		}
		d.eval(words)
		hits := words.Value(target)
		for lane := range seeds {
			s := &seeds[lane]
			switch {
			case s.done:
			case hits>>lane&1 == 1:
				s.done = true
				left--
			default:
				s.keep(way, func(l solver.Lit) bool { return words.Value(l)>>lane&1 == 1 })
			}
		}
	}
	return gainOf(seeds, most), nil
}

// next chooses the schedule to continue: the latest of those that reached most waypoints.
func (s *seed) next() {
	s.from = nil
	if len(s.known) == 0 || s.executions%unguided == 0 {
		return
	}
	last := len(s.known) - 1
	s.from = s.known[last]
	if s.from.left--; s.from.left == 0 {
		s.known = s.known[:last]
	}
}

// keep keeps a schedule that reached more waypoints than the one that it continues.
func (s *seed) keep(way []*candidate, holds func(solver.Lit) bool) {
	now, before := &passing{schedule: s.tried, left: continued}, 0
	for round := 1; now.level < len(way) && round < len(way[now.level].holds); round++ {
		if holds(way[now.level].holds[round]) {
			now.level, now.round = now.level+1, round
		}
	}
	if s.from != nil {
		before = s.from.level
	}
	if now.level > before {
		place := slices.IndexFunc(s.known, func(p *passing) bool { return p.level > now.level })
		if place < 0 {
			place = len(s.known)
		}
		s.known = slices.Insert(s.known, place, now)
	}
}

func gainOf(seeds []seed, most int) *result.Gain {
	g := &result.Gain{Seeds: len(seeds), Most: most}
	sum, squares := 0.0, 0.0
	for _, s := range seeds {
		n := float64(s.executions)
		sum, squares = sum+n, squares+n*n
		if s.done {
			g.Reached++
		}
	}
	mean := sum / float64(len(seeds))
	g.Mean = tenth(mean)
	g.Deviation = tenth(math.Sqrt(max(squares/float64(len(seeds))-mean*mean, 0)))
	return g
}

func tenth(x float64) float64 { return math.Round(10*x) / 10 }

// better says which waypoints gain most, and whether more of them are better.
func better(found *result.Waypoints) string {
	best := 0
	for i, w := range found.Waypoints {
		if w.Gain.Mean < found.Waypoints[best].Gain.Mean {
			best = i
		}
	}
	one, all := found.Waypoints[best], found.All
	switch {
	case min(one.Gain.Mean, all.Mean) >= found.Alone.Mean:
		return "no waypoint gains anything: draw without"
	case len(found.Waypoints) == 1:
		return "the waypoint gains " + times(found.Alone, one.Gain)
	case all.Mean < one.Gain.Mean:
		return fmt.Sprintf("all %s together gain most, %s", text.Plural(len(found.Waypoints), "waypoint"), times(found.Alone, all))
	default:
		return fmt.Sprintf("waypoint %d alone gains most, %s: more are not better", best+1, times(found.Alone, one.Gain))
	}
}

// times says how many times fewer executions it takes.
func times(alone, with *result.Gain) string {
	least := ""
	if alone.Reached < alone.Seeds {
		least = "at least "
	}
	return fmt.Sprintf("%sa factor of %.1f", least, alone.Mean/with.Mean)
}

func ones(word uint64) int { return bits.OnesCount64(word) }
