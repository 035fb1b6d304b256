package subject

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/report"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance/explain"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// mostLineage limits the bytes of lineages on a page. The lineages of further fault sets
// are left out.
const mostLineage = 240_000

// lineages adds the lineage of the first violation of each fault set that is drawn, and the
// lineage of the same outcome without faults.
func (p *OpenedProtocol) lineages(ctx context.Context, to *report.Page, all []result.Counterexample) error {
	for i := range all {
		if to.Sets[i].World < 0 || len(all[i].Violations) == 0 {
			continue
		}
		if i > 0 && to.LineageBytes() > mostLineage {
			to.Warnings = append(to.Warnings, fmt.Sprintf("the page has no lineage for fault set %d and those after it: the command below each of them prints it", i+1))
			return nil
		}
		if err := p.lineagesOf(ctx, to, &all[i], to.Sets[i].World, i == 0); err != nil {
			return err
		}
	}
	return nil
}

// lineagesOf adds the lineages of the fault set c. For the first fault set it also adds why
// the outcome was promised.
func (p *OpenedProtocol) lineagesOf(ctx context.Context, to *report.Page, c *result.Counterexample, world int, first bool) error {
	broken := c.Violations[0]
	if err := p.lineage(ctx, to, broken.Fact, c.Schedule, world); err != nil {
		return err
	}
	if broken.Missing && len(c.Schedule.Faults) > 0 {
		if err := p.lineage(ctx, to, broken.Fact, rounds.Schedule{}, to.Plain); err != nil {
			return err
		}
	}
	if first && broken.While != nil {
		return p.lineage(ctx, to, *broken.While, c.Schedule, world)
	}
	return nil
}

// under says in which execution something is so.
func under(s rounds.Schedule) string {
	if text := s.String(); text != "" {
		return "with " + text
	}
	return "without faults"
}

// lineage adds the lineage of a fact under a schedule, unless the page has it.
func (p *OpenedProtocol) lineage(ctx context.Context, to *report.Page, f recording.Fact, s rounds.Schedule, world int) error {
	about := fmt.Sprintf("%s@%d, %s", recording.Display(f, p.limits.Processes), f.Round, under(s))
	if slices.ContainsFunc(to.Lineages, func(l report.Lineage) bool { return strings.HasSuffix(l.Title, " "+about) }) {
		return nil
	}
	e, err := p.model.Why(ctx, f.String(), s)
	if err != nil {
		return err
	}
	var text strings.Builder
	if err := e.WriteText(&text); err != nil {
		return err
	}
	word := "Why there is no "
	if e.Holds {
		word = "Why "
	}
	l := report.Lineage{Title: word + about, Text: text.String(), World: world}
	p.draw(to, &l, e.Chart())
	to.AddLineage(l)
	return nil
}

// draw adds a chart to a page.
func (p *OpenedProtocol) draw(to *report.Page, l *report.Lineage, c *explain.Chart) {
	for _, n := range c.Nodes {
		node := report.Node{Kind: n.Kind, Text: n.Text, Met: n.Met, First: n.First, Last: n.Last, Notes: n.Notes, Rule: -1, Relation: -1, From: -1, To: -1, When: when(n.When)}
		if n.Rule != nil {
			node.Rule = p.rule(to, n.Rule.Position, n.Rule.String())
		} else if n.Stated.Line > 0 {
			node.Rule = p.rule(to, n.Stated, "")
		}
		if m := n.Message; m != nil {
			node.Lost = len(m.Losses) > 0
			node.Relation, node.From, node.To = to.RelationOf(n.Relation), to.Process(m.From), to.Process(m.To)
		}
		l.Nodes = append(l.Nodes, node)
	}
	for _, e := range c.Edges {
		edge := report.Edge{From: e.From, To: e.To, Text: e.Text}
		if e.Kept != nil {
			edge.Since, edge.Until, edge.When = e.Kept.Since, e.Until, when(e.When)
			for _, r := range e.Kept.Rules {
				if r != nil {
					edge.Rules = append(edge.Rules, p.rule(to, r.Position, r.String()))
				}
			}
		}
		l.Edges = append(l.Edges, edge)
	}
}

func when(w *explain.When) *report.When {
	if w == nil {
		return nil
	}
	return &report.When{Word: w.Word, Terms: text.SafeEach(w.Terms), More: w.More}
}

// rule adds a rule or a fact as it stands in its file, from its first line to the end of
// the statement; the text if the file does not show it.
func (p *OpenedProtocol) rule(to *report.Page, at specs.Position, text string) int {
	place := fmt.Sprintf("%s:%d", filepath.Base(at.File), at.Line)
	lines := strings.Split(p.program.Text(at.File), "\n")
	if at.Line >= 1 && at.Line <= len(lines) {
		text = statement(lines[at.Line-1:])
	}
	return to.AddRule(place, text)
}

// statement returns the lines up to the first that ends a statement.
func statement(lines []string) string {
	const most = 20
	for i := range lines {
		line := lines[i]
		if before, _, comment := strings.Cut(line, "//"); comment {
			line = before
		}
		if i == most || strings.HasSuffix(strings.TrimSpace(line), ";") {
			return strings.Join(lines[:min(i+1, len(lines))], "\n")
		}
	}
	return strings.Join(lines[:min(most, len(lines))], "\n")
}
