package guide

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/specs"
)

// Guide is a guide that has been read and checked. It is not changed, and may be shared.
type Guide struct {
	name   string
	lines  []string
	rules  []*rule        // in the order of the file, then those of the library
	own    int            // how many are the file's
	origin specs.Position // of what stands for the rules of the library
	good   []string
	bad    []string
	last   int // the number of the target, 0 without waypoints
	reads  map[string]int
	types  map[string][]kind // of the columns of each relation
	named  []Named           // relations of recordings that rules read, kinds and processes, each where it stands first

	compiled  *datalog.Compiled
	decisions machine // the rules that decide in a round, and what they depend on
	moves     machine // those of the automaton
	waypoints machine
}

// rule is a rule of the file.
type rule struct {
	index    int
	head     string // what it decides, or the name of the relation that it derives
	decides  bool
	relation string // what the program calls its head
	source   *syntax.Rule
	from, to string // of goto
	number   int    // of waypoint
	focus    int    // the term of the body that is new whenever the rule decides, -1 if there may be none
	about    bool   // it decides about a message of the round
	stays    bool   // what it derives stays
	first    bool   // it wins, which is no finding
	never    bool   // it may never fire
}

// Parse reads a guide. The error has everything that is wrong with it, each with its place;
// it is specs.Errors. Package specs/property/rules has to be linked, which reads rules.
func Parse(name, rules string) (*Guide, error) {
	g, errs, err := read(name, rules)
	switch {
	case err != nil:
		return nil, err
	case len(errs) > 0:
		return nil, errs
	}
	g.compile()
	return g, nil
}

// What a guide may have at most, so that it is read in a moment.
const (
	maxBytes = 64 << 10
	maxRules = 1000
	maxTerms = 60 // of a body

	mostTicks = 1_000_000 // of a process in a round
)

// small refuses a guide that is too large.
func small(c *datalog.Compiled) *specs.Error {
	all := clausesOf(c)
	if len(all) > maxRules {
		return &specs.Error{Position: all[maxRules].Position, Message: fmt.Sprintf("this is the rule after %d others, the most that a guide may have", maxRules)}
	}
	for _, r := range c.Program.Rules {
		if len(r.Body) > maxTerms {
			return &specs.Error{Position: r.Body[maxTerms].Position, Message: fmt.Sprintf("a body has at most %d terms: derive a relation in between", maxTerms-1)}
		}
	}
	return nil
}

// read reads a guide and checks it.
func read(name, rules string) (*Guide, specs.Errors, error) {
	rules = strings.TrimPrefix(rules, "\ufeff") // editors of Windows write it
	if len(rules) > maxBytes {
		return nil, specs.Errors{{Position: specs.Position{File: name}, Message: fmt.Sprintf("the guide has %d bytes, and at most %d are read", len(rules), maxBytes)}}, nil
	}
	if datalog.InLanguage == nil {
		return nil, nil, fmt.Errorf("%s: this program does not link what reads rules: import _ \"github.com/lineage-driven/ldfi/specs/property/rules\"", name)
	}
	compiled, err := datalog.InLanguage(name, rules, &language)
	own, origin := 0, specs.Position{}
	if err == nil {
		if large := small(compiled); large != nil {
			return nil, specs.Errors{large}, nil
		}
		own, origin = len(clausesOf(compiled)), ofLibraryIn(compiled)
		if more := withLibrary(compiled); more != "" {
			compiled, err = datalog.InLanguage(name, rules+"\n"+more, &language)
		}
	}
	if err != nil {
		return nil, nil, shown(err, strings.Split(rules, "\n"), origin)
	}
	g := &Guide{name: name, lines: strings.Split(rules, "\n"), compiled: compiled}
	for i, r := range clausesOf(compiled) {
		head, _, decides := strings.Cut(r.Head.Relation, "?")
		g.rules = append(g.rules, &rule{index: i, head: head, decides: decides, relation: r.Head.Relation, source: r, focus: -1, never: i >= own})
	}
	g.own, g.origin = own, origin
	c := &checker{Guide: g}
	c.marks(rules)
	c.check()
	slices.SortStableFunc(c.errors, func(a, b *specs.Error) int { return cmp.Or(a.Line-b.Line, a.Column-b.Column) })
	return g, c.errors, nil
}

// clausesOf returns the rules of a program that are rules of its text, and no part of one.
func clausesOf(c *datalog.Compiled) (all []*syntax.Rule) {
	for _, r := range c.Program.Rules {
		if head, _, made := strings.Cut(r.Head.Relation, "?"); !made || isHead(head) {
			all = append(all, r)
		}
	}
	return all
}

// shown returns the same mistakes as they can be printed.
func shown(err error, lines []string, origin specs.Position) error {
	var errs specs.Errors
	if !errors.As(err, &errs) {
		return err
	}
	for _, e := range errs {
		e.Message = text.SafeLines(e.Message)
		if e.Line > len(lines) {
			e.Position, e.Message = origin, "in the library: "+e.Message
			e.Excerpt = lines[origin.Line-1]
		}
	}
	return errs
}

// headAt returns the head of the rule at a place, as the file has it; programs have other names for heads and for parts of rules.
func (g *Guide) headAt(at specs.Position, relation string) string {
	if i := slices.IndexFunc(g.rules, func(r *rule) bool { return r.source.Position == at }); i >= 0 {
		return g.rules[i].head
	}
	name, _, _ := strings.Cut(relation, "?")
	return name
}

