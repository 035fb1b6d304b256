package ldfi_test

import (
	"context"
	"flag"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/stretchr/testify/require"
)

// b has to hear from a in round 5, by c or by itself; c passes on what it has heard once.
const heard = `// ldfi: processes=a,b,c eot=3 omissions=unlimited crashes=1
clock("a", 1)@1;
clock(P, N + 1)@next :- clock(P, N), N < 9;
says("b", N)@async :- clock("a", N), N > 2, N < 5;
says("c", N)@async :- clock("a", N), N == 3;
says("b", N)@async :- says("c", N);
heard(P)@next :- says(P, _);
heard(P)@next :- heard(P);
violation("b") :- clock("a", 7), notin heard("b");
`

// roundless are the faults of a schedule without their rounds.
func roundless(s rounds.Schedule) string {
	var all []string
	for _, f := range s.Faults {
		if name := provenance.Roundless(f); f.Kind != rounds.Choose && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return strings.Join(all, "; ")
}

// smallest are those of sets of which no other is a part.
func smallest(sets []string) (few []string) {
	for _, s := range sets {
		less := func(o string) bool {
			return o != s && !slices.ContainsFunc(strings.Split(o, "; "), func(f string) bool { return !slices.Contains(strings.Split(s, "; "), f) })
		}
		if !slices.ContainsFunc(sets, less) && !slices.Contains(few, s) {
			few = append(few, s)
		}
	}
	slices.Sort(few)
	return few
}

// The sets of faults that break a promise whenever they happen are those that break it in some of the first rounds, if
// these are many enough, and the proof says that there are no others.
func TestFaultSetsOfAnyNumberOfRounds(t *testing.T) {
	files := map[string]int{"restart/2pc_forgets.ded": 7, "partitions/half.ded": 4}
	if flag.Lookup("all").Value.String() == "true" {
		files["replication/kafka_isr.ded"] = 9
	}
	programs := map[string]*dedalus.Program{}
	for file := range files {
		p, err := dedalus.Parse("../testdata/protocols/" + file)
		require.NoError(t, err)
		programs[file] = p
	}
	p, err := dedalus.ParseText("heard.ded", heard)
	require.NoError(t, err)
	programs["heard.ded"], files["heard.ded"] = p, 9
	for file, p := range programs {
		t.Run(file, func(t *testing.T) {
			b, goals, err := rounds.BoundsOf(p, nil)
			require.NoError(t, err)
			var sets []string
			for eot := 1; eot <= files[file]; eot++ {
				m, err := ldfi.New(p, b.Lasting(eot), ldfi.Options{Goals: goals, Max: 10_000, Bare: true})
				require.NoError(t, err)
				a, err := m.Hypotheses(t.Context(), nil, nil)
				require.NoError(t, err)
				for _, c := range a.Counterexamples {
					sets = append(sets, roundless(c.Schedule))
				}
			}
			m, err := ldfi.New(p, b, ldfi.Options{Goals: goals, Max: 100})
			require.NoError(t, err)
			a, err := m.HypothesesAnyRounds(t.Context())
			require.NoError(t, err)
			require.Equal(t, result.Violated, a.Verdict)
			require.Empty(t, a.Rounds.Others, "a proof excludes others")
			var found []string
			for i, s := range a.Rounds.Sets {
				require.True(t, s.Minimal)
				require.True(t, a.Counterexamples[i].Confirmed)
				faults := slices.Sorted(slices.Values(s.Faults))
				require.Equal(t, roundless(a.Counterexamples[i].Schedule), strings.Join(faults, "; "))
				found = append(found, strings.Join(faults, "; "))
			}
			slices.Sort(found)
			require.Equal(t, smallest(sets), found)
		})
	}
}

// A list that is cut off says that there are more.
func TestFewFaultSetsOfAnyNumberOfRounds(t *testing.T) {
	p, err := dedalus.ParseText("heard.ded", heard)
	require.NoError(t, err)
	b, goals, err := rounds.BoundsOf(p, nil)
	require.NoError(t, err)
	m, err := ldfi.New(p, b, ldfi.Options{Goals: goals, Max: 1})
	require.NoError(t, err)
	a, err := m.HypothesesAnyRounds(t.Context())
	require.NoError(t, err)
	require.Len(t, a.Counterexamples, 1)
	require.Equal(t, "there are others: --max lists more", a.Rounds.Others)
	require.False(t, a.Complete)
}

// Without time there is no list, or one that says that there may be others, and that is no error.
func TestFaultSetsOfAnyNumberOfRoundsWithoutTime(t *testing.T) {
	p, err := dedalus.ParseText("heard.ded", heard)
	require.NoError(t, err)
	b, goals, err := rounds.BoundsOf(p, nil)
	require.NoError(t, err)
	m, err := ldfi.New(p, b, ldfi.Options{Goals: goals, Max: 100})
	require.NoError(t, err)
	for _, limit := range []time.Duration{0, 10 * time.Millisecond, 30 * time.Millisecond, 80 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		a, err := m.HypothesesAnyRounds(ctx)
		cancel()
		require.NoError(t, err)
		if a.Verdict == result.Violated {
			require.Equal(t, len(a.Rounds.Sets), len(a.Counterexamples))
			require.Equal(t, a.Rounds.Others == "", a.Complete)
		}
	}
}
