package carrier_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/broker"
	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/carrier"
	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/connection"
	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/store"
	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/worker"
	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"
)

const build = "v1"

// place is a server with its directory, which can be stopped and started again.
type place struct {
	t       *testing.T
	dir     string
	limit   int64
	address string
	server  *broker.Server
	left    sync.Map // how workers ended, by name
}

func newPlace(t *testing.T) *place { return newPlaceOf(t, 1<<30) }

func newPlaceOf(t *testing.T, limit int64) *place {
	p := &place{t: t, dir: t.TempDir(), limit: limit, address: "127.0.0.1:0"}
	p.start()
	t.Cleanup(func() { p.stop() })
	return p
}

func (p *place) start() {
	p.t.Helper()
	var err error
	p.server, err = broker.Start(broker.Options{Address: p.address, Dir: p.dir, Limit: p.limit})
	require.NoError(p.t, err)
	p.address = p.server.Address().String()
}

func (p *place) stop() {
	if p.server != nil {
		p.server.Stop()
		p.server = nil
	}
}

func (p *place) options() connection.Options { return connection.Options{URL: "nats://" + p.address} }

func (p *place) connect() *nats.Conn {
	nc, err := connection.Open("test", p.options())
	require.NoError(p.t, err)
	p.t.Cleanup(nc.Close)
	return nc
}

// doer is a slot that calls a function.
type doer func(ctx context.Context, u *work.Unit, file func(string) ([]byte, error)) (*work.Result, error)

func (d doer) Do(ctx context.Context, u *work.Unit, _ time.Duration, file func(string) ([]byte, error)) (*work.Result, error) {
	return d(ctx, u, file)
}

func (doer) Close() error { return nil }

// echo answers with the question.
func echo(_ context.Context, u *work.Unit, _ func(string) ([]byte, error)) (*work.Result, error) {
	return &work.Result{Answer: u.Ask, Final: true}, nil
}

type options = worker.Options

// hire starts a worker, and returns what ends it, and what lets it vanish.
func (p *place) hire(name string, slots int, do doer) (end, vanish func()) {
	return p.hireOne(name, do, func(o *options) {
		for len(o.Slots) < slots {
			o.Slots = append(o.Slots, do)
		}
	})
}

// hireOne starts a worker with one slot that is like no other one.
func (p *place) hireOne(name string, do doer, change func(*options)) (end, vanish func()) {
	nc := p.connect()
	s, err := store.Open(p.t.Context(), nc)
	require.NoError(p.t, err)
	o := options{
		Name: name, Build: build, Version: "1", Platform: "linux/amd64", Slots: []worker.Slot{do},
		Note: func(f string, args ...any) { p.t.Logf(name+": "+f, args...) },
	}
	if change != nil {
		change(&o)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- worker.Run(ctx, nc, s, o) }()
	end = sync.OnceFunc(func() { cancel(); p.left.Store(name, <-ended) })
	p.t.Cleanup(end)
	return end, nc.Close
}

// asker is a coordinator.
type asker struct {
	t       *testing.T
	orders  *io.PipeWriter
	results chan work.Report
	workers atomic.Pointer[work.Workers]
	ended   chan error
	stop    func()
}

func (p *place) ask() *asker {
	in, orders := io.Pipe()
	reports, out := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	a := &asker{t: p.t, orders: orders, results: make(chan work.Report, 10_000), ended: make(chan error, 1), stop: stop}
	go func() {
		a.ended <- carrier.Carry(ctx, p.options(), in, out)
		in.CloseWithError(errors.New("over"))
		out.Close()
	}()
	a.workers.Store(&work.Workers{})
	go a.read(reports)
	p.t.Cleanup(func() { stop(); orders.Close() })
	a.order(work.Order{Build: build})
	return a
}

func (a *asker) read(reports io.Reader) {
	lines := bufio.NewReader(reports)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			close(a.results)
			return
		}
		var r work.Report
		if err := json.Unmarshal(line, &r); err != nil {
			panic(err)
		}
		if r.Crew != nil {
			a.workers.Store(r.Crew)
		} else {
			a.results <- r
		}
	}
}

func (a *asker) order(o work.Order) {
	line, err := work.WriteLine(o)
	require.NoError(a.t, err)
	_, err = a.orders.Write(line)
	require.NoError(a.t, err)
}

// unit orders a unit that asks for a number.
func (a *asker) unit(n int64) *work.Unit {
	u := question(n)
	a.order(work.Order{Unit: u, Number: n})
	return u
}

func question(n int64) *work.Unit {
	return &work.Unit{Kind: work.Search, Build: build, Ask: fmt.Appendf(nil, `{"n":%d}`, n)}
}

// next is the next report of a unit.
func (a *asker) next(within time.Duration) work.Report {
	a.t.Helper()
	select {
	case r, ok := <-a.results:
		require.True(a.t, ok, "there are no more reports")
		return r
	case <-time.After(within):
		require.Fail(a.t, "no report in time", "%+v", *a.workers.Load())
		return work.Report{}
	}
}

// all are the reports of units 1 to n.
func (a *asker) all(n int, within time.Duration) map[int64]work.Report {
	a.t.Helper()
	end, all := time.Now().Add(within), map[int64]work.Report{}
	for len(all) < n {
		r := a.next(time.Until(end))
		require.NotContains(a.t, all, r.Number)
		all[r.Number] = r
	}
	return all
}

// end ends the orders, and waits until the coordinator has ended.
func (a *asker) end() {
	a.t.Helper()
	require.NoError(a.t, a.orders.Close())
	require.NoError(a.t, <-a.ended)
}

func TestMain(m *testing.M) { os.Exit(m.Run()) }

// Every unit is done once, by whoever is there, and what it comes to is that of its question.
func TestAnswers(t *testing.T) {
	p := newPlace(t)
	p.hire("one", 2, echo)
	p.hire("two", 2, echo)
	a := p.ask()
	for n := range int64(500) {
		a.unit(n + 1)
	}
	for n, r := range a.all(500, 20*time.Second) {
		require.Empty(t, r.Refused)
		require.JSONEq(t, fmt.Sprintf(`{"n":%d}`, n), string(r.Result.Answer))
		require.Equal(t, question(n).Address(), r.Result.Address)
		require.Contains(t, []string{"one", "two"}, r.Result.Worker)
	}
	a.end()
}
