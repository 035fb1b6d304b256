package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/lineage-driven/ldfi/internal/report"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// page is a result as text: a heading, then fields with their names in a column.
type page struct {
	bytes.Buffer
	about  string
	fields []report.Field
	width  int // of the names
}

// newPage starts a page with the verdict and what it is about.
func newPage(verdict, about string) *page {
	p := &page{about: about, width: max(len(verdict)+2, 11)}
	fmt.Fprintf(p, "%s%s%s\n", bold(verdict), strings.Repeat(" ", p.width-len(verdict)), text.Safe(about))
	return p
}

// field writes a named text of some lines, if there is one; all but the first are
// indented below it.
func (p *page) field(name string, lines ...string) {
	if strings.Join(lines, "") != "" {
		p.fields = append(p.fields, report.Field{Name: name, Lines: lines})
	}
	p.ofSet(name, lines...)
}

// ofSet writes a field about a fault set, which in a report has a place of its own.
func (p *page) ofSet(name string, lines ...string) {
	text.Field(&p.Buffer, "  ", p.width-2, name, lines...)
}

// diagram draws an execution below the fields.
func (p *page) diagram(e *recording.Execution, violations []result.Violation, d drawing) error {
	var text bytes.Buffer
	if err := drawExecution(&text, e, violations, d); err != nil {
		return err
	}
	fmt.Fprintln(p)
	for line := range strings.Lines(text.String()) {
		p.WriteString(strings.TrimRight("  "+line, " \n") + "\n")
	}
	return nil
}

// writeTo writes the whole page.
func (p *page) writeTo(w io.Writer) error {
	_, err := w.Write(p.Bytes())
	return err
}
