package suite

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/internal/columns"
	"github.com/lineage-driven/ldfi/internal/plural"
	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// WriteText writes the report for people: a line for each case, then what
// differs and what is to be known.
func (r *Report) WriteText(w io.Writer) error {
	var b bytes.Buffer
	rows := [][]string{{"case", "verdict", "expected", "faults", "time"}}
	for i := range r.Cases {
		rows = append(rows, r.Cases[i].row())
	}
	columns.Table(&b, "", rows)
	fmt.Fprintf(&b, "\n%s%s\n", r.summary(), r.part())
	for i := range r.Cases {
		if c := &r.Cases[i]; c.Outcome != Pass || c.NewKept != "" || c.Answer != nil && len(subject.Warnings(c.Answer)) > 0 {
			c.writeDetails(&b)
		}
	}
	_, err := io.WriteString(w, printable(b.String()))
	return err
}

// part says which part of the suite was run.
func (r *Report) part() string {
	if r.Shard == "" {
		return ""
	}
	return fmt.Sprintf(" (part %s of %s)", r.Shard, plural.Of(r.Total, "case"))
}

// row is the line of a case in the table.
func (c *CaseResult) row() []string {
	verdict, schedule, took := c.verdictText(), "", ""
	if a := c.Answer; a != nil {
		took = fmt.Sprintf("%.2f s", time.Duration(a.Stats.Times.Total).Seconds())
		if a.Verdict == result.Violated {
			schedule = shorten(faultsText(a.First()))
		}
	}
	if c.Cached {
		took = "cached"
	}
	want := string(c.Expect)
	if c.ExpectFaults != nil {
		want += fmt.Sprintf(" by %d", *c.ExpectFaults)
	}
	return []string{oneLine(c.Name), verdict, want, schedule, took}
}

// shorten cuts a schedule that is too long for a table.
func shorten(text string) string {
	const most = 50
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most-1]) + "…"
}

// writeDetails says in which way a case is not as expected, and what else there
// is to know.
func (c *CaseResult) writeDetails(b *bytes.Buffer) {
	fmt.Fprintf(b, "\n%s  %s:%d:%d\n", oneLine(c.Name), c.File, c.Line, c.Column)
	field := func(name, text string) { columns.Field(b, "  ", 9, name, text) }
	switch c.Outcome {
	case Error:
		field("error", c.Error)
	case Inconclusive:
		field("unknown", c.Differs)
	case Fail:
		field("differs", c.Differs)
	}
	if a := c.Answer; a != nil && a.Verdict == result.Violated && (c.Outcome != Pass || c.NewKept != "") {
		field("faults", faultsText(a.First())+"   ("+sizeText(a.First())+")")
		field("because", strings.Join(a.First().Because, "\n"))
	}
	field("kept", c.NewKept)
	if c.Outcome != Pass || c.NewKept != "" {
		field("again", c.Again)
	}
	for _, k := range c.Kept {
		if !k.Expected && k.Again != c.Again && k.Again != "" {
			field("again", k.Again)
		}
	}
	if c.Answer != nil {
		for _, warning := range subject.Warnings(c.Answer) {
			field("warning", warning)
		}
	}
}
