package rounds

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Knowing returns the bounds with the choices that the program p declares, as Declared
// does, unless the bounds have choices already, and with those of its kinds of messages that
// it sends.
func (b Bounds) Knowing(p *dedalus.Program) (Bounds, error) {
	b.Kinds = b.sentKinds(SentBy(p))
	if len(b.Choose) > 0 || len(p.Choices) == 0 {
		return b, nil
	}
	return b.Declared(p)
}

// Declared returns the bounds with Choose replaced by the choices that the program p
// declares, for the processes and rounds of the bounds.
func (b Bounds) Declared(p *dedalus.Program) (Bounds, error) {
	d := declarer{program: p, bounds: b, seen: map[Fault]specs.Position{}}
	b.Choose = nil
	for _, c := range p.Choices {
		if d.wrong == nil {
			b.Choose = append(b.Choose, d.choices(c)...)
		}
	}
	if d.wrong != nil {
		return b, d.wrong
	}
	return b, nil
}

// declarer writes the choices of a program out.
type declarer struct {
	program *dedalus.Program
	bounds  Bounds
	seen    map[Fault]specs.Position
	wrong   *specs.Error
}

func (d *declarer) fail(at specs.Position, format string, args ...any) {
	if d.wrong == nil {
		d.wrong = &specs.Error{Position: at, Message: fmt.Sprintf(format, args...), Excerpt: d.program.Excerpt(at)}
	}
}

// choices returns those of one statement: one in each of its rounds, and of each
// process in a column of each.
func (d *declarer) choices(c *syntax.Choose) (all []Choice) {
	rounds := d.rounds(c)
	if d.many(c, len(rounds)) {
		d.fail(c.Position, "there are more than %d facts to choose from", mostAlternatives)
		return nil
	}
	if !c.Separate() {
		return d.each(c, nil, rounds, nil)
	}
	for _, round := range rounds {
		all = d.each(c, nil, []int{round}, all)
	}
	return all
}

// rounds returns the rounds of a statement that the bounds have.
func (d *declarer) rounds(c *syntax.Choose) (rounds []int) {
	eot := min(d.bounds.EOT, maxSize)
	if c.Rounds.Word != "" {
		for round := 1; round <= eot; round++ {
			rounds = append(rounds, round)
		}
		return rounds
	}
	for _, r := range c.Rounds.Ranges {
		first, last := r.Rounds()
		for round := first; round <= min(last, eot); round++ {
			rounds = append(rounds, round)
		}
	}
	return rounds
}

// many tells whether there are too many alternatives.
func (d *declarer) many(c *syntax.Choose, rounds int) bool {
	count := len(d.seen)
	product := rounds
	for _, o := range c.Columns {
		ways := len(d.bounds.Processes)
		if o.Word == "" {
			ways = 0
			for _, r := range o.Ranges {
				ways = min(ways+r.Len(mostAlternatives+1), mostAlternatives+1)
			}
		}
		if product = product * ways; product > mostAlternatives {
			return true
		}
	}
	return count+product > mostAlternatives
}

// each appends a choice for each process in the columns of each, from one column
// on: those before have these values, those to choose from none.
func (d *declarer) each(c *syntax.Choose, args []specs.Value, rounds []int, all []Choice) []Choice {
	if len(args) == len(c.Columns) {
		made := Choice{Mode: c.Mode}
		for _, round := range rounds {
			made.Of = d.alternatives(c, args, 0, round, made.Of)
		}
		if len(made.Of) > 0 {
			all = append(all, made)
		}
		return all
	}
	if c.Columns[len(args)].Word != syntax.Each {
		return d.each(c, append(args, specs.Value{}), rounds, all)
	}
	for _, name := range d.bounds.Processes {
		all = d.each(c, append(args[:len(args):len(args)], d.program.ProcessValue(name)), rounds, all)
	}
	return all
}

// alternatives appends the facts of one choice, from one column on.
func (d *declarer) alternatives(c *syntax.Choose, args []specs.Value, column, round int, all []Fault) []Fault {
	if column == len(c.Columns) {
		return append(all, d.alternative(c, args, round))
	}
	o := c.Columns[column]
	if o.Word == syntax.Each {
		return d.alternatives(c, args, column+1, round, all)
	}
	with := append([]specs.Value{}, args...)
	if o.Word == syntax.Any {
		for _, name := range d.bounds.Processes {
			with[column] = d.program.ProcessValue(name)
			all = d.alternatives(c, with, column+1, round, all)
		}
	}
	for _, r := range o.Ranges {
		with[column] = r.First
		all = d.alternatives(c, with, column+1, round, all)
		for n := range r.Len(mostAlternatives+1) - 1 {
			with[column] = specs.Int(r.First.Int() + int64(n) + 1)
			all = d.alternatives(c, with, column+1, round, all)
		}
	}
	return all
}

// alternative returns a fact, which only one choice can have.
func (d *declarer) alternative(c *syntax.Choose, args []specs.Value, round int) Fault {
	f := Fault{Kind: Choose, Detail: syntax.FactText(c.Relation, args), Round: round}
	if wrong := f.wrongAlternative(d.bounds.EOT); wrong != "" {
		d.fail(c.Position, "%s", wrong)
	} else if old, twice := d.seen[f]; twice {
		d.fail(c.Position, "%s is an alternative of the choice at %v already", f.stamped(), old)
	}
	d.seen[f] = c.Position
	return f
}

// integer returns an integer as programs write it; empty if it is too large, and
// false for another text.
func integer(text string) (string, bool) {
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return "", false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return "", true
	}
	return strconv.FormatInt(n, 10), true
}

// chosen is what the scope says of the choices.
func (b Bounds) chosen() string {
	relations := text.List(b.chosenRelations(), "and")
	switch b.Choices {
	case 0:
		if !slices.ContainsFunc(b.Choose, Choice.hasDefault) {
			return "no choices of " + relations
		}
		return relations + " by default"
	case Unlimited:
		return "choices of " + relations
	default:
		return "at most " + text.Plural(b.Choices, "choice") + " of " + relations
	}
}
