package linear

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

// ask is a request of a test, which is made to process 'a' + process; no reply: -1.
type ask struct {
	process      int
	input        string
	round, until int
	reply        string
}

// recordingOf returns an execution with these requests and replies.
func recordingOf(asked []ask) *recording.Execution {
	e := &recording.Execution{Bounds: rounds.Bounds{Processes: []string{"a", "b", "c"}, EOT: 20}}
	add := func(relation string, id int, process int, text string, round int) {
		e.Facts = append(e.Facts, recording.Fact{Relation: relation, Args: []specs.Value{specs.String(e.Bounds.Processes[process]), specs.Int(int64(id)), specs.String(text)}, Round: round})
	}
	for i, a := range asked {
		add("request", i+1, a.process, a.input, a.round)
		if a.until >= 0 {
			add("reply", i+1, a.process, a.reply, a.until)
		}
	}
	e.Sort()
	return e
}

// explained tells whether some order explains every reply: all of them are tried, of the
// requests with a reply and any of the others. before tells which of two requests has to
// come first.
func explained(asked []ask, before func(a, b ask) bool, apply func(state map[string]string, a ask) bool) bool {
	var extend func(order []int, used int) bool
	extend = func(order []int, used int) bool {
		all := true
		for i, a := range asked {
			all = all && (a.until < 0 || used&(1<<i) != 0)
		}
		if all && fits(asked, order, apply) {
			return true
		}
	next:
		for i, a := range asked {
			if used&(1<<i) != 0 {
				continue
			}
			for j, b := range asked {
				if used&(1<<j) == 0 && j != i && b.until >= 0 && before(b, a) {
					continue next
				}
			}
			if extend(append(order[:len(order):len(order)], i), used|1<<i) {
				return true
			}
		}
		return false
	}
	return extend(nil, 0)
}

func fits(asked []ask, order []int, apply func(state map[string]string, a ask) bool) bool {
	state := map[string]string{"x": "0", "y": "0"}
	for _, i := range order {
		if !apply(state, asked[i]) {
			return false
		}
	}
	return true
}

// applyKeys executes x5 (a write of 5), xread, and the same of y.
func applyKeys(state map[string]string, a ask) bool {
	key, what := a.input[:1], a.input[1:]
	if what == "read" {
		return a.until < 0 || a.reply == state[key]
	}
	state[key] = what
	return a.until < 0 || a.reply == "ok"
}

// The three consistencies agree with trying every order, on random histories of two
// registers.
func TestConsistenciesAgainstEveryOrder(t *testing.T) {
	earlier := func(a, b ask) bool { return a.until >= 0 && a.until < b.round }
	for _, c := range []struct {
		consistency
		before func(a, b ask) bool
	}{
		{linearizability, earlier},
		{sequentialConsistency, func(a, b ask) bool { return a.process == b.process && earlier(a, b) }},
		{serializability, func(a, b ask) bool { return false }},
	} {
		t.Run(c.name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(5, 6))
			counts := map[bool]int{}
			for range 1500 {
				asked := randomAsks(random)
				violations, err := of(c.consistency, models["keys"], []time.Duration{time.Minute}).Check(recordingOf(asked))
				require.NoError(t, err)
				want := explained(asked, c.before, applyKeys)
				require.Equal(t, want, len(violations) == 0, "%+v", asked)
				counts[want]++
			}
			require.Greater(t, min(counts[true], counts[false]), 100, "both happen: %v", counts)
		})
	}
}

func randomAsks(random *rand.Rand) []ask {
	var asked []ask
	state := map[string]string{"x": "0", "y": "0"}
	for i := range 2 + random.IntN(5) {
		a := ask{process: random.IntN(3), input: string(rune('x'+random.IntN(2))) + fmt.Sprint(1+random.IntN(2)), round: 1 + i, until: -1}
		if random.IntN(2) == 0 {
			a.input = a.input[:1] + "read"
		}
		if random.IntN(4) > 0 {
			a.until = a.round + random.IntN(3)
		}
		if a.reply = "ok"; a.input[1:] == "read" {
			a.reply = state[a.input[:1]]
			if random.IntN(3) == 0 {
				a.reply = fmt.Sprint(random.IntN(3))
			}
		} else if a.until >= 0 || random.IntN(2) == 0 {
			state[a.input[:1]] = a.input[1:]
		}
		asked = append(asked, a)
	}
	return asked
}

// A stale read at another process is sequentially consistent and not linearizable. Two
// clients that see two writes in different orders are serializable only where these are
// two registers, each read once; what nobody wrote is nothing of the three.
func TestWhatTheConsistenciesTellApart(t *testing.T) {
	kinds := []consistency{linearizability, sequentialConsistency, serializability}
	for name, test := range map[string]struct {
		asked []ask
		want  []bool // linearizable, sequentially consistent, serializable
	}{
		"a stale read elsewhere":   {[]ask{{0, "x5", 1, 1, "ok"}, {1, "xread", 3, 3, "0"}}, []bool{false, true, true}},
		"a stale read of its own":  {[]ask{{0, "x5", 1, 1, "ok"}, {0, "xread", 3, 3, "0"}}, []bool{false, false, true}},
		"a read of the future":     {[]ask{{0, "xread", 1, 1, "5"}, {1, "x5", 3, 3, "ok"}}, []bool{false, true, true}},
		"what nobody wrote":        {[]ask{{0, "xread", 1, 1, "7"}, {1, "x5", 3, 3, "ok"}}, []bool{false, false, false}},
		"two registers, two views": {[]ask{{0, "x1", 1, 1, "ok"}, {0, "yread", 2, 2, "0"}, {1, "y1", 1, 1, "ok"}, {1, "xread", 2, 2, "0"}}, []bool{false, false, true}},
	} {
		t.Run(name, func(t *testing.T) {
			for i, kind := range kinds {
				violations, err := of(kind, models["keys"], nil).Check(recordingOf(test.asked))
				require.NoError(t, err)
				require.Equal(t, test.want[i], len(violations) == 0, kind.name)
				for _, v := range violations {
					require.Equal(t, kind.name, v.Property)
					require.Contains(t, v.Text, kind.kept+" explains this reply and those before it")
				}
			}
		})
	}
}

// Many equal reads cost an order little: they can change places.
func TestManyReads(t *testing.T) {
	var asked []ask
	for i := range 40 {
		asked = append(asked, ask{i % 3, "xread", 1 + i/3, 1 + i/3, "0"})
	}
	asked = append(asked, ask{0, "xread", 19, 19, "8"})
	began := time.Now()
	violations, err := Serializable(models["keys"]).Check(recordingOf(asked))
	require.NoError(t, err)
	require.Len(t, violations, 1)
	require.Less(t, time.Since(began), 5*time.Second)
}

// A model that makes requests of its own when it splits them has no common order.
func TestPartitionThatIsNone(t *testing.T) {
	model := models["keys"]
	model.Partition = func(all []porcupine.Operation) [][]porcupine.Operation {
		return [][]porcupine.Operation{append(all, all[0])}
	}
	_, err := Sequential(model).Check(recordingOf([]ask{{0, "x5", 1, 1, "ok"}}))
	require.ErrorContains(t, err, "the Partition of the model makes 2 operations of 1, which have no common order")
}
