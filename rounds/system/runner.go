package system

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// RunOptions are the options of one execution.
type RunOptions struct {
	Rounds     int                // the number of rounds; 0: that of the system
	Record     bool               // record the execution; System.Run always does
	FactsOnly  bool               // record no messages, which are most of a recording, and reuse its memory
	Transition func(t Transition) // called for each process in each round that it takes part in
	Steer      Steering           // decides faults while the execution goes on, which is then recorded; nil: the schedule is all

	// Extents are increasing numbers of rounds. After each of them GoOn tells whether
	// the execution continues. It also ends with the round in which a process ends by
	// itself.
	Extents []int
	GoOn    func(rounds int) bool
}

// Runner executes a system under one schedule after the other and reuses its memory.
// Without recording and without a Transition it does nothing but call the processes. A
// Runner is for one goroutine; make one for each.
type Runner struct {
	Options RunOptions // the options of the next execution

	system    *System
	options   RunOptions
	schedule  rounds.Schedule // with the ticks that were drawn
	env       *schedules.Environment
	index     map[string]int
	names     []specs.Value // of the processes
	byID      map[int]Request
	requests  [][]Request    // by round and process
	catalogue *catalogue     // nil: a schedule chooses no requests
	chosen    []Request      // that the schedule chooses, by ID and so by round
	local     bool           // single processes go on from states that were kept
	asked     map[int]string // the texts of requests, by id, as far as they were needed
	processes []*participant
	ticker    *random
	ticks     int
	round     int
	warming   bool // nobody looks at the execution
	observed  bool // facts are wanted
	recording record
	death     error          // the first process that ended by itself
	hangs     bool           // such a process hangs
	inexact   string         // why another execution may differ
	unreached []rounds.Fault // crashes at points to which a process did not come
	slab      []specs.Value  // for the arguments of facts and messages
	kept      bool           // a recording that stays as it is has some of it
	kinds     map[reflect.Type]string
	traffic   traffic
	sent      []Message               // of a transition
	amended   bool                    // the faults of the schedule are in a slice of its own
	later     map[int][]rounds.Fault  // by round: delays and duplicates
	kinded    []ofKind                // faults of one kind of message
	kindedOf  map[int][]int           // those of a round
	lasting   []int                   // those of several rounds
	counts    map[rounds.Fault]*count // of their links and kinds
	kindedOn  [][]int                 // those of kindedIn, by sender and receiver
	kindedIn  int                     // which round that is
	strikings int                     // how often faults of kinds were looked for that hit a message
	struck    strikes                 // those that hit the message at hand
	hold      []held                  // connections
	refused   error                   // why a fault of messages cannot be executed
	orders    []rounds.Fault
	underway  []underway
	slow      []underway // on links with a latency
	lastFault int        // the last round of a fault, or of what one delays
	starts    []int      // by process; nil: all start in round 1
	script    []int      // the requests of the script that are made
	latency   []int      // by sender and receiver; nil: there is none
	course    execution.CallCourse
	steering  steering
	lies      map[int][]rounds.Fault // by round
	current   *participant           // that is called
	aside     bool                   // it watches itself, as course was told
}

// NewRunner returns a runner for the system. Its Run returns an error if the system is
// wrong.
func (s *System) NewRunner() *Runner { return &Runner{system: s} }

// Run executes the system under the schedule and records everything. The schedule of
// the recording also has the settings that were drawn, so that it gives the same
// execution again.
func (s *System) Run(ctx context.Context, schedule rounds.Schedule, o RunOptions) (*recording.Execution, error) {
	r := s.NewRunner()
	o.Record = true
	r.Options = o
	if err := r.Run(ctx, schedule); err != nil {
		return nil, err
	}
	return r.Execution(), nil
}

// Run executes all rounds under the schedule.
func (r *Runner) Run(ctx context.Context, schedule rounds.Schedule) (err error) {
	r.watched(func() { err = r.run(ctx, schedule) })
	return err
}

