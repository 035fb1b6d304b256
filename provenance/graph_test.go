package provenance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

const vote = `// ldfi: processes=a,b,c eot=3 crashes=1 omissions=1
	voter("a", 1)@1; voter("b", 2)@1; veto("b")@2;
	voter(V, N)@next :- voter(V, N);
	vote("c", V, N)@async :- voter(V, N);
	vote(C, V, N)@next :- vote(C, V, N);
	tally(C, count<N>) :- vote(C, V, N), notin veto(V), notin crash(C, V, _);`

// describe writes a fact's lineage as text.
func describe(f *provenance.Fact) string {
	var b strings.Builder
	b.WriteString(f.String())
	if f.Given() {
		b.WriteString(" given")
	}
	b.WriteString("\n")
	for _, firing := range f.Firings() {
		describeFiring(&b, firing, "  ")
	}
	return b.String()
}

func describeFiring(b *strings.Builder, f *provenance.Firing, indent string) {
	fmt.Fprintf(b, "%s%s in round %d", indent, f.Rule(), f.Round())
	for _, binding := range f.Bindings() {
		fmt.Fprintf(b, " %s=%s", binding.Name, binding.Value)
	}
	b.WriteString("\n")
	for _, p := range f.Positive() {
		fmt.Fprintf(b, "%s  and %s\n", indent, p)
	}
	for _, n := range f.Negative() {
		fmt.Fprintf(b, "%s  and no %s%v %v in round %d: %v\n", indent, n.Atom.Relation, n.Args, n.Free, n.Round, n.Facts)
	}
	if d := f.Delivery(); d != nil {
		fmt.Fprintf(b, "%s  and the message from %s to %s of round %d", indent, d.From, d.To, d.Round)
		if d.Cond == solver.True {
			b.WriteString(", which is not lost")
		}
		b.WriteString("\n")
	}
	for _, row := range f.Rows() {
		describeFiring(b, row, indent+"    ")
	}
}

func TestLineage(t *testing.T) {
	g, err := evaluate(t.Context(), t, vote, provenance.Options{})
	require.NoError(t, err)

	facts := g.Facts("tally", 2)
	require.Len(t, facts, 1)
	require.Equal(t, `tally("c", 1)@2
  tally(C, count<N>) :- vote(C, V, N), notin veto(V), notin crash(C, V, _); in round 2
      tally(C, count<N>) :- vote(C, V, N), notin veto(V), notin crash(C, V, _); in round 2 C="c" N=1 V="a"
        and vote("c", "a", 1)@2
        and no veto["a"] [false] in round 2: []
        and no crash["c" "a" ""] [false false true] in round 2: [crash("c", "a", 1)@1 crash("c", "a", 2)@1 crash("c", "a", 3)@1]
`, describe(facts[0]))

	vote := g.Find("vote", []specs.Value{specs.String("c"), specs.String("a"), specs.Int(1)}, 3)
	require.Equal(t, `vote("c", "a", 1)@3
  vote("c", V, N)@async :- voter(V, N); in round 2 V="a" N=1
    and voter("a", 1)@2
    and the message from a to c of round 2
  vote(C, V, N)@next :- vote(C, V, N); in round 2 C="c" V="a" N=1
    and vote("c", "a", 1)@2
`, describe(vote))

	require.Equal(t, "voter(\"a\", 1)@1 given\n", describe(g.Facts("voter", 1)[0]))
}

func TestFindAndCount(t *testing.T) {
	g, err := evaluate(t.Context(), t, vote, provenance.Options{})
	require.NoError(t, err)

	require.Nil(t, g.Find("tally", []specs.Value{specs.String("c"), specs.Int(7)}, 2), "never counted")
	require.Nil(t, g.Find("tally", []specs.Value{specs.String("c")}, 2), "too short")
	require.Nil(t, g.Find("tally", []specs.Value{specs.String("c"), specs.Int(1)}, 9), "too late")
	require.Nil(t, g.Facts("nothing", 1))
	require.Equal(t, recording.Growth{Relation: "crash", Facts: 27}, g.Growth()[0])

	total := 0
	for _, growth := range g.Growth() {
		total += growth.Facts
	}
	require.Equal(t, g.TotalFacts(), total)
}
