package bisect

import (
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/text"
)

// Factor is what changes the verdict.
type Factor string

// The factors.
const (
	ByNothing  Factor = ""         // it was not asked, for want of a second input, or too little is known
	ByVersion  Factor = "version"  // between versions, and with every input alike
	ByInput    Factor = "input"    // between inputs, and in every version alike
	ByBoth     Factor = "both"     // between versions, and between inputs
	ByTogether Factor = "together" // only where certain versions meet certain inputs
	ByNeither  Factor = "neither"  // it is the same everywhere
)

// factor says which of versions and inputs changes the verdict.
func (m *Matrix) factor() {
	if len(m.Inputs) < 2 {
		return
	}
	c := &m.Conclusion
	rows := m.rows()
	if len(rows) == 0 {
		c.say("No version has a verdict with all inputs, so ldfi cannot say whether the version or the input changes the verdict.")
		return
	}
	byVersion := slices.ContainsFunc(rows, func(r row) bool { return !slices.Equal(r.broken, rows[0].broken) })
	byInput := slices.ContainsFunc(rows, func(r row) bool { return !r.constant() })
	switch {
	case byVersion && !byInput:
		c.ChangedBy = ByVersion
		c.say("The version changes the verdict, in the same way with every input.")
	case byInput && !byVersion:
		c.ChangedBy = ByInput
		c.say("The input changes the verdict, in the same way in every version: the promise can be broken %s.", m.withInputs(rows[0].broken))
	case !byInput:
		c.ChangedBy = ByNeither
		c.say("Neither the version nor the input changes the verdict.")
	case together(rows):
		c.ChangedBy = ByTogether
		c.say("Only a version and an input together change the verdict:")
	default:
		c.ChangedBy = ByBoth
		c.say("Both the version and the input change the verdict:")
	}
	if byVersion {
		m.patterns(rows)
	}
	if missing := len(m.Findings)/len(m.Inputs) - len(rows); missing > 0 {
		c.say("This leaves out %s without all verdicts.", text.Plural(missing, "version"))
	}
	if len(m.in(NothingFound)) > 0 {
		c.say("A version with an input counts as good here if the search found no schedule that breaks it.")
	}
}

// row has the results of one version: the inputs with which it is broken.
type row struct {
	version string
	broken  []bool
}

func (r row) constant() bool {
	return !slices.Contains(r.broken, !r.broken[0])
}

// rows returns the versions whose verdicts are known with every input.
func (m *Matrix) rows() []row {
	n := len(m.Findings) / len(m.Inputs)
	var rows []row
	for v := range n {
		r := row{version: m.Findings[v].Version}
		for i := v; i < len(m.Findings) && m.Findings[i].State.known(); i += n {
			r.broken = append(r.broken, m.broken(i))
		}
		if len(r.broken) == len(m.Inputs) {
			rows = append(rows, r)
		}
	}
	return rows
}

// together tells whether some versions are broken with the same inputs, but not with all,
// and the others with none.
func together(rows []row) bool {
	var some []bool
	for _, r := range rows {
		switch {
		case !slices.Contains(r.broken, true):
		case some == nil:
			some = r.broken
		case !slices.Equal(some, r.broken):
			return false
		}
	}
	return slices.Contains(some, false) && slices.ContainsFunc(rows, func(r row) bool { return !slices.Contains(r.broken, true) })
}

// patterns says which versions are broken with which inputs.
func (m *Matrix) patterns(rows []row) {
	for len(rows) > 0 {
		first := rows[0].broken
		var names []string
		rows = slices.DeleteFunc(slices.Clone(rows), func(r row) bool {
			alike := slices.Equal(r.broken, first)
			if alike {
				names = append(names, r.version)
			}
			return alike
		})
		m.Conclusion.say("%s: the promise can be broken %s.", text.List(names, "and"), m.withInputs(first))
	}
}

// withInputs says with which inputs something is so.
func (m *Matrix) withInputs(which []bool) string {
	var yes, no []string
	for i, is := range which {
		if is {
			yes = append(yes, m.Inputs[i])
		} else {
			no = append(no, m.Inputs[i])
		}
	}
	switch {
	case len(no) == 0:
		return "with every input"
	case len(yes) == 0:
		return "with no input"
	default:
		return fmt.Sprintf("with %s, and not with %s", text.List(yes, "and"), text.List(no, "or"))
	}
}
