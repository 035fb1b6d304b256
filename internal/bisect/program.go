package bisect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// program is a protocol as far as its promise depends on it: its rules, and its input
// facts.
type program struct {
	rules, inputs []subject.Element
	stated        []string // all facts of the program, as they are written
	reads         []string // the relations that the rules read
}

// programOf takes the elements of a protocol apart.
func programOf(involved []subject.Element, stated, reads []string) *program {
	p := &program{stated: stated, reads: reads}
	for _, e := range involved {
		if e.Kind == subject.FactElement {
			p.inputs = append(p.inputs, e)
		} else {
			p.rules = append(p.rules, e)
		}
	}
	return p
}

// sameRules tells whether two programs are one protocol. The order of rules means
// nothing.
func (p *program) sameRules(other *program) bool {
	return slices.Equal(keysOf(p.rules), keysOf(other.rules))
}

func (p *program) sameInputs(other *program) bool {
	return slices.Equal(keysOf(p.inputs), keysOf(other.inputs))
}

func keysOf(elements []subject.Element) []string {
	var keys []string
	for _, e := range elements {
		keys = append(keys, e.Key)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// InputChange is what two programs are given to work on, as far as they differ, or
// what clients ask of two systems: it is no part of the protocol, but can be all
// that changed.
type InputChange struct {
	Before    result.List[subject.Element] `json:"before"`    // only in the earlier one
	After     result.List[subject.Element] `json:"after"`     // only in the later one
	Relations result.List[string]          `json:"relations"` // of these facts, as far as both programs read them

	requests bool // of a system
}

// inputsBetween returns the difference between the inputs of two programs, nil if there is
// none.
func inputsBetween(before, after *program) *InputChange {
	c := &InputChange{Before: before.only(after), After: after.only(before)}
	if len(c.Before)+len(c.After) == 0 {
		return nil
	}
	for _, e := range slices.Concat(c.Before, c.After) {
		name, _, _ := strings.Cut(e.Text, "(")
		if slices.Contains(before.reads, name) && slices.Contains(after.reads, name) && !slices.Contains(c.Relations, name) {
			c.Relations = append(c.Relations, name)
		}
	}
	slices.Sort(c.Relations)
	return c
}

// requestsBetween returns the difference of the requests of clients in two executions under
// the same schedule, nil if there is none.
func requestsBetween(before, after *recording.Execution) *InputChange {
	if before == nil || after == nil {
		return nil
	}
	asked, changed := requestsIn(before), requestsIn(after)
	c := &InputChange{Before: without(asked, changed), After: without(changed, asked), Relations: []string{subject.RequestRelation}, requests: true}
	if len(c.Before)+len(c.After) == 0 {
		return nil
	}
	return c
}

func requestsIn(e *recording.Execution) []subject.Element {
	var all []subject.Element
	for _, f := range e.Facts {
		if f.Relation == subject.RequestRelation {
			text := fmt.Sprintf("%s@%d", recording.Display(f, e.Bounds.Processes), f.Round)
			all = append(all, subject.Element{Kind: subject.RequestRelation, Text: text, Key: text})
		}
	}
	return all
}

// without returns the elements that are not among others.
func without(elements, others []subject.Element) []subject.Element {
	known := keysOf(others)
	return slices.DeleteFunc(slices.Clone(elements), func(e subject.Element) bool { return slices.Contains(known, e.Key) })
}

// only returns the inputs that another program does not state.
func (p *program) only(other *program) []subject.Element {
	return slices.DeleteFunc(slices.Clone(p.inputs), func(e subject.Element) bool { return slices.Contains(other.stated, e.Text) })
}

// lines returns the inputs that only one of the two has, as a diff.
func (c *InputChange) lines() []string {
	if c == nil {
		return nil
	}
	const most = 8
	var lines []string
	for _, side := range []struct {
		mark     string
		elements []subject.Element
	}{{"-", c.Before}, {"+", c.After}} {
		for i, e := range side.elements {
			if i == most {
				lines = append(lines, fmt.Sprintf("%s and %d more", side.mark, len(side.elements)-most))
				break
			}
			line := side.mark + " " + text.Cut(text.Safe(e.Text), 80)
			if e.File != "" {
				line += text.Safe(fmt.Sprintf("   %s:%d", e.File, e.Line))
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// note remembers the program of a protocol that is asked.
func (m *matrix) note(i int, v *asked) {
	p := v.AsProtocol()
	if p == nil {
		return
	}
	m.Findings[i].Instead = p.Instead()
	involved, err := p.Involved()
	if err != nil {
		return // the answer describes its input
	}
	for k := range involved {
		involved[k].File = v.place.localText(involved[k].File)
	}
	stated, reads := p.Given()
	m.programs[i] = programOf(involved, stated, reads)
}

// relate finds versions that are an earlier one with other inputs.
func (m *matrix) relate() {
	for _, h := range m.histories() {
		for i := h.first; i <= h.last; i++ {
			for j := h.first; j < i && m.Findings[i].Kin == ""; j++ {
				p, q := m.programs[i], m.programs[j]
				if p != nil && q != nil && p.sameRules(q) && !p.sameInputs(q) {
					m.Findings[i].Kin = m.Findings[j].Version
				}
			}
		}
	}
}
