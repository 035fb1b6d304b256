package strategies

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/strategies/tabular"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	guides "github.com/lineage-driven/ldfi/rounds/guide"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// Bonus, Negative and Waypoint are baselines of the literature, see package tabular: they
// decide the faults of each round while an execution goes on, by what came of the faults
// that earlier executions had in the same state. An action is one fault of the bounds that
// begins in the round, or none. So that no schedule within the bounds is left out, one
// execution in so many has a schedule that is drawn uniformly.
//
// A state is what the processes are by their fingerprints or else, by relation, what each
// has reported last.
var (
	Bonus    = steered("bonus", false, func(int) tabular.Policy { return tabular.Bonus() })
	Negative = steered("negrl", false, func(int) tabular.Policy { return tabular.NewNegative() })
	Waypoint = steered("waypoint", true, func(waypoints int) tabular.Policy { return tabular.NewWaypoint(waypoints) })
)

func steered(name string, led bool, policy func(waypoints int) tabular.Policy) *search.Strategy {
	unguided := ""
	if !led {
		unguided = "it knows a state by what came of its own faults: use waypoint, enumerate, or one that draws each schedule, such as uniform"
	}
	return &search.Strategy{Name: name, Guided: led, Unguided: unguided, Search: func(ctx context.Context, s *search.Session) (*result.Answer, error) {
		if s.System == nil {
			other := Spread.Name
			if led {
				other = Ahead.Name
			}
			return nil, fmt.Errorf("strategy %s decides faults while an execution goes on, but here the host only executes whole schedules: use %s", name, other)
		}
		waypoints := 0
		if led {
			waypoints = s.Guide.Waypoints()
		}
		l, err := newSteered(s, policy(waypoints))
		if err != nil {
			return nil, err
		}
		a, err := s.Finish(ctx, l.search(ctx), func(*result.Answer) {})
		if err == nil && a.Verdict == result.Inconclusive {
			Promise(a.Search, l.drawn, oneIn(schedules.Count(s.Bounds)))
		}
		return a, err
	}}
}

// steering is a search whose executions decide their faults.
type steering struct {
	*search.Session
	guide    *guides.Steering // nil: there is none
	policy   tabular.Policy
	uniform  *schedules.Uniform
	universe *schedules.Universe
	units    map[int][]tabular.Action // by the round in which they are decided
	states   map[string]tabular.State
	drawn    int // executions with a schedule that was drawn

	own     rounds.Schedule // what was decided here in the execution so far
	other   []rounds.Fault  // what the guide has decided
	present []string        // what each process is
	index   map[string]int
	said    []map[string]string // what each process reported last, by relation
	started bool
}

// ofNetwork are the faults that strike what was sent already.
var ofNetwork = []rounds.Kind{rounds.Isolate, rounds.Partition, rounds.Cut, rounds.Omit, rounds.Delay, rounds.Duplicate, rounds.Order}

// none is the action of a round without a fault.
const none tabular.Action = -1

func newSteered(s *search.Session, p tabular.Policy) (*steering, error) {
	l := &steering{
		Session: s, policy: p, universe: schedules.New(s.Bounds), units: map[int][]tabular.Action{}, states: map[string]tabular.State{}, index: map[string]int{},
	}
	l.uniform = l.universe.Uniform()
	for unit := range l.universe.Len() {
		f := l.universe.Fault(unit)
		if !l.universe.Alive(unit) || f.Kind == rounds.Choose {
			continue
		}
		if !slices.Contains(ofNetwork, f.Kind) {
			f.Round-- // what is sent in a round is sent already when faults of the round are decided
		}
		l.units[f.Round] = append(l.units[f.Round], tabular.Action(unit))
	}
	for i, p := range s.Bounds.Processes {
		l.index[p] = i
	}
	return l, nil
}

// search executes until a property is violated.
func (l *steering) search(ctx context.Context) error {
	steered, err := l.Steered(func(g *guides.Steering) system.Steering {
		l.guide = g
		return l
	}, l.observe)
	if err != nil {
		return err
	}
	whole, err := l.Guided(true)
	if err != nil {
		return err
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		x, s, drawn := steered, rounds.Schedule{}, l.Executions%uniformOneIn == uniformOneIn-1
		if drawn {
			x, s = whole, l.uniform.Draw(schedules.Dice{Rand: l.Random})
			l.drawn++
		}
		_, violated, err := l.Execute(ctx, x, s)
		if violated || err != nil {
			return err
		}
		if !drawn {
			l.come(l.Bounds.EOT)
			l.policy.End()
		}
		l.Progress(result.Progress{Executions: l.Executions, States: len(l.states), Text: "faults are decided by what they led to"})
	}
}

