package diagram_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/testing/golden"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/diagram"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

// during returns a fact in each round of a run.
func during(first, last int, relation string, args ...specs.Value) (facts []recording.Fact) {
	for round := first; round <= last; round++ {
		facts = append(facts, recording.Fact{Relation: relation, Args: args, Round: round})
	}
	return facts
}

// counting is an execution with facts that come, change and go.
func counting(t *testing.T, processes ...string) *recording.Execution {
	a, b, c := specs.String(processes[0]), specs.String(processes[1]), specs.String(processes[2])
	e := oracle.Play(t, rounds.Bounds{Processes: processes, EOT: 6, CrashStop: true}, "crash "+processes[2]+"@4", []string{processes[0], processes[1], "beat"}, []string{processes[1], processes[2], "view"})
	e.Facts = slices.Concat(
		during(1, 2, "count", a, specs.Int(1)), during(3, 6, "count", a, specs.Int(2)), // one after the other
		during(1, 3, "log", b, specs.String("x")), during(2, 3, "log", b, specs.String("y")), during(5, 6, "log", b, specs.String("a text that is too long for the column of a process")), // besides, none, another
		during(1, 3, "log", c, specs.String("x")),      // it crashes
		during(2, 4, "leader", b),                      // no more columns
		during(3, 6, "total", specs.Int(3)),            // of nobody
		during(1, 6, "hidden", a, specs.Int(7)),        // nobody asks for it
		during(6, 6, "count", c, specs.Int(99)),        // another relation in the same round
		during(4, 4, "quorum"), during(5, 5, "quorum"), // without columns
	)
	for i := range 9 {
		e.Facts = append(e.Facts, during(6, 6, "many", b, specs.Int(int64(i)))...)
	}
	e.Sort()
	return e
}

func TestStates(t *testing.T) {
	show := []string{"log", "count", "leader", "total", "quorum", "many"}
	reports := counting(t, "a", "b", "c")
	reports.System = "reports"
	for _, test := range []struct {
		name      string
		execution *recording.Execution
		options   diagram.Options
	}{
		{"states", counting(t, "a", "b", "c"), diagram.Options{Show: show, Hide: []string{"view"}}},
		{"hidden", counting(t, "a", "b", "c"), diagram.Options{Hide: []string{"view", "beat"}}},
		{"states-all", counting(t, "a", "b", "c"), diagram.Options{Show: []string{"count"}, Hide: []string{"beat"}, All: true}},
		{"states-system", reports, diagram.Options{Show: show, Hide: []string{"beat", "view"}}},
		{"states-wide", counting(t, "参加者", "👨🏽", "e\u0301"), diagram.Options{Show: show, Hide: []string{"view"}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out bytes.Buffer
			require.NoError(t, diagram.Write(&out, test.execution, test.options))
			golden.Equal(t, test.name+".txt", out.Bytes())
			out.Reset()
			require.NoError(t, diagram.WriteMermaid(&out, test.execution, test.options))
			golden.Equal(t, test.name+".mmd", out.Bytes())
			requireMermaid(t, out.String())
		})
	}
}

// From what is shown of a program follows which facts there are in each round.
func TestStatesCanBeFollowed(t *testing.T) {
	changed := 0
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 1))
		e := &recording.Execution{Bounds: rounds.Bounds{Processes: []string{"a", "b"}, EOT: 8}}
		facts := map[int]map[string][]string{} // by round, and process with relation
		for round := 1; round <= e.Bounds.EOT; round++ {
			facts[round] = map[string][]string{}
			for i := range 12 {
				at, relation, n := []string{"a", "b"}[i%2], []string{"x", "y"}[i/2%2], i/4
				if random.IntN(3) > 0 {
					continue
				}
				e.Facts = append(e.Facts, recording.Fact{Relation: relation, Args: []specs.Value{specs.String(at), specs.Int(int64(n))}, Round: round})
				facts[round][at+relation] = append(facts[round][at+relation], fmt.Sprint(n))
			}
		}
		e.Sort()
		var out bytes.Buffer
		require.NoError(t, diagram.WriteMermaid(&out, e, diagram.Options{Show: []string{"x", "y"}}))
		followed := follow(out.String(), e.Bounds.EOT)
		for round := 1; round <= e.Bounds.EOT; round++ {
			for _, key := range []string{"ax", "ay", "bx", "by"} {
				require.Equal(t, facts[round][key], followed[round][key], "seed %d, round %d, %s\n%s", seed, round, key, out.String())
			}
			changed += len(followed[round])
		}
	}
	require.Greater(t, changed, 1000)
}

// follow returns the facts of each round of a and b that a Mermaid diagram shows.
func follow(drawing string, eot int) map[int]map[string][]string {
	all := map[int]map[string][]string{}
	current, round := map[string][]string{}, 0
	keep := func(until int) {
		for ; round < until; round++ {
			all[round] = map[string][]string{}
			for key, values := range current {
				all[round][key] = slices.Sorted(slices.Values(values))
			}
		}
	}
	fresh := map[string]bool{} // in this round
	for line := range strings.Lines(drawing) {
		var next, column int
		var relation, value string
		text := strings.TrimSpace(line)
		text = strings.ReplaceAll(strings.ReplaceAll(text, "#43;", "+"), "#34;", `"`)
		if _, err := fmt.Sscanf(text, "Note over p1,p2: round %d", &next); err == nil {
			if !strings.Contains(text, "as the round before") {
				keep(next)
				clear(fresh)
			}
			continue
		}
		if _, err := fmt.Sscanf(text, "Note over p%d: ", &column); err != nil {
			continue
		}
		_, text, _ = strings.Cut(text, ": ")
		further := strings.HasPrefix(text, "+ ")
		gone := strings.HasPrefix(text, "no ")
		relation, value, _ = strings.Cut(strings.TrimPrefix(strings.TrimPrefix(text, "+ "), "no "), "(")
		key := string("ab"[column-1]) + relation
		if !further && !fresh[key] {
			delete(current, key)
		}
		fresh[key] = true
		if !gone {
			current[key] = append(current[key], strings.TrimSuffix(value, ")"))
		}
	}
	keep(eot + 1)
	return all
}
