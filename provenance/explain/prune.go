package explain

import (
	"slices"
)

// prune cuts an explanation down to the parts that the faults of the schedule affect. An
// absence that was needed is explained further only if a lost message caused it, and of the
// rules that could have given an absent fact those remain that a loss prevented. It returns
// false, and changes nothing, if the question is about an absence that no loss caused.
func (e *Explanation) prune() bool {
	nodes := e.nodes()
	lossy := lossyNodes(nodes)
	e.faulty = slices.ContainsFunc(e.Roots, func(p *Part) bool { return lossy[p.Node] })
	if !e.Holds && !e.faulty {
		return false
	}
	for _, root := range e.Roots {
		if root.Node.Holds {
			root.prune(lossy)
		}
	}
	for _, n := range nodes {
		if !n.Holds {
			n.pruneSteps(lossy)
		}
		for _, s := range n.Steps {
			s.prune(lossy)
		}
	}
	return true
}

// pruneSteps keeps only those steps of an absence that a loss affects.
func (n *Node) pruneSteps(lossy map[*Node]bool) {
	if !lossy[n] {
		return
	}
	n.Steps = slices.DeleteFunc(n.Steps, func(s *Step) bool { return !s.lossy(lossy) })
	n.Hidden = 0
}

// prune removes the explanations of absences that no loss affects.
func (s *Step) prune(lossy map[*Node]bool) {
	for _, p := range s.Parts {
		p.prune(lossy)
	}
	if s.Fired {
		s.Rows = slices.DeleteFunc(s.Rows, func(row *Step) bool { return !row.Fired && !row.lossy(lossy) })
	}
	for _, row := range s.Rows {
		row.prune(lossy)
	}
}

// prune removes the explanation of an absence that no loss affects.
func (p *Part) prune(lossy map[*Node]bool) {
	if p.Node != nil && !p.Node.Holds && !lossy[p.Node] {
		p.Node = nil
	}
	if p.Kept != nil {
		for _, absent := range p.Kept.Absent {
			absent.prune(lossy)
		}
	}
}

// nodes are all nodes of an explanation, the roots first.
func (e *Explanation) nodes() []*Node {
	var all []*Node
	seen := map[*Node]bool{}
	mention := func(parts []*Part) {
		for _, p := range parts {
			for _, n := range p.nodes() {
				if !seen[n] {
					seen[n] = true
					all = append(all, n)
				}
			}
		}
	}
	mention(e.Roots)
	for i := 0; i < len(all); i++ {
		for _, s := range all[i].Steps {
			mention(s.Parts)
			for _, row := range s.Rows {
				mention(row.Parts)
			}
		}
	}
	return all
}

// lossyNodes are the nodes that the faults affect: without the messages that they lost, an
// absent fact might have been there, or one that holds might not.
func lossyNodes(nodes []*Node) map[*Node]bool {
	lossy := map[*Node]bool{}
	for changed := true; changed; {
		changed = false
		for i := len(nodes) - 1; i >= 0; i-- {
			n := nodes[i]
			if !lossy[n] && slices.ContainsFunc(n.Steps, func(s *Step) bool { return s.lossy(lossy) }) {
				lossy[n], changed = true, true
			}
		}
	}
	return lossy
}

// lossy tells whether losses affect a need of a step that was met, or all its missing
// needs.
func (s *Step) lossy(lossy map[*Node]bool) bool {
	some := false
	for _, p := range s.Parts {
		switch {
		case p.Message != nil && !p.Met, p.stopped != nil, slices.ContainsFunc(p.nodes(), func(n *Node) bool { return lossy[n] }):
			some = true
		case !p.Met:
			return false
		}
	}
	return some || slices.ContainsFunc(s.Rows, func(row *Step) bool { return row.lossy(lossy) })
}

// cut removes everything deeper than levels below the question: a level is a fact, or an
// absence, with the rule that gave it. 0 is no limit.
func (e *Explanation) cut(levels int) {
	if levels <= 0 {
		return
	}
	level := map[*Node]int{}
	var queue []*Node
	mention := func(parts []*Part, at int) {
		for _, p := range parts {
			for _, n := range p.nodes() {
				if _, known := level[n]; !known {
					level[n] = at
					queue = append(queue, n)
				}
			}
		}
	}
	mention(e.Roots, 1)
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		if level[n] > levels {
			if len(n.Steps) > 0 {
				n.Steps, n.Hidden, n.Note = nil, 0, "explained at a greater depth"
			}
			continue
		}
		for _, s := range n.Steps {
			mention(s.Parts, level[n]+1)
			for _, row := range s.Rows {
				mention(row.Parts, level[n]+1)
			}
		}
	}
}
