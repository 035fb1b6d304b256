package rules

import (
	"fmt"
	"testing"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/stretchr/testify/require"
)

// cluster is an execution of 60 rounds in which three processes report a leader
// in every round and apply an entry in every third, among 360 messages.
func cluster() *recording.Execution {
	names := []string{"a", "b", "c"}
	e := &recording.Execution{System: "cluster", Bounds: rounds.Bounds{Processes: names, EOT: 60}}
	for round := 1; round <= 60; round++ {
		for i, p := range names {
			v := specs.String(p)
			e.Facts = append(e.Facts, recording.Fact{Relation: "leader", Args: []specs.Value{v, specs.Int(int64(round/9*3 + i))}, Round: round})
			if round%3 == 0 {
				e.Facts = append(e.Facts, recording.Fact{Relation: "applied", Args: []specs.Value{v, specs.Int(int64(round / 3)), specs.String(fmt.Sprint("entry ", round))}, Round: round})
			}
			for j, q := range names {
				if i != j {
					e.Messages = append(e.Messages, recording.Message{From: p, To: q, Round: round, Relation: "append", Args: []specs.Value{specs.String(q), specs.String("entries")}})
				}
			}
		}
	}
	e.Sort()
	return e
}

func benchmark(b *testing.B, p property.Property) {
	c, err := property.Compile(p)
	require.NoError(b, err)
	e := cluster()
	for b.Loop() {
		violations, err := c.Check(e)
		require.NoError(b, err)
		require.Empty(b, violations)
	}
}

func BenchmarkUniquePerTerm(b *testing.B)   { benchmark(b, property.UniquePerTerm("leader")) }
func BenchmarkAgreementPerKey(b *testing.B) { benchmark(b, property.AgreementPerKey("applied")) }
func BenchmarkPrefixOrder(b *testing.B)     { benchmark(b, property.PrefixOrder("applied")) }
func BenchmarkMessages(b *testing.B) {
	benchmark(b, New("all arrive", `violation(P, Q, R) :- sent(P, Q, K, T, R), !delivered(P, Q, K, T, R).`))
}

// BenchmarkMangle is how long the same takes with Mangle's engine.
func BenchmarkMangle(b *testing.B) {
	r, err := parseRules("rules", property.UniquePerTerm("leader").Rules.Text)
	require.NoError(b, err)
	en, err := newEngine(r)
	require.NoError(b, err)
	e := cluster()
	for b.Loop() {
		tabulator := datalog.Tabulator{Reads: r.reads}
		facts, err := tabulator.Table(e)
		require.NoError(b, err)
		_, err = en.Run(b.Context(), facts)
		require.NoError(b, err)
	}
}
