package explain

// cut leaves out what is more than so many levels below what was asked for: a
// level is a fact, or an absence, with the rule that gave it. 0 is no limit.
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
