package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// Landing is the first page of a report about several cases, each of which has a page of
// its own behind it.
type Landing struct {
	Title    string
	Command  string // that asked
	Outcome  Cell   // of all together
	Headline string
	Parts    []Part
	Text     string // all that the command prints

	pages []*Page
	calm  []bool // by page: it is as expected, and the first to be left out
	less  []less // by page
}

// Part is a part of a landing page.
type Part struct {
	Heading string
	Lines   []string
	Table   [][]Cell // the first row its heading
	Code    string   // lines as they are laid out
}

// Cell is a cell of a table.
type Cell struct {
	Text    string
	Verdict result.Verdict // how it is painted, "" as other text
	Page    int            // what Add returned for the page behind it, 0 for none
	Command bool           // it is a command, which can be copied
}

// Cells returns cells without pages.
func Cells(texts ...string) []Cell {
	row := make([]Cell, len(texts))
	for i, text := range texts {
		row[i].Text = text
	}
	return row
}

// Add adds the page of a case, and returns its number. Pages of cases that are as expected
// are the first that lose what the file has no room for.
func (l *Landing) Add(p *Page, asExpected bool) int {
	l.pages, l.calm, l.less = append(l.pages, p), append(l.calm, asExpected), append(l.less, whole)
	return len(l.pages)
}