func (r *Runner) run(ctx context.Context, schedule rounds.Schedule) (err error) {
	defer func() {
		if wrong := r.close(); err == nil {
			err = wrong
		}
	}()
	if err := r.reset(schedule); err != nil {
		return err
	}
	if r.options.Steer != nil {
		return r.steered(ctx, schedule)
	}
	return r.rest(ctx, schedule)
}

// toEnd executes the rounds that are left.
func (r *Runner) toEnd(ctx context.Context) error {
	for r.round < r.rounds() {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("system %q: stopped before round %d: %w", r.system.Name, r.round+1, err)
		}
		if err := r.step(); err != nil {
			return err
		}
		if r.hangs {
			break
		}
		if r.options.GoOn != nil && !r.goesOn() {
			break
		}
	}
	return r.death
}

// goesOn tells whether there is a next round, as GoOn says. Until it does, nothing is
// executed.
func (r *Runner) goesOn() bool {
	if r.death != nil {
		return false
	}
	if len(r.options.Extents) == 0 || r.round < r.options.Extents[0] {
		return true
	}
	r.options.Extents = r.options.Extents[1:]
	if w := r.system.Calls; w != nil {
		w.End(&r.course, nil)
		defer w.Begin(&r.course)
	}
	return r.options.GoOn(r.round)
}

// reset begins an execution under a schedule, before its first round.
func (r *Runner) reset(schedule rounds.Schedule) error {
	if err := r.prepare(); err != nil {
		return err
	}
	if slices.ContainsFunc(schedule.Faults, isOfKind) {
		schedule = schedule.Normal() // none of them twice
	}
	if err := r.environment(schedule); err != nil {
		return fmt.Errorf("system %q: %w", r.system.Name, err)
	}
	r.round, r.traffic = 0, traffic{}
	r.draw(schedule)
	r.lastFault = 0
	for _, f := range schedule.Faults {
		if f.Kind != rounds.Choose {
			r.lastFault = max(r.lastFault, f.Round+f.By, f.Until)
		}
	}
	r.apart()
	if err := r.selectRequests(); err != nil {
		return err
	}
	r.divert(schedule)
	if r.system.Calls != nil {
		r.course.Start(r.drawn())
	}
	r.observed = r.options.Record || r.options.Transition != nil
	r.unreached, r.inexact, r.death, r.hangs, r.refused = nil, "", nil, false, nil
	r.recording.facts, r.recording.messages = r.recording.facts[:0], r.recording.messages[:0]
	if r.passing() {
		if r.kept { // by whoever has the recording of the execution before
			r.slab = nil
		}
		r.slab = r.slab[:0]
	}
	r.kept = !r.passing()
	seed := schedule.Settings.Seed.Value
	for i, p := range r.processes {
		p.random.reset(seed, processStream+uint64(i))
		if err := r.begin(p); err != nil {
			return err
		}
	}
	return r.checkGoroutines()
}

// environment makes what arrives, and what is asked, that of a schedule.
func (r *Runner) environment(schedule rounds.Schedule) (err error) {
	if schedule, err = r.choose(schedule); err != nil {
		return err
	}
	if err := r.env.Reset(schedule); err != nil {
		return err
	}
	r.takeKinds(schedule)
	return r.takeLies(schedule)
}

