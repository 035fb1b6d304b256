package bisect

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/lineage-driven/ldfi/internal/text"
)

// scopes returns the scopes of the searches: one line if all versions have the same scope,
// or one for each that differs from the one before.
func (m *Matrix) scopes() []string {
	var lines, names []string
	for _, f := range m.Findings {
		if f.Scope.Scenarios == nil {
			continue
		}
		if text := f.Scope.Text; len(lines) == 0 || lines[len(lines)-1] != text {
			lines, names = append(lines, text), append(names, f.name())
		}
	}
	if len(lines) < 2 {
		return lines
	}
	if byInput := m.scopesByInput(); byInput != nil {
		return byInput
	}
	for i := range lines {
		lines[i] = "from " + names[i] + " on: " + lines[i]
	}
	return append(lines, "the versions have different bounds: give flags for those that all are to have")
}

// scopesByInput returns the scope with each input, nil if it is not the same for all
// versions.
func (m *Matrix) scopesByInput() []string {
	var lines []string
	for _, h := range m.histories() {
		text := ""
		for _, f := range m.Findings[h.first : h.last+1] {
			switch {
			case f.Scope.Scenarios == nil || f.Scope.Text == text:
			case text != "":
				return nil
			default:
				text = f.Scope.Text
			}
		}
		lines = append(lines, "with "+h.input+": "+cmp.Or(text, "nothing"))
	}
	return lines
}

// about is the first line of a matrix.
func (m *Matrix) about() string {
	versions, broken, unknown := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for i, f := range m.Findings {
		name := cmp.Or(f.Kin, fmt.Sprint(m.version(i)))
		if f.Kin != "" {
			name = fmt.Sprint(slices.IndexFunc(m.Findings, func(g Finding) bool { return g.Version == f.Kin }))
		}
		versions[name] = true
		if f.State == Violated {
			broken[name] = true
		}
		if !f.State.known() {
			unknown[name] = true
		}
	}
	maps.DeleteFunc(unknown, func(name string, _ bool) bool { return broken[name] })
	s := fmt.Sprintf("%d of %d versions can be broken", len(broken), len(versions))
	none := !slices.ContainsFunc(m.Findings, func(f Finding) bool { return f.State.known() })
	if none {
		s = "nothing is known of " + text.Plural(len(versions), "version")
	}
	switch len(m.Inputs) {
	case 0:
	case 1:
		s += " with " + m.Inputs[0]
	default:
		s += fmt.Sprintf(" with some of %d inputs", len(m.Inputs))
	}
	if len(unknown) > 0 && !none {
		s += fmt.Sprintf("; of %d it is not known", len(unknown))
	}
	if m.System != "" {
		s = m.System + ": " + s
	}
	return s
}
