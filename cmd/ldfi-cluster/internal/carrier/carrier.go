// Package carrier is the coordinator's end of the line: it takes orders from ldfi, hands out
// units, and reports what became of them.
package carrier

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/connection"
	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/members"
	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/store"
	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
)

// mostTries is how often a unit is tried that comes to nothing.
const mostTries = 3

// farewell is how long it may take to take back what nobody has finished. Whoever has
// started this program does not wait much longer.
const farewell = 400 * time.Millisecond

// Carrier hands out the units of one coordinator.
type Carrier struct {
	nc      *nats.Conn
	store   *store.Store
	workers *members.Members
	reports *reports
	job     string
	build   string // of who asks, as it says; its token is that of places

	slots atomic.Int64 // of workers with the same ldfi

	mutex   sync.Mutex
	held    map[string]*held // units that no report has been written of, by address
	numbers map[int64]*held
	queue   []*held           // those of held that wait until there are fewer out
	out     int               // how many of held are not in the queue
	finals  map[string]bool   // addresses of which the store had a final result at the beginning
	files   map[string]bool   // which were put into the store, by digest
	refused map[string]string // why a file cannot be handed out, by digest
	liars   map[string]bool   // workers that are not believed, by name
	accused map[string]bool   // workers that somebody else has accused, by name
	undone  error             // what could not be done, and hinders nobody
	stale   map[uint64]bool   // units that somebody did when nobody needed them
}

// Carry takes orders until there are no more, or the context ends. Then nobody goes on with
// what is not finished.
func Carry(ctx context.Context, o connection.Options, orders io.Reader, out io.Writer) error {
	c := &Carrier{
		job: nuid.Next(), reports: newReports(out),
		held: map[string]*held{}, numbers: map[int64]*held{}, files: map[string]bool{}, refused: map[string]string{}, stale: map[uint64]bool{}, liars: map[string]bool{}, accused: map[string]bool{},
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	lines := bufio.NewReaderSize(orders, 1<<16)
	err := c.open(ctx, o, lines)
	if err == nil {
		err = c.work(ctx, lines)
		c.end()
		err = errors.Join(err, c.undone)
	}
	if err != nil {
		c.reports.write(work.Report{Error: err.Error()})
	}
	return errors.Join(err, c.reports.close())
}

// open reads who asks, and connects.
func (c *Carrier) open(ctx context.Context, o connection.Options, lines *bufio.Reader) error {
	first, err := nextOrder(lines)
	if err != nil {
		return fmt.Errorf("reading the first order: %w", err)
	}
	if first.Build == "" {
		return errors.New("the first order does not say which ldfi asks: update ldfi and ldfi-cluster to the same version")
	}
	c.build = first.Build
	if c.nc, err = connection.Open("ldfi", o, nats.ReconnectHandler(func(*nats.Conn) { go c.back(ctx) })); err != nil {
		return err
	}
	c.store, err = store.Open(ctx, c.nc,
		jetstream.WithPublishAsyncMaxPending(1<<14), jetstream.WithPublishAsyncTimeout(5*time.Second),
		jetstream.WithPublishAsyncAckHandler(func(_ jetstream.JetStream, m *nats.Msg, ack *jetstream.PubAck) { c.stored(m, ack.Sequence) }),
		jetstream.WithPublishAsyncErrHandler(func(_ jetstream.JetStream, m *nats.Msg, err error) { c.notStored(m, err) }))
	if err == nil {
		err = c.listen(ctx)
	}
	if err != nil {
		c.nc.Close()
	}
	return err
}

// listen begins to listen to workers.
func (c *Carrier) listen(ctx context.Context) error {
	if err := c.store.Beat(ctx, c.job); err != nil {
		return fmt.Errorf("telling workers that there is work: %w", err)
	}
	known := make(chan struct{})
	err := c.store.Liars(ctx, c.hearAccused, sync.OnceFunc(func() { close(known) }))
	if err != nil {
		return fmt.Errorf("asking whom not to believe: %w", err)
	}
	select {
	case <-known:
	case <-time.After(5 * time.Second):
	case <-ctx.Done():
	}
	if c.finals, err = c.store.Finals(ctx, store.Token(c.build)); err != nil {
		return fmt.Errorf("looking what is known already: %w", err)
	}
	if err = c.store.Results(ctx, c.job, c.result); err != nil {
		return fmt.Errorf("waiting for results: %w", err)
	}
	if err = c.store.Failures(ctx, c.job, c.failure); err != nil {
		return fmt.Errorf("waiting for failures: %w", err)
	}
	if err := errors.Join(members.HearBegun(c.nc, c.job, c.begun), members.Take(c.nc, c.job, c.given)); err != nil {
		return err
	}
	if c.workers, err = members.Listen(c.nc, c.noteWork); err != nil {
		return err
	}
	return c.nc.Flush()
}

// work does what orders say, and reports each second how all stand.
func (c *Carrier) work(ctx context.Context, lines *bufio.Reader) error {
	orders, obeyed := newInbox(), make(chan struct{})
	go orders.read(lines)
	go func() { defer close(obeyed); c.obey(ctx, orders) }()
	first := time.After(250 * time.Millisecond) // when those who are there have said so
	second, beat, again, fresh := time.NewTicker(time.Second), time.NewTicker(store.BeatJob), time.NewTicker(15*time.Second), time.NewTicker(store.Refresh)
	for _, t := range []*time.Ticker{second, beat, again, fresh} {
		defer t.Stop()
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-orders.ended:
			select {
			case <-obeyed:
			case <-time.After(farewell / 2):
			}
			return orders.err
		case <-first:
			c.reports.begin(c.summary())
			first = nil
			c.pump()
		case <-second.C:
			if first == nil {
				c.vanished()
				c.silent()
				c.reports.write(c.summary())
				c.pump()
			}
		case <-beat.C:
			go c.beat(ctx)
		case <-again.C:
			c.handAgain()
		case <-fresh.C:
			go c.refresh(ctx)
		}
	}
}

// obey does what orders say until there are no more.
func (c *Carrier) obey(ctx context.Context, orders *inbox) {
	for all := orders.take(); all != nil && ctx.Err() == nil; all = orders.take() {
		for _, o := range all {
			switch {
			case ctx.Err() != nil:
				return
			case o.File != nil:
				c.file(ctx, o.File)
			case o.Unit != nil:
				c.unit(ctx, o)
			case o.Cancel != 0:
				c.cancel(o.Cancel)
			case o.Distrust != "":
				c.accuse(ctx, o.Distrust)
			}
		}
	}
}

// beat says that we are there.
func (c *Carrier) beat(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, store.BeatJob)
	defer cancel()
	_ = c.store.Beat(ctx, c.job) // else the next time
}

// back is called when the connection is there again.
func (c *Carrier) back(ctx context.Context) {
	c.workers.Back()
	c.beat(ctx)
	c.handAgain()
}

// end takes back what nobody has finished: workers end what they do for this job.
func (c *Carrier) end() {
	ctx, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	_ = c.store.End(ctx, c.job)
	c.mutex.Lock()
	left := len(c.held)
	c.mutex.Unlock()
	if left > 0 {
		_ = c.store.Clear(ctx, c.job)
	}
	c.nc.Close()
}
