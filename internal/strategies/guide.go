package strategies

import (
	"context"
	"fmt"
	"math/big"
	"strings"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// guide draws schedules for outcomes that must never happen. Their lineage does not help,
// because they did not happen. Mostly they need phases without progress, or with progress
// for some processes only, and later phases that have progress. So a schedule prevents
// progress in as many phases as its isolations are enough for: guide first draws the
// progress to prevent, then the knowledge that the processes have in the end, among all
// that the supports allow.
//
// A fixed share of the schedules is drawn uniformly, so that no schedule within the bounds
// is left out.
type guide struct {
	*search.Session
	index    map[string]int
	lens     *search.Lens
	phases   []*phase
	isolated *schedules.Universe // isolations alone
	others   *schedules.Uniform  // all other faults
	all      *schedules.Universe
	uniform  *schedules.Uniform
	most     int // isolations of a schedule
	together int // isolations of a phase
	seen     int // executions
	next     int // the execution after which sets of isolations are proposed anew
	drawn    int
	before   map[string]bool // schedules that were executed
}

// unguidedOneIn is the inverse of the share of schedules that are drawn uniformly.
const unguidedOneIn = 8

func newGuide(s *search.Session) *guide {
	g := &guide{Session: s, index: map[string]int{}, before: map[string]bool{}}
	for i, name := range s.Bounds.Processes {
		g.index[name] = i
	}
	var err error
	if g.lens, err = search.NewLens(s.Properties); err != nil || g.lens.All() {
		g.lens = search.Everything()
	}
	b := s.Bounds
	alone := rounds.Bounds{
		Processes: b.Processes, EOT: b.EOT, EFF: b.EFF, From: b.From, FaultFree: b.FaultFree, Isolations: b.Isolations, Period: b.Period, CrashStop: b.CrashStop, Reliable: b.Reliable,
	}
	g.isolated = schedules.New(alone)
	if b.Isolations != 0 {
		for _, p := range Phases(b) {
			g.phases = append(g.phases, newPhase(p))
		}
	}
	b.Isolations = 0
	g.others = schedules.New(b).Uniform()
	g.all = schedules.New(s.Bounds)
	g.uniform = g.all.Uniform()
	g.most = s.Bounds.Isolations
	if g.most == rounds.Unlimited {
		g.most = len(s.Bounds.Processes) * len(g.phases)
	}
	g.together = min(maxTogether, max(len(s.Bounds.Processes)-1, 1), g.most)
	return g
}

// learn learns from the execution of a schedule, which may have more faults.
func (g *guide) learn(ctx context.Context, e *recording.Execution, s rounds.Schedule) error {
	g.before[faultsText(s)] = true
	r := &reader{execution: e, index: g.index, lens: g.lens}
	for _, p := range g.phases {
		r.read(p)
		if g.seen == 0 {
			p.first = append(p.first, r.seen...)
		}
	}
	if g.seen++; g.seen < g.next {
		return nil
	}
	g.next = 2 * g.seen
	for _, p := range g.phases {
		if !p.changed || len(p.first) == 0 {
			continue
		}
		if err := p.propose(ctx, g.isolated, g.together); err != nil {
			return err
		}
	}
	return nil
}

func faultsText(s rounds.Schedule) string {
	s.Settings = rounds.Settings{}
	return s.Normal().String()
}

// tries is how often a schedule is drawn again that was executed before.
const tries = 8

// draw draws a schedule, and gives reasons.
func (g *guide) draw() (rounds.Schedule, []string) {
	g.drawn++
	dice := schedules.Dice{Rand: g.Random}
	if len(g.phases) > 0 && g.Random.IntN(unguidedOneIn) > 0 {
		for range tries {
			s, why := g.guided(dice)
			if !g.before[faultsText(s)] && g.within(s) {
				return s, why
			}
		}
	}
	return g.uniform.Draw(dice), []string{"drawn uniformly"}
}

func (g *guide) within(s rounds.Schedule) bool {
	_, err := g.all.Units(s)
	return err == nil
}

// guided draws sets of isolations for the phases, in random order, and other faults.
func (g *guide) guided(dice schedules.Dice) (rounds.Schedule, []string) {
	s := g.others.Draw(dice)
	var why []string
	left := g.most
	broken := len(g.phases) // in half of the schedules the last phase is left alone: a violation shows in progress
	if broken > 1 {
		broken -= g.Random.IntN(2)
	}
	for _, i := range g.Random.Perm(broken) {
		p := g.phases[i]
		set := g.choose(p)
		if set == nil || len(set.faults) > left {
			continue
		}
		left -= len(set.faults)
		for i, f := range set.faults {
			f.Round = set.starts[i][g.Random.IntN(len(set.starts[i]))]
			s.Faults = append(s.Faults, f)
		}
		why = append(why, g.why(p, set))
	}
	return s.Normal(), why
}

// choose draws one of the sets of isolations of a phase: their number, then the
// progress that is left, then the knowledge. There is more than one isolation only
// where the bounds allow more of them than there are phases.
func (g *guide) choose(p *phase) *isolations {
	if p.sets == nil {
		return nil
	}
	spare := max(g.most-len(g.phases), 0)
	size := 1
	for size < g.together && g.Random.IntN(2*len(g.phases)) < min(spare, len(g.phases)) {
		size++
	}
	for size > 1 && len(p.sets[size].sets) == 0 {
		size--
	}
	choices := p.sets[size]
	if len(choices.sets) == 0 {
		return nil
	}
	sets := choices.sets[g.Random.IntN(len(choices.sets))]
	return sets[g.Random.IntN(len(sets))]
}

// why describes the progress that a set of isolations prevents.
func (g *guide) why(p *phase, set *isolations) string {
	text := fmt.Sprintf("rounds %d to %d: ", p.First, p.Last)
	if len(set.lost) == 0 {
		return text + "processes know less, but report the same facts"
	}
	return text + "without " + strings.Join(set.lost, ", ")
}

// least is a probability that each schedule within the bounds has at least in each
// draw.
func (g *guide) least() *big.Rat {
	least := new(big.Rat).SetFrac(big.NewInt(1), schedules.Count(g.Bounds))
	if len(g.phases) == 0 {
		return least
	}
	return least.Mul(least, big.NewRat(1, unguidedOneIn))
}

// promise states the meaning of a search that found nothing: a fixed share of schedules is
// drawn from all.
func (g *guide) promise(ctx context.Context, r *result.Search) {
	Promise(r, g.drawn, g.least())
	if len(g.phases) > 0 {
		r.Guarantee = fmt.Sprintf("at least 1 in %d schedules was drawn from all of them: ", unguidedOneIn) + r.Guarantee
	}
	if g.System == nil || g.System.Varies(ctx, g.Settings) {
		r.Guarantee += "; all executions have the ticks and random numbers of the first"
	}
}
