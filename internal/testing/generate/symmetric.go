package generate

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Symmetric returns the program of a seed, of two to four processes. It is one of
// Random, with its rules and facts under all names that some of the processes can
// change; half of the programs then differ from that in one statement, which one of the
// processes alone has, or has not.
func Symmetric(seed uint64) Case {
	for i := range uint64(attempts) {
		g := newGenerator(rand.New(rand.NewPCG(seed, 1<<32+i)))
		if g.quote && g.chance(40) {
			g.processes = append(g.processes, string(rune('a'+len(g.processes))))
		}
		p, err := dedalus.ParseText("draft.ded", g.program())
		if err != nil {
			continue
		}
		text := g.symmetric(p)
		if p, err := dedalus.ParseText(fmt.Sprintf("symmetric-%d.ded", seed), text); err == nil {
			return Case{Text: text, Program: p}
		}
	}
	return Case{Program: &dedalus.Program{}}
}

// symmetric writes a program with its rules and facts under all names that some
// processes can change, and spoils that in half of the cases.
func (g *generator) symmetric(p *dedalus.Program) string {
	var settings, statements []string
	for line := range strings.Lines(p.String()) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "//") || strings.HasPrefix(line, "choose ") {
			settings = append(settings, line)
		} else {
			statements = append(statements, line)
		}
	}
	some := slices.Clone(g.processes)
	g.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
	some = some[:min(len(some), 2+g.IntN(3))]
	for i := 0; i < len(statements); i++ {
		for j := 1; j < len(some); j++ {
			if other := g.swapped(statements[i], some[0], some[j]); !slices.Contains(statements, other) {
				statements = append(statements, other)
			}
		}
	}
	if g.chance(50) {
		i := g.IntN(len(statements))
		one := g.swapped(statements[i], some[0], some[1])
		switch g.IntN(3) {
		case 0:
			statements = slices.Delete(statements, i, i+1)
		case 1:
			statements[i] = one
		default:
			statements = append(statements, strings.Replace(one, g.literal(some[1]), g.literal(some[0]), 1))
		}
	}
	return strings.Join(append(settings, statements...), "\n") + "\n"
}

var integers = regexp.MustCompile(`[@\w]+`)

// swapped returns a statement with the names of two processes changed.
func (g *generator) swapped(statement, one, other string) string {
	if g.quote {
		one, other = g.literal(one), g.literal(other)
		return strings.NewReplacer(one, other, other, one).Replace(statement)
	}
	return integers.ReplaceAllStringFunc(statement, func(word string) string {
		switch word {
		case one:
			return other
		case other:
			return one
		}
		return word
	})
}
