package search

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// Exhaustive goes through all global states that isolations and crashes within
// the bounds can lead to, fewest faults first. It needs systems whose processes
// are Snapshotters and Fingerprinters. What it finds is a smallest schedule; when
// it finds nothing, there is nothing.
var Exhaustive Strategy = exhaustive{}

type exhaustive struct{}

func (exhaustive) Name() string { return "exhaustive" }

func (exhaustive) Search(ctx context.Context, target Target, o Options) (*result.Answer, error) {
	t, err := target.normal()
	if err != nil {
		return nil, err
	}
	o = o.normal()
	if err := t.onlyIsolationsAndCrashes(); err != nil {
		return nil, fmt.Errorf("exhaustive: %w", err)
	}
	l, err := newLens(t.Properties)
	if err != nil {
		return nil, err
	}
	s, err := newSnapshots(t, newHistories(l))
	if err != nil {
		return nil, err
	}
	x, err := newExecutor(t)
	if err != nil {
		return nil, err
	}
	p := &product{target: t, source: s, histories: s.histories, most: o.States, check: x.violates}
	schedule, found, err := p.search(ctx)
	a := t.answer("exhaustive", o.Seed, 0)
	switch {
	case errors.Is(err, errTooMany):
		stop(a, result.LimitSize, "there are more than %d global states", o.States)
	case ctx.Err() != nil:
		kind, why := ended(ctx)
		stop(a, kind, "%s after %d global states", why, len(p.nodes))
	case err != nil:
		return nil, err
	case found:
		a.Search.Executions, a.Stats.Executions = 1, 1
		if err := settle(ctx, a, t, o, schedule.With(s.settings)); err != nil {
			return nil, err
		}
		a.First().Minimal = true
	default:
		c := &result.Certificate{
			Bounds: t.Bounds, Settings: s.settings, Schedules: t.Bounds.Scenarios(),
			States: len(p.nodes), Transitions: s.transitions(),
		}
		if l.all {
			c.Assumption = assumption
		}
		certify(a, c)
	}
	return a, nil
}

// violates tells whether an execution violates a property.
func (x *executor) violates(e *recording.Execution) (bool, error) {
	v, err := x.check(e)
	return len(v) > 0, err
}

// onlyIsolationsAndCrashes refuses bounds with other faults.
func (t *Target) onlyIsolationsAndCrashes() error {
	for _, kind := range []struct {
		name   string
		budget int
	}{{"omissions", t.Bounds.Omissions}, {"restarts", t.Bounds.Restarts}, {"pauses", t.Bounds.Pauses}} {
		if kind.budget != 0 {
			return fmt.Errorf("the bounds allow %s, and this strategy knows isolations and crashes only: use one that draws schedules", kind.name)
		}
	}
	return nil
}

// snapshots is what processes do from states that were kept.
type snapshots struct {
	processes []string
	local     *system.Local
	settings  rounds.Settings // of all executions
	histories *histories
	parcels   *parcels
	names     []*interner[string]
	states    [][]system.State // by process and number
	sends     map[[3]int32]*sent
	receipts  map[string]*receipt
	scratch   []byte
}

// sent is a sending, and the process in the middle of the round.
type sent struct {
	sending
	middle system.State
}

func newSnapshots(t *Target, h *histories) (*snapshots, error) {
	local, err := t.System.NewLocal(t.Bounds.EOT, t.Settings)
	if err != nil {
		return nil, err
	}
	s := &snapshots{
		processes: t.Bounds.Processes, local: local, settings: local.Settings(), histories: h, parcels: newParcels(),
		states: make([][]system.State, len(t.Bounds.Processes)),
		sends:  map[[3]int32]*sent{}, receipts: map[string]*receipt{},
	}
	for range s.processes {
		s.names = append(s.names, newInterner[string]())
	}
	return s, nil
}

// transitions returns how many different ones were executed.
func (s *snapshots) transitions() int { return len(s.receipts) }

func (s *snapshots) number(process int, state system.State) int32 {
	i, fresh := s.names[process].number(state.Name)
	if fresh {
		s.states[process] = append(s.states[process], state)
	}
	return i
}

func (s *snapshots) start(process int) (int32, error) {
	state, err := s.local.Start(process)
	if err != nil {
		return 0, err
	}
	return s.number(process, state), nil
}

func (s *snapshots) send(process, round int, state int32) (*sending, error) {
	k := [3]int32{int32(process), int32(round), state}
	if known, ok := s.sends[k]; ok {
		return &known.sending, nil
	}
	middle, messages, facts, err := s.local.Send(process, round, s.states[process][state], false, nil)
	if err != nil {
		return nil, err
	}
	known := &sent{sending{s.parcels.sort(s.processes, messages), s.histories.of(facts)}, middle}
	s.sends[k] = known
	return &known.sending, nil
}

func (s *snapshots) receive(process, round int, state int32, from []int32) (*receipt, error) {
	s.scratch = pack(pack(s.scratch[:0], int32(process), int32(round), state), from...)
	if known, ok := s.receipts[string(s.scratch)]; ok {
		return known, nil
	}
	middle := s.sends[[3]int32{int32(process), int32(round), state}].middle
	next, facts, err := s.local.Receive(process, round, middle, s.parcels.inbox(s.processes, process, from))
	if err != nil {
		return nil, err
	}
	known := &receipt{next: s.number(process, next), facts: s.histories.of(facts)}
	s.receipts[string(s.scratch)] = known
	return known, nil
}

// offers returns whether all processes can be kept, and whether they name their
// states.
func (t *Target) offers() (snapshots, fingerprints bool) {
	snapshots, fingerprints = true, true
	defer func() {
		if recover() != nil { // the execution will report it
			snapshots, fingerprints = false, false
		}
	}()
	for i, name := range t.Bounds.Processes {
		process := t.System.New(name, rand.New(rand.NewPCG(0, uint64(i))))
		_, can := process.(system.Snapshotter)
		_, names := process.(system.Fingerprinter)
		snapshots, fingerprints = snapshots && can, fingerprints && names
	}
	return snapshots, fingerprints
}
