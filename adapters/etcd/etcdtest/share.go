package etcdtest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/adapters/etcd"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// BenchmarkShare measures which part of the time of a judged execution with clients
// is not spent in the library: executions, against the library alone that makes the
// same nodes and gets the same calls with the same messages. The two take turns.
func (c Cluster) BenchmarkShare(b *testing.B) {
	const different = 20
	tapes := c.record(b, different)
	target, err := search.NewTarget(c.Busy(), nil)
	require.NoError(b, err)
	j := target.Judge(0, false)
	var executing, alone float64
	for b.Loop() {
		for _, t := range tapes {
			begin := oracle.StartSpeed()
			_, violations, err := j.Execute(b.Context(), t.schedule)
			executing += begin.Seconds()
			require.NoError(b, err)
			require.Empty(b, violations)
			begin = oracle.StartSpeed()
			t.play()
			alone += begin.Seconds()
		}
	}
	b.ReportMetric(100*(1-alone/executing), "%-not-library")
	b.ReportMetric(executing/float64(b.N*different)*1e6, "cpu-µs/execution")
}

// tape is what the nodes of an execution are asked to do.
type tape struct {
	cluster  Cluster
	schedule rounds.Schedule
	calls    []call
	random   map[string][]uint64 // by process, what it drew
	messages int                 // that the nodes want to send

	again *system.System // makes the nodes that repeat it
	nodes []etcd.Node    // that were made
}

// call is a call of a method of a node.
type call struct {
	node int
	do   func(etcd.Node)
}

// record records executions in which nobody restarts: the library draws a timeout then, which
// only a process can let it do.
func (c Cluster) record(b *testing.B, executions int) []*tape {
	draw := randomly(c.Busy())
	var tapes []*tape
	for len(tapes) < executions {
		t := &tape{cluster: c, schedule: withoutRestarts(draw()), random: map[string][]uint64{}}
		s := t.system(func(p string, random *rand.Rand) rand.Source { return &recorder{t, p, random} },
			func(i int, n etcd.Node) etcd.Node { return &recorded{n, t, i} })
		e, err := s.Run(b.Context(), t.schedule, system.RunOptions{})
		require.NoError(b, err)
		t.schedule = e.Schedule
		require.Positive(b, t.messages)
		require.Equal(b, t.messages, t.play(), "the library alone sends other messages under %q", t.schedule)
		tapes = append(tapes, t)
	}
	return tapes
}

func withoutRestarts(s rounds.Schedule) rounds.Schedule {
	without := rounds.Schedule{Settings: s.Settings}
	for _, f := range s.Faults {
		if f.Kind != rounds.Restart {
			without.Faults = append(without.Faults, f)
		}
	}
	return without
}

// system returns a busy cluster whose nodes and random numbers are others.
func (t *tape) system(random func(p string, of *rand.Rand) rand.Source, wrap func(i int, n etcd.Node) etcd.Node) *system.System {
	made := 0
	s := t.cluster(Processes, etcd.Wrap(func(n etcd.Node) etcd.Node {
		made++
		return wrap(made-1, n)
	}))
	s.Requests = t.cluster.Busy().Requests
	inner := s.New
	s.New = func(name string, of *rand.Rand) system.Process { return inner(name, rand.New(random(name, of))) }
	return s
}

// play makes the nodes and repeats the calls. It returns how many messages they want
// to send.
func (t *tape) play() int {
	if t.again == nil {
		t.again = t.system(func(p string, _ *rand.Rand) rand.Source { return &player{t.random[p]} },
			func(_ int, n etcd.Node) etcd.Node { t.nodes = append(t.nodes, n); return n })
	}
	t.nodes = t.nodes[:0]
	for _, p := range t.again.Processes {
		t.again.New(p, nil)
	}
	before := t.messages
	t.messages = 0
	for _, c := range t.calls {
		c.do(t.nodes[c.node])
	}
	messages := t.messages
	t.messages = before
	return messages
}

// recorder keeps the random numbers of a process, and player returns them.
type recorder struct {
	tape    *tape
	process string
	of      *rand.Rand
}

func (r *recorder) Uint64() uint64 {
	n := r.of.Uint64()
	r.tape.random[r.process] = append(r.tape.random[r.process], n)
	return n
}

type player struct{ numbers []uint64 }

func (p *player) Uint64() uint64 {
	n := p.numbers[0]
	p.numbers = p.numbers[1:]
	return n
}

// recorded is a node whose calls are kept.
type recorded struct {
	etcd.Node
	tape *tape
	i    int
}

func (r *recorded) keep(do func(etcd.Node)) { r.tape.calls = append(r.tape.calls, call{r.i, do}) }

// ignored are results that the execution has had.
func ignored(...any) {}

func (r *recorded) Propose(data []byte) error {
	r.keep(func(n etcd.Node) { ignored(n.Propose(data)) })
	return r.Node.Propose(data)
}

func (r *recorded) ReadIndex(context []byte) {
	r.keep(func(n etcd.Node) { n.ReadIndex(context) })
	r.Node.ReadIndex(context)
}

func (r *recorded) Tick() {
	r.keep(etcd.Node.Tick)
	r.Node.Tick()
}

func (r *recorded) HasReady() bool {
	r.keep(func(n etcd.Node) { n.HasReady() })
	return r.Node.HasReady()
}

func (r *recorded) Ready(do *etcd.Work) error {
	before := len(do.Messages)
	err := r.Node.Ready(do)
	r.tape.messages += len(do.Messages) - before
	var work etcd.Work
	r.keep(func(n etcd.Node) {
		work = etcd.Work{Messages: work.Messages[:0], Committed: work.Committed[:0], Reads: work.Reads[:0]}
		ignored(n.Ready(&work))
		r.tape.messages += len(work.Messages)
	})
	return err
}

func (r *recorded) Store() error {
	r.keep(func(n etcd.Node) { ignored(n.Store()) })
	return r.Node.Store()
}

func (r *recorded) StoreApplied(index uint64) error {
	r.keep(func(n etcd.Node) { ignored(n.StoreApplied(index)) })
	return r.Node.StoreApplied(index)
}

func (r *recorded) Advance() {
	r.keep(etcd.Node.Advance)
	r.Node.Advance()
}

func (r *recorded) Step(payload any) {
	r.keep(func(n etcd.Node) { n.Step(payload) })
	r.Node.Step(payload)
}

func (r *recorded) SnapshotSent(to uint64) {
	r.keep(func(n etcd.Node) { n.SnapshotSent(to) })
	r.Node.SnapshotSent(to)
}

// The other methods are not called in such executions.

func (r *recorded) ProposeConfChange(etcd.Change) error { panic(r.unexpected("ProposeConfChange")) }
func (r *recorded) TransferLeader(uint64)               { panic(r.unexpected("TransferLeader")) }
func (r *recorded) Compact(uint64, []byte) error        { panic(r.unexpected("Compact")) }
func (r *recorded) ApplyConfChange(etcd.Change) (etcd.Config, error) {
	panic(r.unexpected("ApplyConfChange"))
}

func (r *recorded) unexpected(method string) string {
	return fmt.Sprintf("a node of a busy cluster is asked for %s, which the benchmark does not repeat", method)
}
