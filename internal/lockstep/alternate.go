package lockstep

// alternation evaluates a component whose recursion goes through a negation or
// an aggregate, fact by fact, to its well-founded model. It narrows two sets in
// turns: the certain facts, which hold whatever the rest turns out to be, and
// the possible ones. In the end they are the same, or what is possible and not
// certain depends on its own absence.
type alternation struct {
	*Machine
	c        *component
	possible []*table // by node of the component; nil as long as everything is
	folds    map[*instance]*folded
}

// folded has the bindings of an aggregating instance: those that certainly hold, and those
// that possibly do.
type folded struct {
	certain, possible collector
	bounded           bool // the possible bindings are known
}

// alternate computes the well-founded model of a component.
func (m *Machine) alternate(c *component) bool {
	a := &alternation{Machine: m, c: c, folds: map[*instance]*folded{}}
	for _, in := range c.recursive {
		if in.aggregates() {
			a.folds[in] = &folded{}
		}
	}
	ok := a.run()
	for _, n := range c.nodes {
		m.pos[n], m.neg[n] = &m.tables[n], &m.tables[n]
	}
	return ok
}

// run alternates until a turn makes nothing more certain and nothing less possible. It ends
// because certain facts were possible at first. A turn that makes no fact certain may still
// make rows of a group certain, so that less is possible.
func (a *alternation) run() bool {
	for {
		certain, possible := a.facts, a.size()
		if !a.certain() || !a.possibly() {
			return false
		}
		if a.total() {
			return true
		}
		if a.facts == certain && a.size() == possible {
			return a.undefined()
		}
	}
}

// size is the number of possible facts, -1 as long as everything is.
func (a *alternation) size() int {
	if a.possible == nil {
		return -1
	}
	n := 0
	for _, p := range a.possible {
		n += p.n
	}
	return n
}

// certain adds to the certain facts those that follow from them if only impossible facts
// are certain to be absent.
func (a *alternation) certain() bool {
	for i, n := range a.c.nodes {
		a.pos[n], a.neg[n] = &a.tables[n], nil
		if a.possible != nil {
			a.neg[n] = a.possible[i]
		}
	}
	return a.fixpoint(a.c, a.foldCertain)
}

// possibly makes the possible facts those that follow if every fact that is not certain may
// be absent.
func (a *alternation) possibly() bool {
	if a.possible == nil {
		for len(a.spare) < len(a.c.nodes) {
			a.spare = append(a.spare, &table{})
		}
		a.possible = a.spare[:len(a.c.nodes)]
	}
	facts := a.facts
	for i, n := range a.c.nodes {
		certain, p := &a.tables[n], a.possible[i]
		p.copy(certain)
		a.pos[n], a.neg[n] = p, certain
	}
	filled := len(a.filled)
	ok := a.fixpoint(a.c, a.foldPossible)
	a.filled = a.filled[:filled]
	a.facts = facts
	return ok
}

// total tells whether everything possible is certain.
func (a *alternation) total() bool {
	for i, n := range a.c.nodes {
		if a.possible[i].n != a.tables[n].n {
			return false
		}
	}
	return true
}

// collect runs an instance into a collector.
func (a *alternation) collect(in *instance, into *collector) bool {
	own := a.fold
	defer func() { a.fold = own }()
	a.fold = into
	into.reset(in.rule)
	return a.gather(in)
}

// foldCertain concludes the groups whose possible rows are all certain.
func (a *alternation) foldCertain(in *instance) bool {
	f := a.folds[in]
	if !a.collect(in, &f.certain) {
		return false
	}
	c, p := &f.certain, &f.possible
	if !f.bounded || c.groups.n == 0 {
		return true
	}
	if !c.sum(a.Machine) {
		return false
	}
	certain, possible := c.sizes(in.rule), p.sizes(in.rule)
	for g := range c.groups.n {
		same := p.groups.find(c.groups.row(g))
		whole := same >= 0
		for k := range in.folds {
			whole = whole && certain[k][g] == possible[k][same]
		}
		if !a.tick() || whole && !a.concludeGroup(c, g) {
			return false
		}
	}
	return true
}

// foldPossible concludes every head that the groups can give, with their certain rows and
// any of the only possible rows.
func (a *alternation) foldPossible(in *instance) bool {
	f := a.folds[in]
	if !a.collect(in, &f.possible) {
		return false
	}
	f.bounded = true
	c, p := &f.certain, &f.possible
	certain, possible := c.lists(in.rule), p.lists(in.rule)
	for g := range p.groups.n {
		attainable := make([][]id, in.folds)
		same := c.groups.find(p.groups.row(g))
		k := 0
		for i := range in.rule.head {
			f := in.rule.head[i].fold
			if f == noFold {
				continue
			}
			var sure []member
			if same >= 0 {
				sure = certain[k][same]
			}
			var ok bool
			if attainable[k], ok = a.attainable(f, sure, possible[k][g]); !ok {
				return false
			}
			k++
		}
		if !a.concludeAll(p.groups.row(g), attainable) {
			return false
		}
	}
	return true
}
