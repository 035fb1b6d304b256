package bisect

// history is the findings about all versions with one input, from old to new.
type history struct {
	input       string
	first, last int // findings
}

// histories returns one for each input, or the only one.
func (m *Matrix) histories() []history {
	n := len(m.Findings) / max(1, len(m.Inputs))
	var all []history
	for i := range max(1, len(m.Inputs)) {
		all = append(all, history{at(m.Inputs, i), i * n, (i+1)*n - 1})
	}
	return all
}

// version returns the version that a finding is about, by its index.
func (m *Matrix) version(i int) int {
	return i % (len(m.Findings) / max(1, len(m.Inputs)))
}

// at is an element of a list, or "" beyond its end.
func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return ""
}
