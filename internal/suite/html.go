package suite

import (
	"bytes"

	"github.com/lineage-driven/ldfi/internal/report"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// Landing returns the report as a page with a table of all cases, with links to the pages
// of those that have one.
func (r *Report) Landing(command string, pages map[int]*report.Page) (*report.Landing, error) {
	l := &report.Landing{Title: r.title(), Command: command, Headline: r.summary(), Outcome: painted(r.Worst())}
	var b bytes.Buffer
	if err := r.WriteText(&b); err != nil {
		return nil, err
	}
	l.Text = b.String()
	table := report.Part{Table: [][]report.Cell{report.Cells("case", "", "verdict", "expected", "faults", "time", "replay")}}
	for i := range r.Cases {
		c := &r.Cases[i]
		row := report.Cells(c.row()...)
		if p := pages[c.Index]; p != nil {
			c.fill(p)
			row[0].Page = l.Add(p, c.Outcome == Pass)
		}
		if c.Answer != nil {
			row[1].Verdict = c.Answer.Verdict
		}
		table.Table = append(table.Table, append(append([]report.Cell{row[0], painted(c.Outcome)}, row[1:]...), report.Cell{Text: text.Safe(c.Again), Command: true}))
	}
	l.Parts = append(l.Parts, table)
	if warnings := append(r.Warnings[:len(r.Warnings):len(r.Warnings)], r.held()...); len(warnings) > 0 {
		l.Parts = append(l.Parts, report.Part{Heading: "Warnings", Lines: warnings})
	}
	if note := r.byHosts(); note != "" {
		l.Parts = append(l.Parts, report.Part{Heading: "Note", Lines: []string{note}})
	}
	return l, nil
}

// verdicts gives the outcomes that have a colour the verdict with the same colour.
var verdicts = map[Outcome]result.Verdict{Pass: result.Holds, Fail: result.Violated, Error: result.Violated, Inconclusive: result.Inconclusive}

func painted(o Outcome) report.Cell { return report.Cell{Text: string(o), Verdict: verdicts[o]} }

// fill writes the outcome of a case on its page.
func (c *CaseResult) fill(p *report.Page) {
	p.Title, p.Headline = text.Safe(c.Name), oneLine(c.headline())
	if broken := c.broken(); broken != nil && c.Outcome == Pass {
		p.Headline = oneLine(broken.Violations[0].String() + ", as expected")
	}
	for _, d := range c.details() {
		if len(d.lines) > 0 && d.lines[0] != "" {
			p.Fields = append(p.Fields, report.Field{Name: d.name, Lines: d.lines})
		}
	}
	var text bytes.Buffer
	c.writeDetails(&text)
	p.Text = text.String()
}
