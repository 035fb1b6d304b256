package lsp

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/solver"
)

// How long the facts of a relation are looked for, and how many of them and of its rules are shown.
const (
	lookup    = time.Second
	mostShown = 10
)

// hover answers what a relation is.
func (c *conversation) hover(ctx context.Context, p positionParams) (any, error) {
	o, n, found, err := c.at(p)
	if err != nil || !found || n.kind != relation {
		return nil, err
	}
	about := c.read(c.programsOf(o.path)[0])
	shown := strings.Join(append(about.described(n.text), about.possible(ctx, n.text)), "\n\n")
	return hover{markup{"markdown", shown}, o.span(n)}, nil
}

// described says what the text of a program shows of a relation.
func (p *program) described(relationName string) []string {
	if relationName == syntax.Crash {
		return []string{"`crash(Observer, Process, Round)` is built in: it holds in every round, for every observer, when the process crashes in that round."}
	}
	d := description{name: relationName}
	for _, o := range p.outlines() {
		d.add(p, o)
	}
	return d.paragraphs()
}

// description is what is known of a relation.
type description struct {
	name            string
	head, comment   string
	columns         int
	kept, sent      bool
	chosen, derived bool
	places          []string
}

// add adds what a file says.
func (d *description) add(p *program, o *outline) {
	for _, f := range o.program.Facts {
		if f.Relation == d.name {
			d.define(p, o, o.at(f.Position), strings.TrimSuffix(f.String(), ";"), len(f.Args))
		}
	}
	for _, c := range o.program.Choices {
		if c.Relation == d.name {
			d.chosen = true
			d.define(p, o, o.at(c.Position), strings.TrimSuffix(c.String(), ";"), len(c.Columns))
		}
	}
	for _, r := range o.program.Rules {
		if r.Head.Relation != d.name {
			continue
		}
		if !d.derived { // a rule names the columns
			d.derived, d.head = true, ""
		}
		d.kept, d.sent = d.kept || r.Kind == syntax.Next, d.sent || r.Kind == syntax.Async
		d.define(p, o, o.at(r.Position), r.Head.String(), len(r.Head.Args))
	}
}

// define adds a rule, a fact or a choice.
func (d *description) define(p *program, o *outline, at int, head string, columns int) {
	if d.head == "" {
		d.head, d.columns = head, columns
	}
	if d.comment == "" {
		d.comment = o.comment(at)
	}
	line := o.position(at).Line + 1
	file, err := filepath.Rel(filepath.Dir(p.path), o.path)
	if err != nil {
		file = o.path
	}
	d.places = append(d.places, fmt.Sprintf("[%s](%s#L%d)", text.Markdown(fmt.Sprintf("%s:%d", filepath.ToSlash(file), line)), uriOf(o.path), line))
}

func (d *description) paragraphs() []string {
	if len(d.places) == 0 {
		return []string{text.MarkdownCode(d.name), "It has no rule and no fact, so it is always empty."}
	}
	all := []string{text.MarkdownFenced("dedalus", d.head)}
	if d.comment != "" {
		all = append(all, text.Markdown(d.comment))
	}
	return append(all, d.nature(), "Derived at "+strings.Join(cut(d.places), ", "))
}

// nature says whether a relation is a state or an event.
func (d *description) nature() string {
	columns := text.Plural(d.columns, "column")
	switch {
	case d.sent && d.kept:
		return columns + ", a message that is kept: a fact arrives in the round after it is sent unless it is lost, and a rule carries it to the next round."
	case d.sent:
		return columns + ", a message: a fact arrives in the round after it is sent unless it is lost, and holds in that round alone."
	case d.kept:
		return columns + ", a state: a rule carries its facts to the next round."
	case d.chosen:
		return columns + ", an event that the environment chooses: a fact holds in its round alone."
	}
	return columns + ", an event: a fact holds in the round in which its rule fires, or that it names."
}

// cut returns the first of some texts, and how many more there are.
func cut(all []string) []string {
	if len(all) > mostShown {
		return append(slices.Clone(all[:mostShown]), fmt.Sprintf("and %d more", len(all)-mostShown))
	}
	return all
}

// possible lists the facts of a relation that some schedule within the bounds makes hold.
func (p *program) possible(ctx context.Context, relationName string) string {
	model, bounds, err := p.model()
	if err != nil || model == nil {
		return "Its possible facts are not known: " + text.Markdown(firstLine(err))
	}
	ctx, cancel := context.WithTimeout(ctx, lookup)
	defer cancel()
	graph, err := limits.Await(ctx, 0, func() (*provenance.Graph, error) {
		return provenance.Evaluate(ctx, p.parsed, bounds, provenance.Options{Only: []string{relationName}, MaxFacts: limits.DefaultMaxFacts / 10, MaxGates: limits.DefaultMaxGates / 10})
	})
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Sprintf("Its possible facts are not known: to evaluate it takes more than %v.", lookup)
	}
	if err != nil {
		return "Its possible facts are not known: " + text.Markdown(firstLine(err))
	}
	facts, number := listed(graph, relationName)
	if number == 0 {
		return "It has no possible fact within the bounds of " + text.Markdown(filepath.Base(p.path)) + "."
	}
	return fmt.Sprintf("%s within the bounds of %s: %s", text.Plural(number, "possible fact"), text.Markdown(filepath.Base(p.path)), strings.Join(cut(facts), ", "))
}

// listed returns the possible facts of a relation, those of several rounds as one, and how many
// there are.
func listed(g *provenance.Graph, relationName string) (all []string, number int) {
	when := map[string][]int{}
	var order []string
	for round := 1; round <= g.Bounds.EOT; round++ {
		for _, f := range g.Facts(relationName, round) {
			if f.Cond() == solver.False {
				continue
			}
			number++
			fact := recording.Display(f.Ground(), g.Bounds.Processes)
			if when[fact] == nil {
				order = append(order, fact)
			}
			when[fact] = append(when[fact], round)
		}
	}
	for _, fact := range order {
		all = append(all, text.MarkdownCode(fact+roundsText(when[fact])))
	}
	return all, number
}

// roundsText writes the rounds of a fact as a suffix: @2..5 or @2,4.
func roundsText(rounds []int) string {
	if first, last := rounds[0], rounds[len(rounds)-1]; last > first && last-first == len(rounds)-1 {
		return fmt.Sprintf("@%d..%d", first, last)
	}
	texts := make([]string, len(rounds))
	for i, round := range rounds {
		texts[i] = fmt.Sprint(round)
	}
	return "@" + strings.Join(texts, ",")
}

// firstLine returns the first line of an error.
func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
