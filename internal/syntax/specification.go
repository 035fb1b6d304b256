package syntax

// Specification returns, of the relations that rules give, those that nobody sends and
// that the protocol does not read: only the promise does.
func Specification(rules []*Rule) map[string]bool {
	protocol := map[string]bool{}
	for before := -1; before < len(protocol); {
		before = len(protocol)
		for _, r := range rules {
			if r.Kind == Async {
				protocol[r.Head.Relation] = true
			}
			if !protocol[r.Head.Relation] {
				continue
			}
			for _, t := range r.Body {
				if t.Atom != nil {
					protocol[t.Atom.Relation] = true
				}
			}
		}
	}
	specified := map[string]bool{}
	for _, r := range rules {
		specified[r.Head.Relation] = !protocol[r.Head.Relation]
	}
	return specified
}
