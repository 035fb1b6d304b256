package ldfi

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// The cause of a fault set is the kinds of lost messages that break an outcome, and the
// other effects of the faults on it: in any round, between any processes, and by any
// faults. A kind is a relation and a place on the way of its messages, see role. If an
// outcome is missing, the set cuts all ways to it. Its cause is then the last losses on
// these ways: losses that could not have led to another loss of the set.

// effect is an effect of a fault on an outcome, in any round: on messages of a relation on
// a link, or, without a relation, on a process.
type effect struct {
	relation string
	what     string // of a process a format
	from, to string
	missing  bool // it takes the outcome away
}

// The fates of messages.
const (
	isLost  = "is lost"
	arrives = "arrives late, or where it would be lost"
)

func (e effect) compare(o effect) int {
	lost := 0
	if e.missing != o.missing {
		if lost = 1; e.missing {
			lost = -1
		}
	}
	return cmp.Or(strings.Compare(e.relation, o.relation), strings.Compare(e.what, o.what), strings.Compare(e.from, o.from), strings.Compare(e.to, o.to), lost)
}

// kind is an effect, with the places on the way of a message in place of processes.
type kind struct{ relation, what, from, to string }

// causes finds them.
type causes struct {
	*question
	links map[string]map[[2]string]bool // on which each relation is sent without faults
	leads map[[2]string]bool            // whether one relation leads to another, as far as computed
	order map[string]int                // of relations, in the program
}

// groupByCause puts the sets of an answer in groups by their causes.
func (q *question) groupByCause(ctx context.Context, a *result.Answer) error {
	e, err := q.executor.record(ctx, rounds.Schedule{})
	if err != nil {
		return err
	}
	c := &causes{question: q, links: map[string]map[[2]string]bool{}, leads: map[[2]string]bool{}, order: map[string]int{}}
	for _, m := range e.Messages {
		if m.From == m.To {
			continue
		}
		if c.links[m.Relation] == nil {
			c.links[m.Relation] = map[[2]string]bool{}
		}
		c.links[m.Relation][[2]string{m.From, m.To}] = true
	}
	for i, r := range q.program.Rules {
		if _, known := c.order[r.Head.Relation]; !known {
			c.order[r.Head.Relation] = i
		}
	}
	groups := map[string]*together{}
	var all []*together
	for i := range a.Counterexamples {
		x := &a.Counterexamples[i]
		outcome := c.outcome(x.Violations[0])
		last, before := c.split(q.causes[x.Schedule.String()])
		key := outcome + "\n" + c.key(last)
		g, known := groups[key]
		if !known {
			g = &together{number: len(all) + 1, first: i + 1, outcome: outcome, last: map[kind]map[effect]bool{}, before: map[kind]map[effect]bool{}}
			groups[key], all = g, append(all, g)
		}
		x.Group = g.number
		g.sets++
		c.add(g.last, last)
		c.add(g.before, before)
		if len(before) > 0 {
			g.longer++
		}
	}
	for _, g := range all {
		a.Groups = append(a.Groups, result.Group{Number: g.number, First: g.first, Sets: g.sets, Text: c.text(g)})
	}
	return nil
}

// together has the sets of one cause.
type together struct {
	number, first, sets int
	outcome             string
	last                map[kind]map[effect]bool
	before              map[kind]map[effect]bool // earlier losses
	longer              int                      // of how many sets
}

func (c *causes) add(to map[kind]map[effect]bool, effects []effect) {
	for _, e := range effects {
		k := c.kind(e)
		if to[k] == nil {
			to[k] = map[effect]bool{}
		}
		to[k][e] = true
	}
}

// kind returns the kind of an effect.
func (c *causes) kind(e effect) kind {
	if e.relation == "" {
		return kind{what: e.what}
	}
	return kind{e.relation, e.what, c.role(e.relation, e.from), c.role(e.relation, e.to)}
}

// role is the place of a process on the way of a relation: it sends messages without
// faults, receives them, or both. So the links of a leader to its followers are alike, and
// the last link of a chain differs from its first.
func (c *causes) role(relation, process string) string {
	sends, receives := false, false
	for link := range c.links[relation] {
		sends, receives = sends || link[0] == process, receives || link[1] == process
	}
	return fmt.Sprint(sends, receives)
}

func (c *causes) key(effects []effect) string {
	var texts []string
	for _, e := range effects {
		texts = append(texts, fmt.Sprintf("%q", c.kind(e)))
	}
	slices.Sort(texts)
	return strings.Join(slices.Compact(texts), "\n")
}

