package report

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
)

// Source is a file of a program. Texts of a page that name one of its lines lead there.
type Source struct {
	Name  string   `json:"name"` // without its directory
	Lines []string `json:"-"`
}

// AddSource adds a file of a program, by its name without a directory.
func (p *Page) AddSource(name, s string) {
	s = strings.TrimSuffix(text.SafeLines(s), "\n")
	p.Sources = append(p.Sources, Source{text.Safe(name), strings.Split(s, "\n")})
}

// sources writes the files of a program, each folded, with an anchor for each line.
func (m *markup) sources(p *Page) {
	if len(p.Sources) == 0 {
		return
	}
	m.open("section", "id", "program")
	m.element("h2", "Program")
	for i, s := range p.Sources {
		m.open("details")
		m.open("summary")
		m.element("code", s.Name)
		m.text(", " + text.Plural(len(s.Lines), "line"))
		m.close("summary")
		m.open("pre", "class", "source", "tabindex", "0")
		for k, line := range s.Lines {
			m.open("span", "id", anchor(i, k+1))
			m.WriteString(escaped(line) + "\n")
			m.close("span")
		}
		m.close("pre", "details")
	}
	m.close("section")
}

// anchor names a line of a source.
func anchor(source, line int) string { return fmt.Sprintf("line-%d-%d", source, line) }

// places finds in texts the lines of sources that they name.
type places struct {
	sources []Source
	number  map[string]int // by name, -1 where two have it
	named   *regexp.Regexp
}

func newPlaces(sources []Source) *places {
	if len(sources) == 0 {
		return nil
	}
	f := &places{sources: sources, number: map[string]int{}}
	var names []string
	for i, s := range sources {
		if _, twice := f.number[s.Name]; twice {
			i = -1
		}
		f.number[s.Name] = i
		names = append(names, regexp.QuoteMeta(s.Name))
	}
	f.named = regexp.MustCompile(`(?:^|[^\w./-])((` + strings.Join(names, "|") + `):(\d{1,7}))`)
	return f
}

// write writes a text that is printable, with the lines that it names as links.
func (f *places) write(m *markup, text string) {
	if f == nil {
		m.WriteString(escaped(text))
		return
	}
	end := 0
	for _, at := range f.named.FindAllStringSubmatchIndex(text, -1) {
		source := f.number[text[at[4]:at[5]]]
		line, err := strconv.Atoi(text[at[6]:at[7]])
		if err != nil || source < 0 || line < 1 || line > len(f.sources[source].Lines) {
			continue
		}
		m.WriteString(escaped(text[end:at[2]]))
		m.open("a", "class", "line", "href", "#"+anchor(source, line))
		m.WriteString(escaped(text[at[2]:at[3]]))
		m.close("a")
		end = at[3]
	}
	m.WriteString(escaped(text[end:]))
}
