package schedules

// OneByOne lets draws decide of one omission after the other, with no tries before.
func OneByOne(d *Uniform) *Uniform {
	for _, p := range d.parts {
		if g, ok := p.(*granted); ok {
			g.tries = 0
		}
	}
	return d
}

// Exactly tells whether each schedule is drawn with the same probability.
func Exactly(d *Uniform) bool { return d.exact }
