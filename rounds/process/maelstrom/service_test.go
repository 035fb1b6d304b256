package maelstrom

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func read(key string) Body         { return Body{"type": "read", "key": key} }
func write(key string, v any) Body { return Body{"type": "write", "key": key, "value": v} }

func TestKeys(t *testing.T) {
	k := keys{}
	for _, c := range []struct {
		asked Body
		want  string
	}{
		{read("x"), `error {"code":20,"text":"there is no key \"x\""}`},
		{Body{"type": "cas", "key": "x", "from": 1, "to": 2}, `error {"code":20,"text":"there is no key \"x\""}`},
		{Body{"type": "cas", "key": "x", "from": 1, "to": 2, "create_if_not_exists": true}, `cas_ok`},
		{Body{"type": "cas", "key": "x", "from": 1, "to": 3}, `error {"code":22,"text":"key \"x\" has the value 2, not 1"}`},
		{Body{"type": "cas", "key": "x", "from": 2, "to": []int{3}}, `cas_ok`},
		{read("x"), `read_ok {"value":[3]}`},
		{write("x", "a"), `write_ok`},
		{read("x"), `read_ok {"value":"a"}`},
		{Body{"type": "sum"}, `error {"code":10,"text":"sum is none of read, write and cas"}`},
	} {
		require.Equal(t, c.want, k.answer(0, "n1", c.asked).String())
	}
}

// The oracle counts from 0, whoever asks.
func TestOracle(t *testing.T) {
	o := new(oracle)
	require.Equal(t, `ts_ok {"ts":0}`, o.answer(0, "n0", Body{"type": "ts"}).String())
	require.Equal(t, `ts_ok {"ts":1}`, o.answer(0, "n1", Body{"type": "ts"}).String())
	require.Equal(t, `error {"code":10,"text":"read is not ts"}`, o.answer(0, "n1", read("x")).String())
}

// Reads of seq-kv may be stale for a second, but who has seen or written something never
// sees what was before.
func TestPast(t *testing.T) {
	now := time.Duration(0)
	p := &past{random: rand.New(rand.NewPCG(1, 1)), latest: keys{}, seen: map[string]int{}}
	told := map[string]int{}
	last := map[string]int{}
	for i := range 1000 {
		p.answer(now, "n1", write("x", i))
		require.Equal(t, fmt.Sprintf(`read_ok {"value":%d}`, i), p.answer(now, "n1", read("x")).String())
		for _, node := range []string{"n2", "n3"} {
			var n int
			answer := p.answer(now, node, read("x")).String()
			told[answer]++
			if _, err := fmt.Sscanf(answer, `read_ok {"value":%d}`, &n); err == nil {
				require.GreaterOrEqual(t, n, last[node])
				require.GreaterOrEqual(t, n, i-100, "a second is 100 writes")
				last[node] = n
			}
		}
		now += (10 * time.Millisecond)
	}
	require.Greater(t, len(told), 500, "not only the latest")
	require.Less(t, len(told), 1000, "not all of them")
	now += (stale + 1)
	require.Equal(t, `read_ok {"value":999}`, p.answer(now, "n4", read("x")).String())
}

// Replicas of lww-kv forget, and agree after a while.
func TestReplicas(t *testing.T) {
	now := time.Duration(0)
	r := newReplicas(rand.New(rand.NewPCG(1, 1)))
	r.answer(now, "n1", write("x", 1))
	r.answer(now, "n1", write("x", 2))
	told := map[string]int{}
	for range 200 {
		told[r.answer(now, "n1", read("x")).String()]++
	}
	require.Len(t, told, 3, "nothing, 1 and 2: %v", told)
	now += (apart + 1)
	for range 50 {
		require.Equal(t, `read_ok {"value":2}`, r.answer(now, "n1", read("x")).String())
	}
}
