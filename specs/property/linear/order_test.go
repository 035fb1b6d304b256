package linear

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/require"
)

// The models of the tests: a register, a list of which clients read all, and a
// register for each key.
var models = map[string]porcupine.Model{
	"register": {Init: func() any { return "0" }, Step: step},
	"list": {Init: func() any { return "" }, Step: func(state, input, output any) (bool, any) {
		if input == "read" {
			return output == nil || output == state, state
		}
		return output == nil || output == "ok", state.(string) + input.(string)
	}},
	"keys": {
		Init: func() any { return "0" },
		Step: func(state, input, output any) (bool, any) { return step(state, input.(string)[1:], output) },
		Partition: func(all []porcupine.Operation) [][]porcupine.Operation {
			var parts [2][]porcupine.Operation
			for _, op := range all {
				k := op.Input.(string)[0] - 'x'
				parts[k] = append(parts[k], op)
			}
			return parts[:]
		},
	},
	"set, hashed": {
		Init: func() any { return []bool{false, false, false} },
		Step: func(state, input, output any) (bool, any) {
			now := append([]bool(nil), state.([]bool)...)
			if input == "read" {
				return output == nil || output == fmt.Sprint(now), state
			}
			now[input.(string)[0]-'0'] = true
			return output == nil || output == "ok", now
		},
		Equal: func(a, b any) bool { return fmt.Sprint(a) == fmt.Sprint(b) },
		Hash:  func(state any) uint64 { return uint64(len(fmt.Sprint(state))) },
	},
}

func step(state, input, output any) (bool, any) {
	if input == "read" {
		return output == nil || output == state, state
	}
	return output == nil || output == "ok", input
}

// TestAgreement compares random histories with what porcupine says of them.
func TestAgreement(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for name, model := range models {
		t.Run(name, func(t *testing.T) {
			counts := map[bool]int{}
			for range 3000 {
				operations := randomHistory(random, model, name == "keys")
				s, late := newJudge(linearizability, model, time.Minute).unexplained(operations)
				require.False(t, late)
				require.Equal(t, porcupine.CheckOperations(model, operations), s == nil, "%v", operations)
				counts[s == nil]++
			}
			require.Greater(t, min(counts[true], counts[false]), 100, "both happen: %v", counts)
		})
	}
}

// randomHistory is a history whose replies are those of a random order, some of
// them exchanged.
func randomHistory(random *rand.Rand, model porcupine.Model, keys bool) []porcupine.Operation {
	var all []porcupine.Operation
	states := map[byte]any{}
	for i := range 2 + random.IntN(7) {
		input, key := fmt.Sprint(random.IntN(3)), byte('x')
		if random.IntN(2) == 0 {
			input = "read"
		}
		if keys {
			key += byte(random.IntN(2))
			input = string(key) + input
		}
		state, ok := states[key]
		if !ok {
			state = model.Init()
		}
		op := porcupine.Operation{ClientId: i, Input: input, Call: int64(2 * (i - min(i, random.IntN(3)))), Return: 1000}
		if random.IntN(3) > 0 || strings.HasSuffix(input, "read") {
			op.Return = int64(2*(i+random.IntN(3)) + 1)
			op.Output = "ok"
			if strings.HasSuffix(input, "read") {
				op.Output = fmt.Sprint(state)
				if random.IntN(4) == 0 {
					op.Output = "0"
				}
			}
		}
		if op.Output != nil || random.IntN(2) == 0 { // one without a reply may have had its effect
			_, states[key] = model.Step(state, input, nil)
		}
		all = append(all, op)
	}
	return all
}

// unanswered is a history that no order explains, with so many writes without a
// reply.
func unanswered(n int) []porcupine.Operation {
	var all []porcupine.Operation
	for i := range n {
		all = append(all, porcupine.Operation{Input: fmt.Sprint(i), Call: 2, Return: 1000})
	}
	return append(all, porcupine.Operation{Input: "read", Output: "nothing that was written", Call: 4, Return: 5})
}

// That many requests without a reply take no time, where what they leave behind
// is no more than the last of them.
func TestManyWithoutReply(t *testing.T) {
	began := time.Now()
	s, late := newJudge(linearizability, models["register"], 10*time.Second).unexplained(unanswered(200))
	require.NotNil(t, s)
	require.False(t, late)
	require.Less(t, time.Since(began), 5*time.Second)
}

// BenchmarkUnanswered is the check of a history with 16 writes without a reply, and by
// porcupine the same.
func BenchmarkUnanswered(b *testing.B) {
	for _, n := range []int{8, 12, 16} {
		b.Run(fmt.Sprintf("%d", n), func(b *testing.B) {
			for b.Loop() {
				newJudge(linearizability, models["register"], time.Minute).unexplained(unanswered(n))
			}
		})
		if n < 16 {
			b.Run(fmt.Sprintf("%d/porcupine", n), func(b *testing.B) {
				for b.Loop() {
					porcupine.CheckOperations(models["register"], unanswered(n))
				}
			})
		}
	}
}
