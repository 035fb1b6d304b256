package report

import (
	"html"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
)

// markup writes HTML. Names of tags and attributes are constants of this package; all
// texts are escaped.
type markup struct {
	strings.Builder
	places *places // what texts name that has a place in the page
}

// open begins an element with attributes: name and value in turns.
func (m *markup) open(tag string, attributes ...string) {
	m.WriteString("<" + tag)
	for i := 0; i+1 < len(attributes); i += 2 {
		m.WriteString(" " + attributes[i] + `="` + escaped(text.Safe(attributes[i+1])) + `"`)
	}
	m.WriteString(">")
}

// close ends elements.
func (m *markup) close(tags ...string) {
	for _, tag := range tags {
		m.WriteString("</" + tag + ">")
	}
}

// text writes a line of text.
func (m *markup) text(s string) { m.places.write(m, text.Safe(s)) }

// element writes an element with a line of text in it.
func (m *markup) element(tag, text string, attributes ...string) {
	m.open(tag, attributes...)
	m.text(text)
	m.close(tag)
}

// lines writes whole lines, as they are laid out.
func (m *markup) lines(s string, attributes ...string) {
	m.open("pre", attributes...)
	m.WriteString("\n") // which is none of the text
	m.places.write(m, text.SafeLines(s))
	m.close("pre")
}

func escaped(text string) string { return html.EscapeString(text) }
