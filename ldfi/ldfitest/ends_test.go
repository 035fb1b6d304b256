package ldfitest_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/ldfi/ldfitest"
	"github.com/lineage-driven/ldfi/ldfi/search"
	"github.com/lineage-driven/ldfi/ldfi/wire"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/stretchr/testify/require"
)

// engine is a process with a goroutine, which it ends when it crashes or is closed.
type engine struct {
	running *atomic.Int64
	stop    chan struct{}
	value   int
	breaks  bool
}

// engines returns a system of engines, of which one panics when it has heard of a
// crash, if it breaks.
func engines(running *atomic.Int64, breaks bool) *system.System {
	return &system.System{
		Name: "engines", Processes: []string{"a", "b", "c"}, Rounds: 4, Fixed: true, Durable: []string{"value"},
		New: func(string, *rand.Rand) system.Process {
			p := &engine{running: running, breaks: breaks}
			p.start()
			return p
		},
		Properties: []property.Property{property.UniquePerTerm("leader")},
	}
}

func (p *engine) start() {
	if p.stop != nil {
		return // a search that goes on from kept states lets it restart again
	}
	p.running.Add(1)
	stop := make(chan struct{})
	p.stop = stop
	go func() {
		<-stop
		p.running.Add(-1)
	}()
}

func (p *engine) end() {
	if p.stop != nil {
		close(p.stop)
		p.stop = nil
	}
}

func (p *engine) Crash()                 { p.end() }
func (p *engine) Close()                 { p.end() }
func (p *engine) Restart(s *system.Step) { p.start(); s.Fact("value", p.value) }
func (p *engine) Send(s *system.Step)    { s.Broadcast(p.value) }
func (p *engine) Receive(s *system.Step, inbox []system.Message) {
	if p.breaks && len(inbox) == 0 {
		panic("alone")
	}
	for _, m := range inbox {
		p.value = max(p.value, (m.Payload.(int)+1)%3)
	}
	s.Fact("value", p.value)
	if s.Process() == "a" {
		s.Fact("leader", s.Round())
	}
}
func (p *engine) Fingerprint() string  { return fmt.Sprint(p.value) }
func (p *engine) Snapshot() any        { return p.value }
func (p *engine) Restore(snapshot any) { p.value = snapshot.(int) }

// No goroutine of a process is left, whatever searches and however that ends.
func TestNoProcessIsLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	var running atomic.Int64
	bounds := rounds.Bounds{Isolations: 2, Crashes: 1, Period: 2}
	for _, breaks := range []bool{false, true} {
		for _, strategy := range []string{"exhaustive", "learn", "lineage", "spread", "uniform", "sample", "drop"} {
			b := bounds
			if strategy == "drop" {
				b = rounds.Bounds{Omissions: rounds.Unlimited}
			}
			o := search.Options{Bounds: b, Strategy: strategy, Executions: 200}
			_, err := search.Run(t.Context(), engines(&running, breaks), o)
			require.NoError(t, err, strategy)

			ctx, cancel := context.WithCancel(t.Context())
			o.Executions, o.Progress = 0, nil
			cancelling := engines(&running, breaks)
			made := atomic.Int64{}
			make := cancelling.New
			cancelling.New = func(name string, r *rand.Rand) system.Process {
				if made.Add(1) == 20 {
					cancel()
				}
				return make(name, r)
			}
			_, err = search.Run(ctx, cancelling, o)
			require.NoError(t, err, strategy)
			cancel()
		}
	}
	ldfitest.Run(t, engines(&running, false), ldfitest.Bounds(rounds.Bounds{Crashes: 1, Restarts: 1, Pauses: 1, Period: 1}), ldfitest.Executions(200))

	var out bytes.Buffer
	require.NoError(t, wire.ServeOn(strings.NewReader(`{"id":1,"do":"hello","version":1}
{"id":2,"do":"run","system":"engines","schedule":"crash a@2; restart a@3"}
{"id":3,"do":"search","system":"engines","bounds":{"crashes":1},"executions":100}
{"id":4,"do":"vet","system":"engines","runs":20}
`), &out, engines(&running, true)))
	require.Contains(t, out.String(), `"id":4`)

	for range 5000 {
		if running.Load() == 0 && runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	require.Zero(t, running.Load(), "goroutines of processes are left")
	require.LessOrEqual(t, runtime.NumGoroutine(), before)
}
