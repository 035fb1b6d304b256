package oracle

import "github.com/lineage-driven/ldfi/internal/syntax"

// node is a relation in a round.
type node struct {
	relation string
	round    int
}

// read is that a node is read for another one.
type read struct {
	of  node
	how string // "notin", the function of an aggregate, or ""
}

// double tells whether a node has a twin.
func (x *translation) double(n node) bool { return x.doubling && !x.calm && x.cyclic[n] }

// cycles finds the nodes that depend on themselves through a negation.
func (x *translation) cycles() error {
	reads := x.reads()
	x.cyclic = map[node]bool{}
	for n, all := range reads {
		for _, r := range all {
			if r.how == "" || !reaches(reads, n, r.of) {
				continue
			}
			if r.how == "sum" || r.how == "avg" {
				return &Unread{"a recursion through " + r.how}
			}
			for m := range reads {
				if reaches(reads, n, m) && reaches(reads, m, n) {
					x.cyclic[m] = true
				}
			}
		}
	}
	return nil
}

// reads returns what is read for each node.
func (x *translation) reads() map[node][]read {
	reads := map[node][]read{}
	for round := 1; round <= x.bounds.EOT; round++ {
		for _, r := range x.rules() {
			head := node{r.Head.Relation, x.arrival(r, round)}
			how := ""
			for _, e := range r.Head.Args {
				if a, ok := e.(*syntax.Aggregate); ok {
					how = a.Func
				}
			}
			for _, t := range r.Body {
				if t.Atom == nil {
					continue
				}
				edge := read{node{t.Atom.Relation, round}, how}
				if t.At != 0 {
					edge.of.round = t.At
				}
				if t.Negated && how == "" {
					edge.how = "notin"
				}
				for late := 0; late == 0 || r.Kind == syntax.Async && late <= x.latest(round); late++ {
					n := node{head.relation, head.round + late}
					reads[n] = append(reads[n], edge)
				}
			}
		}
		for _, name := range x.stateful() {
			if n := (node{name, round + 1}); x.stops() {
				reads[n] = append(reads[n], read{of: node{name, round}})
			}
		}
	}
	return reads
}

// reaches tells whether one node is read for another one, or is the same.
func reaches(reads map[node][]read, of, n node) bool {
	seen := map[node]bool{n: true}
	for todo := []node{n}; len(todo) > 0; todo = todo[1:] {
		if todo[0] == of {
			return true
		}
		for _, r := range reads[todo[0]] {
			if !seen[r.of] {
				seen[r.of] = true
				todo = append(todo, r.of)
			}
		}
	}
	return false
}

// undefined asks for a fact that is possible and not certain.
func (x *translation) undefined() {
	for n := range x.cyclic {
		fact := atom(x.relation(n.relation, n.round), x.variables(n.relation)...)
		x.rule("undefined", possible+fact, "not "+fact)
		x.rule("", fact, "not "+possible+fact)
	}
	x.rule("", "not undefined")
}
