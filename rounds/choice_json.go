package rounds

import "fmt"

// choiceJSON is what the environment chooses once, as JSON has it.
type choiceJSON struct {
	Mode string   `json:"mode"` // of the facts one holds, maybe one, or some: any number
	Of   []string `json:"of"`   // the facts, as in coin("a", 0)@1
}

// choose writes the choices of bounds.
func (out *boundsJSON) choose(b Bounds) {
	for _, c := range b.Choose {
		written := choiceJSON{Mode: c.Mode, Of: make([]string, len(c.Of))}
		for i, f := range c.Of {
			written.Of[i] = f.stamped()
		}
		out.Choose = append(out.Choose, written)
	}
	if b.Choose != nil || b.Choices != 0 {
		budget := budgetJSON(b.Choices)
		out.Choices = &budget
	}
}

// chosen reads what choose writes.
func (in *boundsJSON) chosen(b *Bounds) error {
	if in.Choices != nil {
		b.Choices = int(*in.Choices)
	}
	if in.Choices != nil && b.Choices == 0 {
		b.Choose = []Choice{} // none, as is said
	}
	for _, c := range in.Choose {
		made := Choice{Mode: c.Mode}
		for _, text := range c.Of {
			s, err := ParseSchedule(Choose.String() + " " + text)
			if err != nil || len(s.Faults) != 1 {
				return fmt.Errorf("bounds: choose: expected a fact such as coin(\"a\", 0)@1, and found %q", text)
			}
			made.Of = append(made.Of, s.Faults[0])
		}
		b.Choose = append(b.Choose, made)
	}
	return nil
}
