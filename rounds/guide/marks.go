package guide

import (
	"slices"
	"strings"
	"unicode"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/specs"
)

// The marks that the comment behind a rule makes.
const (
	first    = "first"
	mayNever = "may never"
)

// marks gives rules their marks, and refuses what is nearly one.
func (c *checker) marks(text string) {
	for _, comment := range comments(c.name, text) {
		var last *rule
		for _, r := range c.rules[:c.own] {
			if at := r.source.Position.Line; at <= comment.Line && (last == nil || at >= last.source.Position.Line) {
				last = r
			}
		}
		for _, piece := range strings.Split(comment.text, ",") {
			said := strings.TrimSpace(piece)
			mark := markOf(said)
			switch {
			case mark == "":
			case comment.alone && plain(said) == plain(mark):
				c.report(comment.Position, "this comment marks no rule: # %s stands behind a rule, on its line", mark)
			case comment.alone || last == nil:
			case said != mark:
				c.report(comment.Position, "%q marks no rule (did you mean %q?)", said, mark)
			case mark == first:
				last.first = true
				c.wins(last, comment.Position)
			default:
				last.never = true
			}
		}
	}
}

// wins refuses a rule that is to win and never meets another one.
func (c *checker) wins(r *rule, at specs.Position) {
	if slices.ContainsFunc(c.rules[r.index+1:], func(o *rule) bool { return o.decides && opposite(r.head, o.head) }) {
		return
	}
	c.report(at, "there is nothing for this %s to win over: no rule behind it wants the opposite of one message, as deliver is the opposite of drop", r.head)
}

// opposite tells whether two heads can want opposite things of one message.
func opposite(a, b string) bool {
	fate := func(head string) bool { return head == "drop" || head == "deliver" || head == "hold" }
	switch {
	case a == "lie" || b == "lie":
		return a == b || a == "drop" || b == "drop"
	}
	return fate(a) && fate(b) && a != b
}

// markOf returns the mark that a comment is, or nearly is; "" if it is none.
func markOf(comment string) string {
	for _, mark := range []string{first, mayNever} {
		near, is := plain(comment), plain(mark)
		if near == is || near != "" && near[0] == is[0] && text.Suggest(near, []string{is}) != "" {
			return mark
		}
	}
	return ""
}

// plain returns the letters of a comment.
func plain(comment string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, comment)
}

// comment is a comment in its place.
type comment struct {
	specs.Position
	text  string
	alone bool // no rule is in its line before it
}

// comments returns the comments of rules.
func comments(name, text string) (found []comment) {
	line, start, alone := 1, 0, true
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '\n':
			line, start, alone = line+1, i+1, true
		case ' ', '\t', '\r':
		case '#':
			said, _, _ := strings.Cut(text[i+1:], "\n")
			found = append(found, comment{specs.Position{File: name, Line: line, Column: i - start + 1}, said, alone})
			i += len(said)
		case '"', '\'', '`':
			end := stringEnd(text, i)
			if n := strings.Count(text[i:end], "\n"); n > 0 {
				line, start = line+n, i+strings.LastIndexByte(text[i:end], '\n')+1
			}
			i, alone = end-1, false
		default:
			alone = false
		}
	}
	return found
}

// stringEnd returns where a string that begins at i ends.
func stringEnd(text string, i int) int {
	for j := i + 1; j < len(text); j++ {
		switch {
		case text[j] == '\\' && text[i] != '`':
			j++
		case text[j] == text[i]:
			return j + 1
		}
	}
	return len(text)
}
