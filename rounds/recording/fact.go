package recording

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/specs"
)

// Fact is a fact that holds in one round.
type Fact struct {
	Relation string        `json:"relation"` // its name
	Args     []specs.Value `json:"args"`     // its arguments; in a Dedalus program the first is the process
	Round    int           `json:"round"`    // the round in which it holds
}

// String returns the fact as it is written in a program: post("c", "hello")@6.
func (f Fact) String() string {
	return fmt.Sprintf("%s@%d", atomText(f.Relation, f.Args, nil), f.Round)
}

// Compare orders facts by round, relation and arguments.
func (f Fact) Compare(g Fact) int { return compareFacts(&f, &g) }

func compareFacts(f, g *Fact) int {
	if f.Round != g.Round {
		return cmp.Compare(f.Round, g.Round)
	}
	if c := strings.Compare(f.Relation, g.Relation); c != 0 {
		return c
	}
	for i := range min(len(f.Args), len(g.Args)) {
		if c := f.Args[i].Compare(g.Args[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(f.Args), len(g.Args))
}

// Display returns f in the form that people read, without its round and with the names
// of processes unquoted: post(c, "hello").
func Display(f Fact, processes []string) string {
	return atomText(f.Relation, f.Args, processes)
}

func atomText(relation string, args []specs.Value, processes []string) string {
	texts := make([]string, len(args))
	for i, arg := range args {
		texts[i] = arg.String()
		if slices.Contains(processes, arg.Text()) {
			texts[i] = arg.Text()
		}
	}
	return relation + "(" + strings.Join(texts, ", ") + ")"
}