// Begin begins an execution, or begins it again under what has been decided.
func (l *steering) Begin(s rounds.Schedule) {
	if len(s.Faults) == 0 {
		l.own, l.other, l.started = s, nil, false
	}
	l.present = make([]string, len(l.Bounds.Processes))
	l.said = make([]map[string]string, len(l.Bounds.Processes))
	for i := range l.said {
		l.said[i] = map[string]string{}
	}
	if l.guide != nil {
		l.guide.Begin(s)
	}
}

// observe notes what a process is after a round.
func (l *steering) observe(t system.Transition) {
	i := l.index[t.Process]
	if slices.Contains(l.Offers, search.OffersFingerprints) {
		l.present[i] = t.Next
		return
	}
	for _, f := range t.Facts {
		f.Round = 0
		l.said[i][f.Relation] = f.String()
	}
	var all []string
	for _, text := range l.said[i] {
		all = append(all, text)
	}
	slices.Sort(all)
	l.present[i] = strings.Join(all, "\n")
}

// Decide lets the guide decide, and then the policy pick a fault.
func (l *steering) Decide(t system.Turn) (faults []rounds.Fault, err error) {
	if l.guide != nil {
		if faults, err = l.guide.Decide(t); err != nil {
			return nil, err
		}
	}
	l.other = execution.Redirected(l.other, faults, t.Round)
	if t.Settled { // nothing is learned of rounds that are made again
		return faults, nil
	}
	l.come(t.Round - 1)
	actions := append([]tabular.Action{none}, l.units[t.Round]...)
	if slices.ContainsFunc(faults, func(f rounds.Fault) bool { return !slices.Contains(ofNetwork, f.Kind) }) { // it begins again, and the guide decides about messages then
		actions = slices.DeleteFunc(actions, func(a tabular.Action) bool { return a != none && l.universe.Fault(int(a)).Round == t.Round })
	}
	for {
		i := l.policy.Pick(l.Random, actions)
		if actions[i] == none {
			return faults, nil
		}
		f := l.universe.Fault(int(actions[i]))
		if l.add(f) {
			if l.guide != nil {
				l.guide.Also(f)
			}
			return append(slices.Clone(faults), f), nil
		}
		actions = slices.Delete(actions, i, i+1)
	}
}

// Own returns the faults of the execution that were picked here.
func (l *steering) Own() rounds.Schedule { return l.own }

// add adds a fault, if it is within the bounds then, and the guide has decided neither it nor
// what excludes it.
func (l *steering) add(f rounds.Fault) bool {
	if slices.ContainsFunc(l.other, func(g rounds.Fault) bool {
		return g.Kind == f.Kind && g.Process == f.Process && g.To == f.To && g.Round <= f.Until+f.Round && f.Round <= g.Until+g.Round
	}) {
		return false
	}
	with := rounds.Schedule{Settings: l.own.Settings, Faults: append(slices.Clone(l.own.Faults), f)}
	if whole := (rounds.Schedule{Settings: with.Settings, Faults: slices.Concat(with.Faults, l.other)}); whole.Check(l.Bounds) != nil {
		return false
	}
	if _, err := l.universe.Units(with); err != nil {
		return false
	}
	l.own = with
	return true
}

// come tells the policy the state after a round.
func (l *steering) come(round int) {
	waypoint := 0
	if l.guide != nil {
		waypoint = l.guide.Holds()
	}
	texts := slices.Clone(l.present)
	for _, f := range slices.Concat(l.own.Faults, l.other) {
		if f.Kind == rounds.Crash || f.Kind == rounds.Restart || f.Until > round {
			f.Round = 0 // since when does not matter
			texts = append(texts, f.String())
		}
	}
	text := fmt.Sprintf("%q", texts)
	s, known := l.states[text]
	if !known {
		s = tabular.State(len(l.states))
		l.states[text] = s
	}
	if l.started {
		l.policy.Record(s, waypoint)
		return
	}
	l.policy.Begin(s, waypoint)
	l.started = true
}