// prepare makes what does not depend on the schedule, unless it is there.
func (r *Runner) prepare() (err error) {
	if r.env != nil && r.Options.Rounds == r.options.Rounds {
		r.options = r.Options
		return nil
	}
	s := r.system
	if err := s.Validate(); err != nil {
		return err
	}
	b := s.Bounds(r.Options.Rounds)
	b.Choose = nil // see choose
	env, err := schedules.NewEnvironment(b, rounds.Schedule{})
	if err != nil {
		return fmt.Errorf("system %q: %w", s.Name, err)
	}
	r.env, r.options = env, r.Options
	if err := r.close(); err != nil {
		return err
	}
	r.index, r.names, r.processes = map[string]int{}, nil, nil
	for i, name := range s.Processes {
		r.index[name] = i
		r.names = append(r.names, specs.String(name))
		r.processes = append(r.processes, &participant{name: name, random: newRandom(), step: Step{runner: r, self: i}})
	}
	r.ticker = newRandom()
	r.kinds = map[reflect.Type]string{}
	r.byID, r.asked = map[int]Request{}, map[int]string{}
	n := len(s.Processes)
	r.requests = make([][]Request, (r.rounds()+1)*n)
	if len(s.Choices) > 0 {
		if r.catalogue, err = s.newCatalogue(); err != nil {
			return err
		}
	}
	for _, request := range s.requests() {
		r.byID[request.ID] = request
		if request.Round <= r.rounds() {
			at := request.Round*n + r.index[request.Process]
			r.requests[at] = append(r.requests[at], request)
		}
	}
	return nil
}

// draw settles how many ticks a round has.
func (r *Runner) draw(schedule rounds.Schedule) {
	r.schedule, r.amended = schedule, false
	least, most := r.system.tickRange()
	switch {
	case schedule.Settings.Ticks.Given:
		r.ticks = int(schedule.Settings.Ticks.Value)
	case most == 0:
		r.ticks = 0
	default:
		r.ticker.reset(schedule.Settings.Seed.Value, tickStream)
		r.ticks = least + r.ticker.IntN(most-least+1)
		r.schedule.Settings.Ticks = rounds.Set(uint64(r.ticks))
	}
}

// place returns the place of a process, -1 if there is none of this name. Among few
// it is found faster without the map.
func (r *Runner) place(name string) int {
	if len(r.processes) <= 8 {
		return slices.Index(r.system.Processes, name)
	}
	if i, ok := r.index[name]; ok {
		return i
	}
	return -1
}

// rounds returns how many rounds an execution has.
func (r *Runner) rounds() int { return cmp.Or(r.options.Rounds, r.system.Rounds) }

// drawn returns the schedule of the execution in normal form, with
// everything in it that was drawn.
func (r *Runner) drawn() rounds.Schedule { return r.schedule.Normal() }

// begin makes a process as it is before the first round, in place of the one before.
func (r *Runner) begin(p *participant) error {
	if err := p.close(); err != nil {
		return err
	}
	p.reset()
	for _, f := range r.schedule.Faults {
		if f.Process == p.name && ofProcess(f.Kind) {
			p.faults = append(p.faults, f)
		}
	}
	sortFaults(p.faults)
	err := p.call(callNew, func() { p.process = r.system.New(p.name, p.random.Rand) })
	if err == nil && p.process == nil {
		err = p.wrong(callNew, errors.New("it returns no process"))
	}
	if err != nil {
		return err
	}
	p.closer, _ = p.process.(Closer)
	p.crasher, _ = p.process.(Crasher)
	p.ticker, _ = p.process.(Ticker)
	if err := p.declare(); err != nil {
		return err
	}
	if err := p.mount(); err != nil {
		return err
	}
	for _, f := range p.faults {
		if err := cmp.Or(p.checkCrash(f), p.checkMachine(f)); err != nil {
			return err
		}
	}
	p.fingerprinter, _ = p.process.(Fingerprinter)
	return nil
}

// ofProcess tells whether a fault of this kind happens to one process or its machine, and
// not to messages.
func ofProcess(k rounds.Kind) bool {
	return k == rounds.Crash || k == rounds.Restart || k == rounds.Pause || k >= rounds.Fast && k != rounds.Lie
}

// sortFaults sorts the faults of a process by round.
func sortFaults(faults []rounds.Fault) {
	slices.SortFunc(faults, func(f, g rounds.Fault) int {
		return cmp.Or(cmp.Compare(f.Round, g.Round), cmp.Compare(f.Kind, g.Kind))
	})
}
