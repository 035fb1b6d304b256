package oracle

import (
	"math/rand/v2"
	"strings"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Assume returns the bounds with random assumptions: none at all half of the time.
func Assume(r *rand.Rand, b rounds.Bounds) rounds.Bounds {
	b.NeverCrash, b.Reliable = nil, nil
	if r.IntN(2) == 0 {
		return b
	}
	for _, name := range b.Processes {
		if r.IntN(3) == 0 {
			b.NeverCrash = append(b.NeverCrash, name)
		}
	}
	var all []string
	names := append([]string{"*"}, b.Processes...)
	if len(b.Processes) == 1 {
		return b // there are no links
	}
	for _, from := range names {
		for _, to := range names {
			if from != to || from == "*" {
				all = append(all, from+">"+to)
			}
		}
	}
	for range r.IntN(4) {
		i := r.IntN(len(all))
		b.Reliable = append(b.Reliable, all[i])
		all = append(all[:i], all[i+1:]...)
		if len(all) == 0 {
			break
		}
	}
	return b
}

// assuming adds random assumptions to the settings of a case.
func (c Case) assuming() (Case, error) {
	b := Assume(rand.New(rand.NewPCG(c.Seed, 1)), c.Bounds)
	text := c.Text
	add := func(key string, values []string) {
		if values != nil {
			text += "// ldfi: " + key + "=" + strings.Join(values, ",") + "\n"
		}
	}
	add("never-crash", b.NeverCrash)
	add("reliable", b.Reliable)
	text += lateness(c.Seed)
	r := rand.New(rand.NewPCG(c.Seed, 2))
	if deliver := []string{"", "", "", "n-f", "n-1", "majority"}[r.IntN(6)]; deliver != "" && len(b.Processes) > 1 {
		add("deliver", []string{deliver})
	}
	if r.IntN(5) == 0 {
		add("kernel", []string{"yes"})
	}
	if b.Isolations != 0 && r.IntN(3) == 0 {
		add("own", []string{"lost"})
	}
	if text == c.Text {
		return c, nil
	}
	p, err := dedalus.ParseText(c.Name, text)
	if err != nil {
		return Case{}, err
	}
	return newCase(c.Name, text, c.Seed, p)
}

// Spares tells whether by the assumptions of bounds nothing is lost on a link but
// by crashes.
func Spares(b rounds.Bounds, from, to string) bool {
	for _, pattern := range []string{from + ">" + to, "*>" + to, from + ">*", "*>*"} {
		for _, reliable := range b.Reliable {
			if reliable == pattern {
				return true
			}
		}
	}
	return false
}
