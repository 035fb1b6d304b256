package etcdraft_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/adapters/etcdraft"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

var abc = []string{"a", "b", "c"}

// batching proposes what clients ask for every fourth tick.
type batching struct {
	etcd.Node
	ticks   int
	waiting [][]byte
}

func (b *batching) Propose(data []byte) error {
	b.waiting = append(b.waiting, data)
	return nil
}

func (b *batching) Tick() {
	b.Node.Tick()
	if b.ticks++; b.ticks%4 == 0 {
		for _, data := range b.waiting {
			_ = b.Node.Propose(data) // dropped without a leader
		}
		b.waiting = nil
	}
}

// Restart forgets what is in memory.
func (b *batching) Restart() (etcd.Stored, error) {
	b.ticks, b.waiting = 0, nil
	return b.Node.Restart()
}

// A wrapper that has a method of its own for what clients ask.
func ExampleSystem_batching() {
	s := etcdraft.System(abc, nil, etcd.Wrap(func(n etcd.Node) etcd.Node { return &batching{Node: n} }))
	s.Requests = etcd.EveryLeader(abc, 20, 27, 1, func(round int) any { return etcd.Propose(fmt.Sprint("from ", round)) })
	e := execute(s, "seed 1; ticks 1")
	for _, f := range e.Facts {
		if f.Relation == "wrote" {
			fmt.Printf("round %d: request of round %d is at %d\n", f.Round, s.Requests[f.Args[1].Int()-1].Round, f.Args[2].Int())
		}
	}
	fmt.Println("the self-test of states:", s.CheckState(context.Background(), 5, 1))
	// Output:
	// round 26: request of round 20 is at 5
	// round 26: request of round 21 is at 6
	// round 26: request of round 22 is at 7
	// round 26: request of round 23 is at 8
	// round 30: request of round 24 is at 9
	// round 30: request of round 25 is at 10
	// round 30: request of round 26 is at 11
	// round 30: request of round 27 is at 12
	// the self-test of states: <nil>
}

// reordering sends in the opposite order.
type reordering struct{ etcd.Node }

func (r reordering) Ready(do *etcd.Work) error {
	err := r.Node.Ready(do)
	slices.Reverse(do.Messages)
	return err
}

// A wrapper that changes in which order messages leave.
func ExampleSystem_reordering() {
	s := etcdraft.System(abc, nil, etcd.Wrap(func(n etcd.Node) etcd.Node { return reordering{n} }))
	s.Requests = etcd.Every(abc, 10, 50, 5, func(p string, round int) any { return etcd.Propose(fmt.Sprint(p, round)) })
	e := execute(s, "seed 1; ticks 2; isolate a@20..30")
	for _, p := range s.Properties {
		violations, err := p.Check(e)
		fmt.Println(p.Name, len(violations), err)
	}
	// Output:
	// one leader per term 0 <nil>
	// one log 0 <nil>
	// fresh reads 0 <nil>
}

// late stores what the library wants to be stored before messages are sent only
// when they are.
type late struct{ etcd.Node }

func (late) Store() error { return nil }

func (l late) Advance() {
	if err := l.Node.Store(); err != nil {
		panic(err)
	}
	l.Node.Advance()
}

// A wrapper that stores too late. A crash in between makes a process forget whom it
// has voted for, which it does not with the node alone.
func ExampleSystem_late() {
	for _, wrap := range []func(etcd.Node) etcd.Node{
		func(n etcd.Node) etcd.Node { return n },
		func(n etcd.Node) etcd.Node { return late{n} },
	} {
		e := execute(etcdraft.System(abc, nil, etcd.Wrap(wrap)), "seed 570; ticks 3; crash a@5/sent; restart a@14")
		for _, f := range e.Facts {
			if f.Relation == "vote" && f.Args[0].Text() == "a" && f.Round <= 14 {
				fmt.Println(f)
			}
		}
		fmt.Println()
	}
	// Output:
	// vote("a", 2, "b")@5
	// vote("a", 2, "b")@14
	//
	// vote("a", 2, "b")@5
}

func execute(s *system.System, schedule string) *recording.Execution {
	parsed, err := rounds.ParseSchedule(schedule)
	if err != nil {
		panic(err)
	}
	e, err := s.Run(context.Background(), parsed, system.RunOptions{})
	if err != nil {
		panic(err)
	}
	return e
}

// The self-test finds it by itself.
func TestLate(t *testing.T) {
	s := etcdraft.System(abc, nil, etcd.Wrap(func(n etcd.Node) etcd.Node { return late{n} }))
	var forgot *system.DurabilityError
	require.ErrorAs(t, s.CheckDurability(t.Context(), 100, 1), &forgot)
	require.Equal(t, "vote", forgot.Before.Relation)
}
