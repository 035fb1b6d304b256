package bisect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
)

// remarks returns the remarks that the table has no room for: a name and a text each.
// Several versions with the same remark are named together.
func (m *Matrix) remarks() [][2]string {
	var remarks [][2]string
	findings := map[[2]string][]int{} // that they are about
	note := func(name string, i int, text string) {
		remark := [2]string{name, text}
		if text != "" && findings[remark] == nil {
			remarks = append(remarks, remark)
		}
		findings[remark] = append(findings[remark], i)
	}
	for i, f := range m.Findings {
		note(string(f.State), i, f.Reason)
		if f.Repeats != nil && f.Replayed == "" {
			note(string(f.State), i, f.Schedule.String()+" "+f.Repeats.Found())
		}
	}
	for i, f := range m.Findings {
		note("try", i, f.advice)
	}
	for k, s := range m.Schedules {
		for i, e := range s.Effects {
			note(label(k), i, e.Reason)
		}
	}
	for i, f := range m.Findings {
		for _, text := range f.Warnings {
			note("warning", i, text)
		}
		if len(f.Instead) > 0 {
			note("inputs", i, fmt.Sprintf("what the program states of %s itself does not count, since the inputs say it", text.List(f.Instead, "and")))
		}
	}
	for i, remark := range remarks {
		remarks[i][1] = m.remarkText(remark[1], findings[remark])
	}
	return remarks
}

// remarkText is the text of a remark, after the versions that it is about.
func (m *Matrix) remarkText(s string, findings []int) string {
	const few = 4
	names := m.names(findings)
	if len(names) > few {
		names = []string{names[0], fmt.Sprintf("%d more", len(names)-1)}
	}
	if prefix := text.List(names, "and") + ":"; !strings.HasPrefix(s, prefix) {
		return prefix + " " + s
	}
	return s
}

// names returns the names of findings: the version alone if they include all its inputs.
func (m *Matrix) names(findings []int) []string {
	count := map[int]int{}
	for _, i := range findings {
		count[m.version(i)]++
	}
	var names []string
	for _, i := range findings {
		name := m.Findings[i].name()
		if len(m.Inputs) > 0 && count[m.version(i)] == len(m.Inputs) {
			name = m.Findings[i].Version
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
