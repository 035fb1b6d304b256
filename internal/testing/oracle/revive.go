package oracle

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// reviving lets crashed processes of a case come back, half of the time where there are
// crashes: with some relations durable, and sometimes with rules about who is back.
func (c Case) reviving() (Case, error) {
	r := rand.New(rand.NewPCG(c.Seed, 2))
	if c.Bounds.Crashes == 0 || r.IntN(2) == 0 {
		return c, nil
	}
	text := c.Text + fmt.Sprintf("// ldfi: crash=stop restarts=%d\n", 1+r.IntN(2))
	if names := c.carried(); len(names) > 0 && r.IntN(4) > 0 {
		r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		text += "// ldfi: durable=" + strings.Join(names[:1+r.IntN(len(names))], ",") + "\n"
	}
	for _, relation := range c.Program.Relations() {
		if relation.Arity == 1 && relation.Name != syntax.Booted && r.IntN(3) == 0 {
			rule := []string{"%s(P)@next :- booted(P);", "%s(Q)@async :- booted(P);", "%s(P)@next :- %[1]s(P), notin booted(P);"}[r.IntN(3)]
			text += fmt.Sprintf(rule, relation.Name) + "\n"
		}
	}
	p, err := dedalus.ParseText(c.Name, text)
	if err != nil {
		return c, nil // no program with these rules
	}
	return newCase(c.Name, text, c.Seed, p)
}

// carried returns the relations that can be durable.
func (c Case) carried() (names []string) {
	for _, r := range c.Program.Rules {
		if name := r.Head.Relation; r.Kind != syntax.Deductive && len(r.Head.Args) > 0 && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
