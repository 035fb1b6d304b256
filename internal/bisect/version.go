package bisect

import (
	"context"
)

// Version is one version of a protocol or system.
type Version struct {
	Name string // as the user names it
	Note string // a remark, such as the title of a commit

	system bool // a system rather than a protocol
	home   *home

	// prepare makes the version ready in an empty directory of its own. Its
	// errors say why the version cannot be searched: it is skipped.
	prepare func(ctx context.Context, dir string) (*place, error)
}

// home is where a user has a version, if it is not only made for the search.
type home struct {
	first  []string // the command that prepares the directory, if there is one
	dir    string
	files  []string // of a protocol; none: the files in the directory
	system string   // or the command that starts the host
}

// place is where a version lies, ready to be searched.
type place struct {
	dir    string
	files  []string // of a protocol, relative to dir
	system string   // or the command that starts the host, in dir
	key    string   // of the program that the command runs; "" if that is not known
	brief  bool     // the files are read at once, and can be prepared again
}

// history has the findings about all versions with one input, from old to new.
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
