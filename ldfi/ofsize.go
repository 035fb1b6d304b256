package ldfi

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// OfSize returns the model with another number of processes. What the program gives to all of its processes it
// gives to each of them, as choose one with each does; it may name none otherwise.
func (m *Model) OfSize(n int) (*Model, error) {
	b := m.bounds
	var err error
	if b.Processes, err = processesLike(m.bounds.Processes, n); err != nil {
		return nil, err
	}
	b.Choose = nil
	if b.NeverCrash != nil || b.Reliable != nil || b.Joins != nil {
		return nil, &provenance.UntimedError{What: "never-crash, reliable and join name processes, so that there is one size only: leave them out, or ask without --sizes"}
	}
	p, err := m.givingEach(b.Processes)
	if err != nil {
		return nil, err
	}
	return New(p, b, m.options)
}

// Program returns the program.
func (m *Model) Program() *dedalus.Program { return m.program }

// Bounds returns the bounds.
func (m *Model) Bounds() rounds.Bounds { return m.bounds }

// processesLike are n names like some: a, b, c, or s1, s2, s3.
func processesLike(names []string, n int) ([]string, error) {
	if n <= len(names) {
		return names[:n], nil
	}
	all := slices.Clone(names)
	for len(all) < n {
		last := all[len(all)-1]
		stem := strings.TrimRight(last, "0123456789")
		number, err := strconv.Atoi(last[len(stem):])
		switch letter := last[len(last)-1]; {
		case err == nil && stem != "":
			last = stem + strconv.Itoa(number+1)
		case err != nil && letter >= 'a' && letter < 'z' || letter >= 'A' && letter < 'Z':
			last = last[:len(last)-1] + string(letter+1)
		default:
			return nil, fmt.Errorf("there is no name for a process after %s: name them a, b, c, or s1, s2, s3", last)
		}
		if slices.Contains(all, last) {
			return nil, fmt.Errorf("there is no name for a process after %s: %s is there already; name them a, b, c, or s1, s2, s3", all[len(all)-1], last)
		}
		all = append(all, last)
	}
	return all, nil
}

// givingEach is the program for some processes. It is an error if it names one in another way than in
// facts that all have.
func (m *Model) givingEach(processes []string) (*dedalus.Program, error) {
	if at := m.namesProcess(); at != nil {
		return nil, at
	}
	p := *m.program
	p.Facts = nil
	given := map[string]bool{}
	for _, f := range m.program.Facts {
		names := m.processesIn(f)
		if len(names) == 0 {
			p.Facts = append(p.Facts, f)
			continue
		}
		key := factFor(f, names, "").String()
		if given[key] {
			continue
		}
		given[key] = true
		for _, name := range m.bounds.Processes {
			if other := factFor(f, names, name); len(names) > 1 || !slices.ContainsFunc(m.program.Facts, func(f *syntax.Fact) bool { return f.String() == other.String() }) {
				return nil, m.oneSize(names[0], f.Position, f.Relation, len(f.Args))
			}
		}
		for _, name := range processes {
			p.Facts = append(p.Facts, factFor(f, names, name))
		}
	}
	return &p, nil
}

// oneSize is the error of a program that names a process.
func (m *Model) oneSize(name string, at specs.Position, relation string, columns int) error {
	form := relation + "(each" + strings.Repeat(", ...", max(columns-1, 0)) + ")@1"
	return &provenance.UntimedError{What: fmt.Sprintf("the process %s is named, so that the program has one size: write choose one %s for what all processes have, or any in place of each for what one of them has", name, form), Position: at}
}

// namesProcess is the error of the first rule or choice that names a process, nil if there is none.
func (m *Model) namesProcess() error {
	var found error
	look := func(e syntax.Expr, relation string, columns int) {
		if c, ok := e.(*syntax.Constant); ok && found == nil && slices.Contains(m.bounds.Processes, c.Value.Text()) {
			found = m.oneSize(c.Value.Text(), c.Position, relation, columns)
		}
	}
	for _, r := range m.program.Rules {
		for _, e := range r.Head.Args {
			syntax.Walk(e, func(e syntax.Expr) { look(e, r.Head.Relation, len(r.Head.Args)) })
		}
		for _, t := range r.Body {
			if t.Atom != nil {
				for _, e := range t.Atom.Args {
					syntax.Walk(e, func(e syntax.Expr) { look(e, t.Atom.Relation, len(t.Atom.Args)) })
				}
			}
			if t.Test != nil {
				syntax.Walk(t.Test, func(e syntax.Expr) { look(e, r.Head.Relation, len(r.Head.Args)) })
			}
		}
	}
	for _, c := range m.program.Choices {
		for _, column := range c.Columns {
			for _, values := range column.Ranges {
				for _, v := range []specs.Value{values.First, values.Last} {
					if found == nil && slices.Contains(m.bounds.Processes, v.Text()) {
						found = m.oneSize(v.Text(), values.Position, c.Relation, len(c.Columns))
					}
				}
			}
		}
	}
	return found
}

// processesIn are the processes that a fact names.
func (m *Model) processesIn(f *syntax.Fact) (names []string) {
	for _, v := range f.Args {
		if name := v.Text(); slices.Contains(m.bounds.Processes, name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// factFor is a fact with another process in place of those that it names.
func factFor(f *syntax.Fact, names []string, process string) *syntax.Fact {
	other := *f
	other.Args = slices.Clone(f.Args)
	for i, v := range other.Args {
		if slices.Contains(names, v.Text()) {
			other.Args[i] = specs.String(process)
		}
	}
	return &other
}
