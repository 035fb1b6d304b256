package guide

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/specs"
)

// Outcome is what came of a guide in one execution.
type Outcome struct {
	Fired    []int     // by rule: how often it decided; for others 1 if it derived something
	Moves    []Move    // of the automaton, in their order
	Reached  []int     // by waypoint, from the first: the round
	Findings []Finding // about the guide
	Misses   []Miss    // what would have led on from there

	// Prevented are the rules that decide what the schedule prevents, such as that a message
	// arrives which is late or lost: the guide does not allow such a schedule.
	Prevented []int
}

// Move is a move of the automaton.
type Move struct {
	To    string
	Round int
	Rule  int
}

// Finding is something about a guide that is probably not meant.
type Finding struct {
	specs.Warning
	Times int // it happened
}

// nowhere is what was reached last before the first waypoint.
const nowhere = "no waypoint"

// Miss is a rule that would have led to the next state or waypoint, and what it lacked.
type Miss struct {
	Reached string // what was reached last: "start", "waypoint 2"
	Next    string // what the rule leads to
	Rule    int
	Lacked  string         // what of its body did not hold, "" if that only needed something new
	At      specs.Position // of what it lacked, or of the rule
}

// State returns the state of the automaton at the end.
func (o Outcome) State() string {
	if len(o.Moves) == 0 {
		return "start"
	}
	return o.Moves[len(o.Moves)-1].To
}

func (r *Run) ended(ctx context.Context) (Outcome, error) {
	o := r.outcome
	for _, part := range []struct {
		*machine
		*lockstep.Grower
	}{{&r.guide.decisions, r.decide}, {&r.guide.moves, r.move}, {&r.guide.waypoints, r.way}} {
		if part.Grower == nil {
			continue
		}
		for i, of := range part.rules {
			if of != nil && !of.decides && part.Fired(i) {
				o.Fired[of.index] = 1
			}
		}
	}
	slices.SortStableFunc(o.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Position.Line, b.Position.Line), cmp.Compare(a.Position.Column, b.Position.Column), cmp.Compare(a.Message, b.Message))
	})
	for i, of := range r.guide.moves.rules {
		if of != nil && of.decides && of.from == r.state {
			if err := r.miss(ctx, &o, r.move, i, of, fmt.Sprintf("state %q", r.state), fmt.Sprintf("state %q", of.to)); err != nil {
				return o, err
			}
		}
	}
	for i, of := range r.guide.waypoints.rules {
		if next := len(o.Reached) + 1; of != nil && of.decides && of.number == next {
			last := nowhere
			if next > 1 {
				last = fmt.Sprintf("waypoint %d", next-1)
			}
			if err := r.miss(ctx, &o, r.way, i, of, last, fmt.Sprintf("waypoint %d", next)); err != nil {
				return o, err
			}
		}
	}
	return o, nil
}

// miss notes what a rule lacked.
func (r *Run) miss(ctx context.Context, o *Outcome, g *lockstep.Grower, i int, of *rule, last, next string) error {
	lacked, err := g.Lacks(ctx, i)
	if err != nil {
		return err
	}
	m := Miss{Reached: last, Next: next, Rule: of.index, At: of.source.Position}
	if lacked >= 0 {
		m.At = of.source.Body[lacked].Position
		m.Lacked = r.guide.snippet(m.At)
	}
	o.Misses = append(o.Misses, m)
	return nil
}

// snippet returns the premise that begins at a place, in one line.
func (g *Guide) snippet(at specs.Position) string {
	if at.Line < 1 || at.Line > len(g.lines) || at.Column < 1 || at.Column > len(g.lines[at.Line-1]) {
		return ""
	}
	text := strings.Join(append([]string{g.lines[at.Line-1][at.Column-1:]}, g.lines[at.Line:]...), "\n")
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"' || c == '\'' || c == '`':
			i = stringEnd(text, i) - 1
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		case depth == 0 && (c == ',' || c == '.' || c == '|'):
			return strings.Join(strings.Fields(text[:i]), " ")
		}
	}
	return strings.Join(strings.Fields(text), " ")
}
