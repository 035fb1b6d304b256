package hunt_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"sync"
	"testing"

	"github.com/lineage-driven/ldfi/internal/hunt"
	"github.com/lineage-driven/ldfi/internal/testing/workers"
	"github.com/lineage-driven/ldfi/internal/unit"
	"github.com/stretchr/testify/require"
)

// Every seed is in one shard, and shards are equally large.
func TestDivide(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		s := hunt.Seeds{First: r.Uint64N(1 << 40), Count: 1 + r.Uint64N(1000)}
		shards, next, least, most := 1+r.IntN(40), s.First, uint64(math.MaxUint64), uint64(0)
		all := s.Divide(shards)
		for _, shard := range all {
			require.Equal(t, next, shard.First)
			next = shard.Last() + 1
			least, most = min(least, shard.Count), max(most, shard.Count)
		}
		require.Equal(t, s.Last()+1, next)
		require.LessOrEqual(t, most-least, uint64(1))
		require.Len(t, all, int(min(uint64(shards), s.Count)))
	}
}

func packed(t *testing.T, q hunt.Question) (*hunt.Packed, error) {
	t.Helper()
	return q.Pack(t.Context(), t.TempDir())
}

// campaign is the test of testdata, with 100 seeds.
func campaign(wrong string) hunt.Question {
	return hunt.Question{Package: "./testdata/campaign", Run: "TestInputs", Args: []string{"-wrong", wrong}, Seeds: hunt.Seeds{First: 1, Count: 100}}
}

func TestMain(m *testing.M) {
	code := m.Run()
	if dir != "" {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

var dir string // of what was built

// built are these tests, built once.
var built = sync.OnceValues(func() (*hunt.Packed, error) {
	var err error
	if dir, err = os.MkdirTemp("", "hunt-test-"); err != nil {
		return nil, err
	}
	return campaign("0").Pack(context.Background(), dir)
})

// ready is the campaign with a seed that is wrong.
func ready(t *testing.T, wrong string) *hunt.Packed {
	t.Helper()
	b, err := built()
	require.NoError(t, err)
	p := *b
	p.Args = campaign(wrong).Args
	return &p
}

// The test is run by workers, with what it reads, and the shard with the seed that is wrong
// says so, and how to see that here.
func TestHunt(t *testing.T) {
	p := ready(t, "77")
	hands := &workers.Hands{T: t, Many: 2, Hosts: true}
	told := 0
	shards, err := p.Hand(t.Context(), hands, 7, func(hunt.Shard) { told++ })
	require.NoError(t, err)
	require.Len(t, shards, 7)
	require.Equal(t, 7, told)
	for _, s := range shards {
		require.Equal(t, s.Seeds.First > 77 || s.Seeds.Last() < 77, s.Passed, s.String())
		if !s.Passed {
			require.Contains(t, s.Output, "seed 77 is wrong")
			require.Equal(t, "seeds 73 to 86: failed, by worker", s.String())
			require.Equal(t, "go test ./testdata/campaign -run TestInputs -count 1 -timeout 0 -args -long 14 -seed 73 -wrong 77", p.Command(s.Seeds))
		}
	}
	for _, u := range hands.Units {
		require.Contains(t, u.Files, "module/internal/hunt/testdata/campaign/testdata/input.txt")
	}
}

// What passed is kept, and what failed is run again by whoever asks again.
func TestFailuresAreNotFinal(t *testing.T) {
	p := ready(t, "1")
	final := map[bool]bool{}
	hands := &workers.Hands{T: t, Hosts: true, Change: func(_ *unit.Unit, r *unit.Result) error {
		var a hunt.Answer
		require.NoError(t, json.Unmarshal(r.Answer, &a))
		final[a.Passed] = r.Final
		return nil
	}}
	_, err := p.Hand(t.Context(), hands, 2, func(hunt.Shard) {})
	require.NoError(t, err)
	require.Equal(t, map[bool]bool{true: true, false: false}, final)
}

// Whoever starts no programs that come with units looks at nothing, and it is said what
// was not looked at.
func TestNotLookedAt(t *testing.T) {
	p := ready(t, "0")
	shards, err := p.Hand(t.Context(), &workers.Hands{T: t}, 1, func(hunt.Shard) {})
	require.NoError(t, err)
	require.Equal(t, "seeds 1 to 100: not looked at: the tests are a program that came with the unit, and none is to be started here", shards[0].String())
	full := &workers.Hands{T: t, Hosts: true, Change: func(*unit.Unit, *unit.Result) error { return &unit.RefusedError{Reason: "the store is full"} }}
	shards, err = p.Hand(t.Context(), full, 1, func(hunt.Shard) {})
	require.NoError(t, err)
	require.Equal(t, "seeds 1 to 100: not looked at: the store is full", shards[0].String())
	down := &workers.Hands{T: t, Hosts: true, Change: func(*unit.Unit, *unit.Result) error { return errors.New("no server") }}
	_, err = p.Hand(t.Context(), down, 5, func(hunt.Shard) {})
	require.EqualError(t, err, "no server")
}

// A unit leads nowhere outside of its directory.
func TestOutside(t *testing.T) {
	_, err := hunt.Do(context.Background(), &unit.Task{Dir: t.TempDir(), Hosts: true}, &hunt.Ask{Package: "../x"})
	require.ErrorContains(t, err, "lies outside of the module")
	_, err = hunt.Do(context.Background(), &unit.Task{Dir: t.TempDir(), Hosts: true}, &hunt.Ask{Package: "x"})
	require.ErrorContains(t, err, "the unit lacks its tests")
}

// Tests without seeds cannot be divided, and it is said what they lack.
func TestWhatCannotBeHunted(t *testing.T) {
	for wrong, change := range map[string]func(*hunt.Question){
		"they have no flag -long":    func(q *hunt.Question) { q.Package = "./testdata/plain" },
		"which tests to run":         func(q *hunt.Question) { q.Run = "(" },
		"no such file":               func(q *hunt.Question) { q.With = []string{"nothing"} },
		"lies outside of the module": func(q *hunt.Question) { q.With = []string{"../x"} },
		"directory not found":        func(q *hunt.Question) { q.Package = "./nothing" },
	} {
		q := campaign("0")
		change(&q)
		_, err := packed(t, q)
		require.ErrorContains(t, err, wrong)
	}
	q := campaign("0")
	q.With = []string{"internal/hunt/testdata/plain"}
	_, err := packed(t, q)
	require.NoError(t, err)
}
