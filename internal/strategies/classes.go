package strategies

import (
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs"
)

// classes are the sets of kinds that the bounds pick out of which messages are: the faults that
// hit a message alone are those of its class. The class 0 has the messages of no such kind.
type classes struct {
	kinds  []string
	of     [][]string
	number map[string]int // by the kinds of the class, joined
}

func newClasses(kinds []string) *classes {
	return &classes{kinds: kinds, of: [][]string{nil}, number: map[string]int{"": 0}}
}

// class returns the class of a message.
func (c *classes) class(kind, text string) int {
	var of []string
	for _, named := range c.kinds {
		if execution.OfKind(named, kind, func() string { return text }) {
			of = append(of, named)
		}
	}
	name := strings.Join(of, "\x00")
	i, known := c.number[name]
	if !known {
		i = len(c.of)
		c.of, c.number[name] = append(c.of, of), i
	}
	return i
}

// classOf returns the class of a message that was recorded.
func (c *classes) classOf(m *recording.Message) int {
	if len(c.kinds) == 0 {
		return 0
	}
	return c.class(m.Relation, textOf(m.Args[1:]))
}

// textOf returns the text of a message from the arguments behind its receiver.
func textOf(args []specs.Value) string {
	if len(args) == 0 || args[0].IsInt() {
		return ""
	}
	return args[0].Text()
}

// losing returns the units each of which loses the messages of a class.
func (c *faultCircuit) losing(class, from, to, round int) []int {
	units := c.universe.Losing(from, to, round)
	for _, kind := range c.classes.of[class] {
		units = append(units, c.universe.LosingOf(kind, from, to, round)...)
	}
	if class > 0 {
		slices.Sort(units)
		units = slices.Compact(units)
	}
	return units
}

// deliversOf is true when the messages of a class from process from to process to in a round
// arrive.
func (c *faultCircuit) deliversOf(class, from, to, round int) solver.Lit {
	if class == 0 {
		return c.delivers(from, to, round)
	}
	at := [4]int{class, from, to, round}
	l, known := c.ofClass[at]
	if !known {
		l = c.loses(c.losing(class, from, to, round)).Not()
		c.ofClass[at] = l
	}
	return l
}

// deliversAll is true when all messages from process from to process to in a round arrive,
// whatever they are.
func (c *faultCircuit) deliversAll(from, to, round int) solver.Lit {
	all := []solver.Lit{c.delivers(from, to, round)}
	for _, kind := range c.classes.kinds {
		all = append(all, c.loses(c.universe.LosingOf(kind, from, to, round)).Not())
	}
	return c.Ands(all...)
}
