// Package workers has workers for tests, which run in the process of the test.
package workers

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"sync"
	"testing"
	"time"

	_ "github.com/lineage-driven/ldfi/internal/testing/generate" // spends less on the collector
	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/lineage-driven/ldfi/internal/work/worker"
	"github.com/stretchr/testify/require"
)

// Build is that of these workers.
const Build = "v1"

// Hands do units as ldfi unit does: all that goes to and fro goes through JSON, and the
// files of a unit are copied into a directory of their own.
type Hands struct {
	T      testing.TB
	Many   int                                  // how many units at a time; 0: one
	Hosts  bool                                 // programs are started
	Change func(*work.Unit, *work.Result) error // changes what is sent back; an error is that of Do; nil: nothing does

	begin   sync.Once
	worker  worker.Worker // does one unit after the other, as ldfi unit does
	mutex   sync.Mutex
	Units   []*work.Unit // that were done
	Doubted []string     // why results were
	Kept    []string     // why the caller did something by itself
}

// Slots is how many units are done at a time.
func (h *Hands) Slots() int { return max(h.Many, 1) }

// Build names the ldfi of the workers.
func (h *Hands) Build() string { return Build }

// Doubt notes why a result is not believed.
func (h *Hands) Doubt(_ *work.Unit, _ *work.Result, _ func(string) ([]byte, error), why error) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.Doubted = append(h.Doubted, why.Error())
}

// Here notes why the caller does something.
func (h *Hands) Here(why string) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.Kept = append(h.Kept, why)
}

// Do does a unit.
func (h *Hands) Do(ctx context.Context, u *work.Unit, limit time.Duration, file func(string) ([]byte, error)) (*work.Result, error) {
	require.NoError(h.T, u.Check())
	h.mutex.Lock()
	h.Units = append(h.Units, u)
	h.mutex.Unlock()
	dir, err := os.MkdirTemp("", "ldfi-workers-*")
	require.NoError(h.T, err)
	defer os.RemoveAll(dir)
	require.NoError(h.T, worker.Unpack(dir, u, func(digest string) ([]byte, error) {
		content, err := file(digest)
		require.Equal(h.T, digest, work.Digest(content))
		return content, err
	}))
	start := time.Now()
	h.begin.Do(func() { h.worker.Build = Build })
	d := done(ctx, h.T, &h.worker, &work.Task{Unit: u, Dir: dir, Hosts: h.Hosts, Limit: limit})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	r := &work.Result{Address: u.Address(), Answer: d.Answer, Final: d.Final, Failure: d.Error, Worker: "worker", Build: Build, Elapsed: time.Since(start)}
	if h.Change != nil {
		err = h.Change(u, r)
	}
	return r, err
}

// Done is what becomes of a task that a worker gets first.
func Done(ctx context.Context, t testing.TB, task *work.Task) work.Done {
	return done(ctx, t, &worker.Worker{Build: Build}, task)
}

func done(ctx context.Context, t testing.TB, w *worker.Worker, task *work.Task) (d work.Done) {
	line, err := work.WriteLine(task)
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, w.Serve(ctx, bytes.NewReader(line), &out))
	require.NoError(t, json.Unmarshal(out.Bytes(), &d))
	return d
}
