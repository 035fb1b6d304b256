package report

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// Write writes the page as one HTML file.
func Write(w io.Writer, p *Page) error {
	parts, err := readParts()
	if err != nil {
		return err
	}
	data, err := json.Marshal(p) // which escapes what could end the element that it stands in
	if err != nil {
		return fmt.Errorf("writing the data of the report: %w", err)
	}
	m := &markup{}
	m.WriteString("<!DOCTYPE html>\n")
	m.open("html", "lang", "en")
	m.head(p, parts)
	m.open("body")
	m.body(p)
	m.raw("script", string(data), "type", "application/json", "id", "data")
	m.raw("script", parts.library)
	m.raw("script", parts.script)
	m.close("body", "html")
	m.WriteString("\n")
	if _, err := io.WriteString(w, m.String()); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

// raw writes an element whose content is a script, a style, or data that has been escaped.
func (m *markup) raw(tag, content string, attributes ...string) {
	m.open(tag, attributes...)
	m.WriteString(content)
	m.close(tag)
	m.WriteString("\n")
}

func (m *markup) head(p *Page, parts parts) {
	m.WriteString("<head>\n")
	m.open("meta", "charset", "utf-8")
	m.WriteString(`<meta http-equiv="Content-Security-Policy" content="` + parts.policy() + `">` + "\n")
	m.open("meta", "name", "viewport", "content", "width=device-width, initial-scale=1")
	m.open("meta", "name", "color-scheme", "content", "light dark")
	m.element("title", strings.TrimSpace(string(p.Verdict)+" · "+p.Title)+" · ldfi")
	m.raw("style", parts.style)
	m.close("head")
	m.WriteString("\n")
}

// body is all that can be read without scripts. The scripts find their places by the
// identifiers, and take away what they draw better.
func (m *markup) body(p *Page) {
	m.places = newPlaces(p.Sources)
	defer func() { m.places = nil }()
	m.element("a", "Skip to what happened", "class", "skip", "href", "#happened")
	m.open("main")
	m.top(p)
	m.summary(p)
	if len(p.Sets) == 0 {
		m.scope(p)
	}
	m.diagrams(p)
	m.repairs(p)
	m.lineages(p)
	m.sets(p)
	if len(p.Sets) > 0 {
		m.scope(p)
	}
	m.sources(p)
	m.printed(p)
	m.close("main")
	m.open("footer")
	m.open("p")
	m.text("Written by ")
	m.element("code", p.Command)
	m.text(". This file needs nothing else: it can be sent and kept as it is.")
	m.close("p", "footer")
}

// top is the heading: the verdict, and what it is about.
func (m *markup) top(p *Page) {
	m.open("header", "class", "top")
	m.open("p", "class", "what")
	m.element("span", p.Title, "class", "name")
	m.close("p")
	m.open("h1")
	if p.Verdict != "" {
		m.element("span", string(p.Verdict), "class", "verdict "+class(p.Verdict))
		m.text(" ")
	}
	m.element("span", p.Headline, "class", "headline")
	m.close("h1", "header")
}

// class is the style of a verdict.
func class(v result.Verdict) string {
	switch v {
	case result.Violated, result.Holds, result.Inconclusive:
		return string(v)
	default:
		return "none"
	}
}

// summary is what somebody has to know first: which faults, why, and how to repeat it.
func (m *markup) summary(p *Page) {
	if len(p.Sets) == 0 {
		return
	}
	first := p.Sets[0]
	m.open("section", "class", "summary", "aria-label", "In short")
	m.open("div", "class", "card")
	if len(first.Because) > 0 || p.Story != nil {
		if len(first.Because) > 0 {
			m.element("h2", "Why")
			m.list("because", first.Because)
		}
		m.story(p.Story)
	} else {
		m.element("h2", "What is broken")
		m.list("because", first.Broken)
	}
	m.close("div")
	m.open("div", "class", "card")
	m.element("h2", "Faults")
	m.faults(first)
	if len(p.Sets) > 1 {
		m.element("p", fmt.Sprintf("The first of %s, which are listed below.", text.Plural(len(p.Sets), "fault set")), "class", "about")
	}
	if first.Replay != "" {
		m.element("h2", "Replay")
		m.command(first.Replay)
	}
	m.explain(first, "h2")
	if p.Story != nil && len(p.Story.Without) > 0 {
		m.element("h2", "If one fault is undone")
		m.list("without", p.Story.Without)
	}
	m.close("div", "section")
}

// story tells how it came about, from the earliest difference on.
func (m *markup) story(s *Story) {
	if s == nil || len(s.Tales) == 0 {
		return
	}
	m.element("h2", "From the first difference to the broken promise")
	for _, tale := range s.Tales {
		m.open("ol", "class", "story")
		m.element("li", tale.First)
		if tale.Instead != "" {
			m.element("li", tale.Instead, "class", "instead")
		}
		for _, line := range tale.So {
			m.element("li", line)
		}
		m.close("ol")
	}
}

// list writes lines as a list, if there are any.
func (m *markup) list(class string, lines []string) {
	if len(lines) == 0 {
		return
	}
	m.open("ul", "class", class)
	for _, line := range lines {
		m.element("li", line)
	}
	m.close("ul")
}

// faults lists the faults of a set.
func (m *markup) faults(s Set) {
	m.open("ul", "class", "faults")
	for fault := range strings.SplitSeq(s.Schedule, "; ") {
		m.element("li", fault)
	}
	m.close("ul")
	m.element("p", s.About, "class", "about")
}

// command shows a command, which scripts give a button.
func (m *markup) command(text string) {
	m.open("p", "class", "command")
	m.element("code", text)
	m.close("p")
}

// explain shows the commands that say more of a fault set.
func (m *markup) explain(s Set, heading string) {
	if s.Why == "" && s.Diff == "" {
		return
	}
	m.element(heading, "Explain in a terminal")
	for _, text := range []string{s.Why, s.Diff} {
		if text != "" {
			m.command(text)
		}
	}
}

// diagrams is the place of the diagrams. Without scripts it has the text diagram.
func (m *markup) diagrams(p *Page) {
	m.open("section", "id", "happened", "tabindex", "-1")
	m.element("h2", "What happened")
	m.open("div", "id", "diagrams")
	m.close("div", "section")
}

func (m *markup) lineages(p *Page) {
	if len(p.Lineages) == 0 {
		return
	}
	m.open("section", "id", "lineage")
	m.element("h2", "Why, rule by rule")
	for _, l := range p.Lineages {
		if len(p.Sets) == 0 || l.World == p.Plain || l.World == p.Sets[0].World {
			m.lineage(l)
		}
	}
	m.close("section")
}

// lineage is one as text.
func (m *markup) lineage(l Lineage) {
	m.open("details", "class", "lineage-text")
	m.element("summary", l.Title)
	m.lines(l.Text, "tabindex", "0")
	m.close("details")
}

// sets lists every fault set that was found, the first ones with a diagram.
func (m *markup) sets(p *Page) {
	if len(p.Sets) == 0 {
		return
	}
	m.open("section", "id", "sets")
	m.element("h2", "Fault sets")
	if p.More != "" {
		m.element("p", "There may be others. This lists all that need each of their faults, and counts them:", "class", "about")
		m.command(p.More)
	}
	m.open("ol")
	for i, s := range p.Sets {
		m.open("li")
		m.open("details")
		m.open("summary")
		m.element("b", s.Schedule)
		m.text(" ")
		m.element("span", rank(s), "class", "rank")
		m.text(" ")
		m.element("span", s.About, "class", "about")
		m.close("summary")
		if s.Cuts != "" {
			m.open("p", "class", "cuts")
			m.text("cuts ")
			m.element("code", s.Cuts)
			m.close("p")
		}
		m.list("because", s.Because)
		if s.Replay != "" {
			m.command(s.Replay)
		}
		if i > 0 {
			m.explain(s, "h3")
		}
		if s.Text != "" {
			m.lines(s.Text, "class", "drawing", "tabindex", "0")
		}
		for _, l := range p.Lineages {
			if i > 0 && s.World >= 0 && l.World == s.World {
				m.lineage(l)
			}
		}
		m.close("details", "li")
	}
	m.close("ol", "section")
}

// rank is what fault sets are sorted by.
func rank(s Set) string {
	if s.Cost > 0 {
		return fmt.Sprintf("cost %d", s.Cost)
	}
	return text.Plural(s.Size, "fault")
}

// repairs is the field of an answer that has a section of its own.
const repairs = "repairs"

// repairs has what could be added to a program, or why nothing helps.
func (m *markup) repairs(p *Page) {
	i := slices.IndexFunc(p.Fields, func(f Field) bool { return f.Name == repairs })
	if i < 0 {
		return
	}
	lines := p.Fields[i].Lines
	m.open("section", "id", "repairs")
	m.element("h2", "Suggested repairs")
	for len(lines) > 0 {
		n := slices.IndexFunc(lines, func(line string) bool { return !strings.HasPrefix(line, " ") })
		switch {
		case n == 0:
			m.element("p", lines[0])
			lines = lines[1:]
			continue
		case n < 0:
			n = len(lines)
		}
		m.rules(lines[:n])
		lines = lines[n:]
	}
	m.close("section")
}

// rules writes lines of a program, without the indentation of the first in all.
func (m *markup) rules(lines []string) {
	indent := lines[0][:len(lines[0])-len(strings.TrimLeft(lines[0], " "))]
	var text strings.Builder
	for _, line := range lines {
		text.WriteString(strings.TrimPrefix(line, indent) + "\n")
	}
	m.lines(text.String(), "tabindex", "0")
}

// scope has the fields of the answer.
func (m *markup) scope(p *Page) {
	m.open("section", "id", "scope")
	m.element("h2", "What was asked")
	m.open("dl")
	for _, f := range p.Fields {
		if f.Name == repairs {
			continue
		}
		m.open("div")
		m.element("dt", f.Name)
		for _, line := range f.Lines {
			m.element("dd", line)
		}
		m.close("div")
	}
	for _, warning := range p.Warnings {
		m.open("div")
		m.element("dt", "warning")
		m.element("dd", warning)
		m.close("div")
	}
	m.close("dl", "section")
}

// printed is what the command prints.
func (m *markup) printed(p *Page) {
	m.open("section", "id", "printed")
	m.element("h2", "As text")
	m.open("details", "open", "")
	m.open("summary")
	m.text("What ")
	m.element("code", p.Command)
	m.text(" prints")
	m.close("summary")
	m.lines(p.Text, "tabindex", "0")
	m.close("details", "section")
}
