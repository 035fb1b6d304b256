package explain

import (
	"context"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/solver"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// What is written of the condition of a fact is true: under random schedules within the
// bounds the fact holds if and only if the words say so.
func TestConditionsInWords(t *testing.T) {
	compared, terms := 0, 0
	for seed, file := range []string{
		"delivery/simple.ded", "delivery/retry.ded", "delivery/classic.ded", "delivery/ack.ded", "commit/2pc.ded", "commit/3pc.ded",
		"replication/kafka_isr.ded", "replog/buggy.ded", "partitions/half.ded", "traps/negation.ded", "traps/aggregates.ded", "election/bully_max.ded",
	} {
		random := rand.New(rand.NewPCG(uint64(seed), 9))
		program, err := dedalus.Parse("../../testdata/protocols/" + file)
		require.NoError(t, err)
		bounds, _, err := rounds.BoundsOf(program, nil)
		require.NoError(t, err)
		g, err := provenance.Evaluate(context.Background(), program, bounds, provenance.Options{})
		require.NoError(t, err)
		c := newConditions(g)
		facts := factsOf(g)
		random.Shuffle(len(facts), func(i, j int) { facts[i], facts[j] = facts[j], facts[i] })
		facts = facts[:min(len(facts), 40)]
		var written []*When
		for _, f := range facts {
			written = append(written, c.write(f.Cond(), c.plain.Holds(f)))
		}
		for range 150 {
			faults, w := draw(t, random, g)
			if w == nil {
				continue
			}
			for i, f := range facts {
				if written[i].Word == Large || written[i].More > 0 {
					continue
				}
				require.Equal(t, w.Holds(f), said(written[i], faults), "%s: %s with %v: %+v", file, f, faults, written[i])
				compared++
				terms += len(written[i].Terms)
			}
		}
	}
	require.Greater(t, compared, 20_000)
	require.Greater(t, terms, compared/2, "most are not always or never")
}

func factsOf(g *provenance.Graph) (all []*provenance.Fact) {
	for _, r := range g.Program.Relations() {
		for round := 1; round <= g.Bounds.EOT; round++ {
			all = append(all, g.Facts(r.Name, round)...)
		}
	}
	return slices.DeleteFunc(all, func(f *provenance.Fact) bool { return f.Cond() == solver.True && f.Given() })
}

// draw draws some faults, and the world in which they happen; nil if that lies outside
// the bounds.
func draw(t *testing.T, random *rand.Rand, g *provenance.Graph) (texts []string, w *provenance.World) {
	var s rounds.Schedule
	for range random.IntN(5) {
		s.Faults = append(s.Faults, g.Universe.Fault(random.IntN(g.Universe.Len())))
	}
	slices.SortFunc(s.Faults, rounds.Fault.Compare)
	s.Faults = slices.Compact(s.Faults)
	if s.Check(g.Bounds) != nil {
		return nil, nil
	}
	w, err := g.Under(s)
	if err != nil || slices.ContainsFunc(g.Valid, func(l solver.Lit) bool { return !w.True(l) }) {
		return nil, nil
	}
	for _, f := range s.Faults {
		texts = append(texts, f.String())
	}
	return texts, w
}

// said tells whether the words say that the fact holds with these faults.
func said(when *When, faults []string) bool {
	met := slices.ContainsFunc(when.Terms, func(term string) bool {
		happen, not, _ := strings.Cut(term, "not ")
		happen = strings.TrimSuffix(happen, ", but ")
		for fault := range strings.SplitSeq(happen, " and ") {
			if fault != "" && !slices.Contains(faults, fault) {
				return false
			}
		}
		for _, fault := range listed.Split(not, -1) {
			if fault != "" && slices.Contains(faults, fault) {
				return false
			}
		}
		return true
	})
	switch when.Word {
	case Always:
		return true
	case Never:
		return false
	case Unless:
		return !met
	default:
		return met
	}
}

// listed is what stands between the members of a list in words.
var listed = regexp.MustCompile(`, or |, | or `)