// split parts the effects of a set in its cause, and earlier losses.
func (c *causes) split(effects []effect) (last, before []effect) {
	for _, e := range effects {
		if slices.ContainsFunc(effects, func(o effect) bool { return c.before(e, o) && !c.before(o, e) }) {
			before = append(before, e)
		} else {
			last = append(last, e)
		}
	}
	return last, before
}

// before tells whether the lost message of e could have led to that of o. If their
// relations lead to each other the links decide.
func (c *causes) before(e, o effect) bool {
	if !e.missing || !o.missing || e.relation == "" || o.relation == "" || !c.leadsTo(e.relation, o.relation) {
		return false
	}
	if !c.leadsTo(o.relation, e.relation) {
		return true
	}
	return syntax.Path(e.to, o.from, func(p string) (next []string) {
		for relation, links := range c.links {
			if !c.leadsTo(e.relation, relation) || !c.leadsTo(relation, e.relation) {
				continue
			}
			for link := range links {
				if link[0] == p {
					next = append(next, link[1])
				}
			}
		}
		return next
	}) != nil
}

// leadsTo tells whether facts of a relation can give facts of another one, or further ones
// of the same.
func (c *causes) leadsTo(from, to string) bool {
	pair := [2]string{from, to}
	leads, known := c.leads[pair]
	if !known {
		for _, next := range c.gives(from) {
			leads = leads || syntax.Path(next, to, c.gives) != nil
		}
		c.leads[pair] = leads
	}
	return leads
}

// gives returns the relations that have a rule with the given relation in its body.
func (c *causes) gives(relation string) (heads []string) {
	for _, r := range c.program.Rules {
		if slices.ContainsFunc(r.Body, func(t syntax.Term) bool { return t.Atom != nil && !t.Negated && t.Atom.Relation == relation }) {
			heads = append(heads, r.Head.Relation)
		}
	}
	return heads
}

// outcome describes what is missing, or holds: the relation, with the words of its rules.
func (c *causes) outcome(v result.Violation) string {
	args, said := make([]string, len(v.Fact.Args)), false
	for i, arg := range v.Fact.Args {
		args[i] = "_"
		for _, r := range c.program.Rules {
			if r.Head.Relation != v.Fact.Relation || i >= len(r.Head.Args) {
				continue
			}
			is, constant := r.Head.Args[i].(*syntax.Constant)
			if constant && is.Value == arg && !slices.Contains(c.bounds.Processes, arg.Text()) {
				args[i], said = arg.String(), true
			}
		}
	}
	text := v.Fact.Relation
	if said {
		text += "(" + strings.Join(args, ", ") + ")"
	}
	if v.Missing {
		return text + " is missing"
	}
	return text + " holds"
}

// mostPlaces limits the links or processes that a text names.
const mostPlaces = 4

// text describes the common cause of sets.
func (c *causes) text(g *together) string {
	if len(g.last) == 0 {
		return g.outcome + " without faults"
	}
	s := g.outcome + ": " + text.List(c.texts(g.last, true), "and")
	if g.longer == 0 {
		return s
	}
	also := text.List(c.texts(g.before, false), "or")
	if g.longer == g.sets {
		return s + "; before that also " + also
	}
	return fmt.Sprintf("%s; in %d of them before that also %s", s, g.longer, also)
}

// texts describes kinds of effects, in the order of the program; if full, with the fates of
// messages.
func (c *causes) texts(of map[kind]map[effect]bool, full bool) (texts []string) {
	for _, k := range slices.SortedFunc(maps.Keys(of), c.compareKinds) {
		var places []string
		for _, e := range slices.SortedFunc(maps.Keys(of[k]), effect.compare) {
			place := e.from
			if e.relation != "" {
				place += ">" + e.to
			}
			if !slices.Contains(places, place) {
				places = append(places, place)
			}
		}
		switch {
		case k.relation == "":
			texts = append(texts, fmt.Sprintf(k.what, someOfThem(places, "%d processes")))
		case full:
			texts = append(texts, fmt.Sprintf("%s %s (%s)", k.relation, k.what, someOfThem(places, "%d links")))
		default:
			texts = append(texts, fmt.Sprintf("%s (%s)", k.relation, someOfThem(places, "%d links")))
		}
	}
	return texts
}

// someOfThem names links or processes, if they are few, or gives their number.
func someOfThem(places []string, number string) string {
	if len(places) > mostPlaces {
		return fmt.Sprintf("some of "+number, len(places))
	}
	return text.List(places, "or")
}

func (c *causes) compareKinds(a, b kind) int {
	return cmp.Or(c.order[a.relation]-c.order[b.relation], strings.Compare(a.relation, b.relation), strings.Compare(a.what, b.what), strings.Compare(a.from, b.from), strings.Compare(a.to, b.to))
}