// placed returns what went wrong when rules were evaluated, at the rule that it is about.
func (g *Guide) placed(err error, when string) error {
	var runaway *limits.RunawayError
	var work *limits.WorkError
	var many *limits.LimitError
	e := &specs.Error{}
	switch {
	case errors.As(err, &work):
		of := *work
		of.Relation = g.headAt(of.Position, of.Relation)
		e.Position, e.Message = of.Position, of.Says()
	case errors.As(err, &runaway):
		of := *runaway
		of.Relation = g.headAt(of.Position, of.Relation)
		e.Position, e.Message = of.Position, of.Says()
	case errors.As(err, &many) && many.What == "facts":
		i := slices.IndexFunc(g.rules, func(r *rule) bool { return r.relation == many.Relation })
		if i < 0 {
			i = 0
		}
		e.Position = g.rules[i].source.Position
		e.Message = fmt.Sprintf("there are more than %d facts, the most that a guide may have, when %s is derived: bound what its rules derive", maxFacts, g.rules[i].head)
	default:
		return fmt.Errorf("%s: %s%w", g.name, when, err)
	}
	if e.Line > len(g.lines) {
		e.Position = g.origin
	}
	e.Message, e.Excerpt = text.SafeLines(when+e.Message), g.lines[e.Line-1]
	return e
}

// Name returns the name that the guide was read by: that of its file.
func (g *Guide) Name() string { return g.name }

// Rules returns the places of the rules of the file, and what each is for: the head that
// decides, or the relation that it derives.
func (g *Guide) Rules() []Named {
	var all []Named
	for _, r := range g.rules[:g.own] {
		all = append(all, Named{Of: "rule", Name: r.head, Position: r.source.Position})
	}
	return all
}

// Decides tells whether a rule decides something: others only derive what such rules read.
func (g *Guide) Decides(rule int) bool { return g.rules[rule].decides }

// states returns the states of the automaton, in the order of the file; nil if it has none.
func (g *Guide) states() (all []string) {
	for _, r := range g.moves.heads {
		for _, state := range []string{r.from, r.to} {
			if !slices.Contains(all, state) {
				all = append(all, state)
			}
		}
	}
	return all
}

// ReadsLosses tells whether a rule reads which faults lose messages, and not only which
// messages are lost.
func (g *Guide) ReadsLosses() bool { return g.reads["isolated"] > 0 || g.reads["parted"] > 0 }

// Ends returns the states of the automaton that are good and bad ends.
func (g *Guide) Ends() (good, bad []string) { return g.good, g.bad }

// Targeted tells whether there is something to reach: a good state or a waypoint.
func (g *Guide) Targeted() bool { return len(g.good) > 0 || g.last > 0 }

// Waypoints returns how many waypoints there are; the last one is the target.
func (g *Guide) Waypoints() int { return g.last }

// Named is a name in a guide, with its place.
type Named struct {
	Of      string // "relation", "kind", "process" or "rule"
	Name    string
	Columns int // of a relation, with the round
	specs.Position
}

// The relations that guides can read besides those of recordings.
var (
	ofMessage = datalog.Relation{Name: "message", Columns: []string{"Message", "From", "To", "Kind", "Text", "Round"}}
	ofState   = datalog.Relation{Name: "in", Columns: []string{"State", "Round"}}
)

// language is what rules of guides speak of.
var language = datalog.Language{
	Given: []datalog.Relation{ofMessage, ofState},
	Heads: []datalog.Relation{
		{Name: "drop", Columns: []string{"Message"}},
		{Name: "deliver", Columns: []string{"Message"}},
		{Name: "hold", Columns: []string{"Message"}},
		{Name: "release", Columns: []string{"Message", "Round"}},
		{Name: "lie", Columns: []string{"Message", "Name"}},
		{Name: "crash", Columns: []string{"Process", "Round"}},
		{Name: "restart", Columns: []string{"Process", "Round"}},
		{Name: "pause", Columns: []string{"Process", "Round"}},
		{Name: "isolate", Columns: []string{"Process", "Round"}},
		{Name: "part", Columns: []string{"Process", "Process", "Round"}},
		{Name: "tick", Columns: []string{"Process", "N", "Round"}},
		{Name: "ask", Columns: []string{"Process", "Payload", "Round"}},
		{Name: "goto", Columns: []string{"State", "State"}},
		{Name: "good", Columns: []string{"State"}},
		{Name: "bad", Columns: []string{"State"}},
		{Name: "waypoint", Columns: []string{"N", "Round"}},
	},
}

// reserved are the names that a relation of a system cannot have in a guide.
var reserved = func() (names []string) {
	for _, r := range slices.Concat(language.Given, language.Heads) {
		names = append(names, r.Name)
	}
	return names
}()

func isHead(name string) bool { return headOf(name) != nil }

func headOf(name string) *datalog.Relation {
	if i := slices.IndexFunc(language.Heads, func(r datalog.Relation) bool { return r.Name == name }); i >= 0 {
		return &language.Heads[i]
	}
	return nil
}

// columnsOf returns the names of the columns of a relation that is not the guide's own or
// the system's, nil for those.
func columnsOf(relation string) []string {
	for _, r := range slices.Concat(datalog.Environment, language.Given) {
		if r.Name == relation {
			return r.Columns
		}
	}
	if name, ok := strings.CutSuffix(relation, "?"); ok {
		if r := headOf(name); r != nil {
			return r.Columns
		}
	}
	return nil
}
