package bisect

import (
	"bytes"
	"cmp"
	"context"
	"strings"

	"github.com/lineage-driven/ldfi/internal/report"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// pages makes the pages of the versions that were searched, except those that are the same
// program as an earlier one.
func (m *matrix) pages(ctx context.Context) {
	parallel(len(m.Findings), func(i int) {
		f := &m.Findings[i]
		if f.State == Violated && ctx.Err() == nil {
			f.again = text.Safe(m.again(ctx, i, m.System, f.Scope.Bounds, m.answer(m.keys[i]).Answer, f.Schedule))
		}
		if f.Same != "" || !f.State.known() || m.keys[i] == "" || ctx.Err() != nil {
			return
		}
		m.tell("drawing %s", f.name())
		f.page = m.page(ctx, i, m.answer(m.keys[i]).Answer)
	})
}

// page makes the page of a version; nil if that is not possible.
func (m *matrix) page(ctx context.Context, i int, a *result.Answer) *report.Page {
	f := &m.Findings[i]
	v, err := m.openWithin(ctx, i, m.System, f.Scope.Bounds)
	if err != nil || a == nil {
		return nil
	}
	defer v.Close()
	p := report.NewPage(f.name(), "", v.Bounds())
	words := report.Words{
		About:  func(c result.Counterexample) string { return c.Minimality() },
		Replay: func(s rounds.Schedule) string { return m.again(ctx, i, m.System, f.Scope.Bounds, a, s) },
	}
	if err := v.Report(ctx, p, a, words); err != nil {
		return nil
	}
	p.Headline = text.Safe(f.headline())
	p.Fields = append(p.Fields, report.Field{Name: "scope", Lines: []string{f.Scope.Text}})
	if len(f.Broken) > 0 {
		p.Fields = append(p.Fields, report.Field{Name: "violated", Lines: f.Broken})
	}
	p.Local(v.place.localText)
	return p
}

// headline is one sentence about a version.
func (f *Finding) headline() string {
	switch {
	case len(f.Broken) > 0:
		return f.Broken[0]
	case f.Reason != "":
		return f.Reason
	default:
		return "no schedule within the bounds breaks the promise"
	}
}

// Landing returns the report as a page with the matrices, which links to a page of each
// version that was searched, if Options.Pages asked for these.
func (r *Report) Landing(title, command string) (*report.Landing, error) {
	l := &report.Landing{Title: title, Command: command, Outcome: report.Cell{Text: string(r.Verdict), Verdict: r.Verdict}}
	var text bytes.Buffer
	if err := r.WriteText(&text); err != nil {
		return nil, err
	}
	l.Text = text.String()
	if r.Interrupted {
		l.Parts = append(l.Parts, report.Part{Lines: []string{sentence(r.reached())}})
	}
	for i, m := range r.Matrices {
		if i == 0 {
			l.Headline = m.about()
		}
		m.land(l, i > 0)
	}
	return l, nil
}

// land adds the results of one system, or protocol.
func (m *Matrix) land(l *report.Landing, another bool) {
	first := report.Part{Lines: m.scopes()}
	if another {
		first.Heading = m.about()
	}
	if len(m.Inputs) > 1 {
		first.Table = cells(m.grid())
		l.Parts = append(l.Parts, first)
		first = report.Part{}
	}
	first.Table = m.linked(l)
	l.Parts = append(l.Parts, first)
	about := report.Part{Heading: "Root cause", Lines: m.Conclusion.Sentences}
	if n := len(m.Schedules); n > 0 {
		about.Lines = append(about.Lines, labels(n)+" each version under the schedule of that number.")
	}
	for _, remark := range m.remarks() {
		about.Lines = append(about.Lines, remark[0]+": "+remark[1])
	}
	l.Parts = append(l.Parts, about)
	for i, c := range m.Changes {
		part := report.Part{Heading: m.heading(c)}
		var text bytes.Buffer
		c.text(&text, m)
		if known := m.sameDiff(i); known != "" {
			text.WriteString("the diff is the same as with " + known + "\n")
		} else {
			text.WriteString(c.Diff)
		}
		part.Code = text.String()
		l.Parts = append(l.Parts, part)
	}
}

// linked returns the table, with links to the pages of the versions.
func (m *Matrix) linked(l *report.Landing) [][]report.Cell {
	table := cells(m.table())
	column := 1 // of the verdict
	if len(m.Inputs) > 0 {
		column = 2
	}
	pages := map[string]int{} // by version
	table[0] = append(table[0], report.Cell{Text: "replay"})
	row := 1
	for i := 0; i < len(m.Findings); i++ {
		f := &m.Findings[i]
		if n := m.repeated(i); n > folded {
			i += n - 1
			row++
			continue
		}
		table[row][column].Verdict = painted(f.State)
		if f.page != nil {
			f.page.Command = text.Safe(l.Command)
			pages[f.name()] = l.Add(f.page, f.State != Violated)
		}
		table[row][0].Page = pages[cmp.Or(f.Same, f.name())]
		table[row] = append(table[row], report.Cell{Text: f.again, Command: true})
		row++
	}
	return table
}

// painted is the verdict as which a state is painted.
func painted(s State) (none result.Verdict) {
	switch s {
	case Violated:
		return result.Violated
	case Holds:
		return result.Holds
	case NothingFound, Inconclusive:
		return result.Inconclusive
	}
	return none
}

func cells(rows [][]string) [][]report.Cell {
	var all [][]report.Cell
	for _, row := range rows {
		for i := range row {
			row[i] = strings.TrimSpace(row[i])
		}
		all = append(all, report.Cells(row...))
	}
	return all
}
