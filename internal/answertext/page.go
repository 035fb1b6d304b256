package answertext

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/lineage-driven/ldfi/internal/report"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/diagram"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Page is a result as text: a heading, then fields with their names in a column.
type Page struct {
	About  string         // what stands in the heading behind the verdict
	Fields []report.Field // those that an HTML page has too

	text  bytes.Buffer
	width int // of the names
}

// newPage starts a page with the verdict and what it is about.
func newPage(verdict, about string, style diagram.Style) *Page {
	p := &Page{About: about, width: max(len(verdict)+2, 11)}
	head := verdict
	if style.Strong != nil {
		head = style.Strong(verdict)
	}
	fmt.Fprintf(&p.text, "%s%s%s\n", head, strings.Repeat(" ", p.width-len(verdict)), text.Safe(about))
	return p
}

// field writes a named text of some lines, if there is one; all but the first are
// indented below it.
func (p *Page) field(name string, lines ...string) {
	if strings.Join(lines, "") != "" {
		p.Fields = append(p.Fields, report.Field{Name: name, Lines: lines})
	}
	p.ofSet(name, lines...)
}

// ofSet writes a field about a fault set, which an HTML page shows in a place of its own.
func (p *Page) ofSet(name string, lines ...string) {
	text.Field(&p.text, "  ", p.width-2, name, lines...)
}

// space writes an empty line.
func (p *Page) space() { p.text.WriteByte('\n') }

// diagram draws an execution below the fields.
func (p *Page) diagram(e *recording.Execution, violations []result.Violation, d Drawing) error {
	var drawn bytes.Buffer
	if err := Draw(&drawn, e, violations, d); err != nil {
		return err
	}
	p.space()
	for line := range strings.Lines(drawn.String()) {
		p.text.WriteString(strings.TrimRight("  "+line, " \n") + "\n")
	}
	return nil
}

// String returns the whole page.
func (p *Page) String() string { return p.text.String() }

// WriteText writes the whole page.
func (p *Page) WriteText(w io.Writer) error {
	_, err := w.Write(p.text.Bytes())
	return err
}

// Drawing says what the diagrams of an answer show, and how a terminal paints it.
type Drawing struct {
	Hide, Show []string // relations: of messages that are left out, and of facts that are shown
	Style      diagram.Style
}

// manyRounds is how long an execution of a system is in which messages are folded that come
// again and again: a server that nobody answers dials up to the end.
const manyRounds = 100

// Draw draws an execution, with what it breaks noted in its rounds.
func Draw(w io.Writer, e *recording.Execution, violations []result.Violation, d Drawing) error {
	fold := e.System != "" && e.Bounds.EOT > manyRounds
	return diagram.Write(w, e, diagram.Options{Hide: d.Hide, Show: d.Show, Notes: report.Notes(e, violations), Fold: fold, Style: d.Style})
}