// Write writes the landing page and those behind it as one HTML file.
func (l *Landing) Write(w io.Writer) error {
	parts, err := readParts()
	if err != nil {
		return err
	}
	data, err := l.fit()
	if err != nil {
		return err
	}
	m := &markup{}
	m.WriteString("<!DOCTYPE html>\n")
	m.open("html", "lang", "en")
	m.head(&Page{Title: l.Title, Verdict: result.Verdict(l.Outcome.Text)}, parts)
	m.open("body")
	m.open("main", "id", "landing")
	m.landing(l)
	m.close("main")
	for i, p := range l.pages {
		if data[i] == nil {
			continue
		}
		m.open("template", "id", fmt.Sprintf("case-%d", i+1))
		m.open("nav")
		m.element("a", "← "+l.Title, "href", "#")
		m.close("nav")
		m.body(p)
		m.close("template")
		m.WriteString("\n")
		m.raw("script", string(data[i]), "type", "application/json", "id", fmt.Sprintf("data-%d", i+1))
	}
	m.raw("script", parts.library)
	m.raw("script", parts.script)
	m.close("body", "html")
	m.WriteString("\n")
	if _, err := io.WriteString(w, m.String()); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

// landing is what the first page says.
func (m *markup) landing(l *Landing) {
	m.open("header", "class", "top")
	m.element("p", l.Title, "class", "what")
	m.open("h1")
	m.cell(l.Outcome, l)
	m.text(" ")
	m.element("span", l.Headline, "class", "headline")
	m.close("h1", "header")
	for _, part := range l.Parts {
		m.open("section")
		if part.Heading != "" {
			m.element("h2", part.Heading)
		}
		for _, line := range part.Lines {
			m.element("p", line)
		}
		if len(part.Table) > 0 {
			m.cells(part.Table, l)
		}
		if part.Code != "" {
			m.lines(part.Code, "tabindex", "0")
		}
		m.close("section")
		m.WriteString("\n")
	}
	if said := l.leftOut(); said != "" {
		m.element("p", said, "class", "about")
	}
	m.element("noscript", "The pages of the cases need scripts.")
	m.printed(&Page{Command: l.Command, Text: l.Text})
}

// cells writes a table.
func (m *markup) cells(rows [][]Cell, l *Landing) {
	m.open("div", "class", "matrix", "tabindex", "0", "role", "region", "aria-label", "Table")
	m.open("table")
	for i, row := range rows {
		m.open("tr")
		for k, c := range row {
			switch {
			case i == 0:
				m.element("th", c.Text, "scope", "col")
			case k == 0:
				m.open("th", "scope", "row")
				m.cell(c, l)
				m.close("th")
			default:
				m.open("td")
				m.cell(c, l)
				m.close("td")
			}
		}
		m.close("tr")
		m.WriteString("\n")
	}
	m.close("table", "div")
}

func (m *markup) cell(c Cell, l *Landing) {
	painted := ""
	if c.Verdict != "" {
		painted = "verdict " + class(c.Verdict)
	}
	switch {
	case c.Command && c.Text != "":
		m.command(c.Text)
	case c.Page > 0 && l.less[c.Page-1] < gone:
		m.element("a", c.Text, "href", fmt.Sprintf("#case-%d", c.Page), "class", painted)
	case painted != "":
		m.element("span", c.Text, "class", painted)
	default:
		m.text(c.Text)
	}
}

// less is how much of a page is left out where the file would be too large.
type less int

const (
	whole less = iota
	fixed      // without the circuit
	bare       // without diagrams, too
	gone       // without the page
)

// mostBytes is how large the pages of a report may be together, a little aside.
const mostBytes = 8_000_000

// fit returns the data of the pages, nil of those that are left out, after leaving out what
// the file has no room for.
func (l *Landing) fit() ([][]byte, error) {
	data, total := make([][]byte, len(l.pages)), 0
	encode := func(i int) (err error) {
		total -= l.size(i, data[i])
		if data[i] = nil; l.less[i] < gone {
			data[i], err = json.Marshal(l.pages[i])
		}
		total += l.size(i, data[i])
		return err
	}
	for i := range l.pages {
		if err := encode(i); err != nil {
			return nil, fmt.Errorf("writing the data of the report: %w", err)
		}
	}
	for total > mostBytes {
		i := l.next(data)
		if i < 0 {
			break
		}
		l.shorten(i)
		if err := encode(i); err != nil {
			return nil, fmt.Errorf("writing the data of the report: %w", err)
		}
	}
	return data, nil
}

// size is about how many bytes a page takes.
func (l *Landing) size(i int, data []byte) int {
	if data == nil {
		return 0
	}
	n := len(data) + len(l.pages[i].Text)
	for _, s := range l.pages[i].Sets {
		n += len(s.Text)
	}
	for _, g := range l.pages[i].Lineages {
		n += len(g.Text)
	}
	for _, s := range l.pages[i].Sources {
		for _, line := range s.Lines {
			n += len(line) + len(`<span id="line-0-100"></span>`)
		}
	}
	return n
}

// next is the page that has to become smaller: the largest of those as expected, as long as
// they have more than the bare text, and then of the others.
func (l *Landing) next(data [][]byte) int {
	best := -1
	before := func(i, k int) bool { // whether i comes before k
		if l.calm[i] != l.calm[k] {
			return l.calm[i]
		}
		if l.less[i] != l.less[k] {
			return l.less[i] < l.less[k]
		}
		return l.size(i, data[i]) > l.size(k, data[k])
	}
	for i := range l.pages {
		if l.less[i] < gone && (best < 0 || before(i, best)) {
			best = i
		}
	}
	return best
}

// shorten leaves out more of a page.
func (l *Landing) shorten(i int) {
	p := *l.pages[i]
	switch l.less[i]++; l.less[i] {
	case fixed:
		p.Circuit, p.Fixed = nil, "faults cannot be changed in this page: there is no room for that in a report of so many cases"
	case bare:
		p.Worlds, p.Plain, p.Lineages, p.Rules, p.Sources, p.Atoms = []Execution{}, -1, nil, nil, nil, Atoms{[]int{}, []int{}, []string{}}
		p.Sets = append([]Set(nil), p.Sets...)
		for k := range p.Sets {
			p.Sets[k].World = -1
		}
	}
	l.pages[i] = &p
}

// leftOut says what was left out, "" if nothing was.
func (l *Landing) leftOut() string {
	var count [gone + 1]int
	for _, n := range l.less {
		count[n]++
	}
	var lines []string
	for _, left := range []struct {
		less less
		what string
	}{{fixed, "cannot change faults"}, {bare, "have no diagrams"}, {gone, "are left out"}} {
		if n := count[left.less]; n > 0 {
			lines = append(lines, fmt.Sprintf("%d %s", n, left.what))
		}
	}
	if lines == nil {
		return ""
	}
	return text.Safe(fmt.Sprintf("So that this file has at most %d MB, of the pages behind it %s.", mostBytes/1_000_000, strings.Join(lines, ", ")))
}
