package vet

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/provenance"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/dedalus"
)

// Unclosed is what a search found out.
type Unclosed struct {
	Tried   int `json:"tried"`   // delayed executions
	Lost    int `json:"lost"`    // of which one looks the same in which what is late is lost
	Altered int `json:"altered"` // or one with other losses
	Agree   int `json:"agree"`   // where the promise comes to the same in both

	// A delayed execution that no execution in lock-step rounds looks like, if there is
	// one; and what each process keeps in it, from state to state.
	Schedule  *rounds.Schedule  `json:"schedule,omitempty"`
	Histories map[string]string `json:"histories,omitempty"` // what each process keeps in it, from state to state
	Broken    string            `json:"broken,omitempty"`    // what the program promises and this execution breaks, a fact; "": nothing, or that is not judged
	Differs   string            `json:"differs,omitempty"`   // a process whose history no execution in lock-step rounds has; "": each has one, but not all together
}

// WriteText writes the result, with the histories of the processes.
func (u *Unclosed) WriteText(w io.Writer, processes []string) error {
	var b bytes.Buffer
	field := func(name string, lines ...string) { text.Field(&b, "", 9, name, lines...) }
	if u.Schedule != nil {
		field("faults", u.Schedule.String())
		field("but", u.but())
		for _, name := range slices.Sorted(slices.Values(processes)) {
			field(name, u.Histories[name])
		}
		field("breaks", u.Broken)
	}
	field("executed", fmt.Sprintf("%s with late messages: %d look like that in lock-step rounds in which these are lost, %d like another",
		text.Plural(u.Tried, "schedule"), u.Lost, u.Altered))
	_, err := w.Write(b.Bytes())
	return err
}

// but says which part no execution in lock-step rounds has.
func (u *Unclosed) but() string {
	if u.Differs == "" {
		return "no execution in lock-step rounds takes all processes through these states"
	}
	return fmt.Sprintf("no execution in lock-step rounds takes %s through these states", u.Differs)
}

// finder looks for delayed executions.
type finder struct {
	program   *dedalus.Program
	bounds    rounds.Bounds
	relations []string
	promise   []string
	executor  *executor
	limits    provenance.Options
	witnessed bool
	graph     *provenance.Graph // of all losses; nil: not yet needed
}

// ClosureLimits are the limits of an evaluation.
type ClosureLimits struct {
	MaxFacts, MaxGates int
	Witnessed          bool // pre and post are not judged, since they require only facts of the run without faults
}

// maxDelay is the most rounds by which messages are late.
const maxDelay = 3

// FindUnclosed executes delayed schedules: with each message late alone, and then draws
// schedules with several late messages, drawn at random, and with crashes if the bounds
// allow some. It ends with the first execution that looks like no execution in lock-step
// rounds.
func FindUnclosed(ctx context.Context, p *dedalus.Program, b rounds.Bounds, l ClosureLimits, draws int) (*Unclosed, error) {
	f, err := newFinder(ctx, p, b, l)
	if err != nil {
		return nil, err
	}
	found := &Unclosed{}
	try := func(s rounds.Schedule) (bool, error) {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		return f.try(ctx, s, found)
	}
	all := f.delays()
	for _, d := range all {
		if done, err := try(rounds.Schedule{Faults: []rounds.Fault{d}}); done || err != nil {
			return found, err
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range draws {
		if len(all) < 2 {
			break
		}
		if done, err := try(f.draw(r, all)); done || err != nil {
			return found, err
		}
	}
	return found, nil
}

func newFinder(ctx context.Context, p *dedalus.Program, b rounds.Bounds, l ClosureLimits) (*finder, error) {
	s, err := StateOf(ctx, p, b)
	if err != nil {
		return nil, err
	}
	f := &finder{program: s.Program, bounds: b, relations: s.Relations, promise: s.Promise, witnessed: l.Witnessed}
	f.limits = provenance.Options{Only: append(s.Relations[:len(s.Relations):len(s.Relations)], s.Promise...), MaxFacts: l.MaxFacts, MaxGates: l.MaxGates}
	f.executor, err = newExecutor(f.program, b, l.MaxFacts)
	return f, err
}

// try executes a delayed schedule, and looks for one in lock-step rounds.
func (f *finder) try(ctx context.Context, s rounds.Schedule, found *Unclosed) (bool, error) {
	run, err := f.executor.run(ctx, s)
	if err != nil {
		return false, err
	}
	want := f.histories(run)
	found.Tried++
	same, ok, err := f.match(ctx, s, want)
	if err != nil {
		return false, err
	}
	if ok {
		agree, err := f.agree(ctx, s, same)
		if err != nil {
			return false, err
		}
		if agree {
			found.Agree++
		}
		if same.Normal().String() == guesses(s)[0].Normal().String() {
			found.Lost++
		} else {
			found.Altered++
		}
		return false, nil
	}
	if s, want, err = f.smaller(ctx, s, want); err != nil {
		return false, err
	}
	found.Schedule, found.Histories = &s, map[string]string{}
	for i, name := range f.bounds.Processes {
		found.Histories[name] = want[i].String()
	}
	if found.Broken, err = f.broken(ctx, s); err != nil {
		return true, err
	}
	found.Differs, err = f.differs(ctx, s, want)
	return true, err
}

// smaller leaves out faults as long as no execution in lock-step rounds looks like the
// rest.
func (f *finder) smaller(ctx context.Context, s rounds.Schedule, want []history) (rounds.Schedule, []history, error) {
	s = s.Normal()
	for i := 0; i < len(s.Faults); {
		less := schedules.Without(s, i)
		run, err := f.executor.run(ctx, less)
		if err != nil {
			return s, want, err
		}
		left := f.histories(run)
		_, ok, err := f.match(ctx, less, left)
		switch {
		case err != nil:
			return s, want, err
		case ok:
			i++
		default:
			s, want, i = less, left, 0
		}
	}
	return s, want, nil
}

// delays returns the delays of single messages that there may be, in the order of their
// rounds.
func (f *finder) delays() []rounds.Fault {
	var all []rounds.Fault
	for round := f.bounds.FirstFault(); round <= f.bounds.LastLoss(); round++ {
		for _, from := range f.bounds.Processes {
			for _, to := range f.bounds.Processes {
				for by := 1; by <= maxDelay && from != to && round+by < f.bounds.EOT; by++ {
					all = append(all, rounds.Fault{Kind: rounds.Delay, Process: from, To: to, Round: round, By: by})
				}
			}
		}
	}
	return all
}

// draw returns some delays, omissions and crashes.
func (f *finder) draw(r *rand.Rand, all []rounds.Fault) rounds.Schedule {
	var s rounds.Schedule
	taken := map[rounds.Fault]bool{}
	for range 2 + r.IntN(4) {
		d := all[r.IntN(len(all))]
		link := rounds.Fault{Process: d.Process, To: d.To, Round: d.Round}
		if taken[link] {
			continue
		}
		taken[link] = true
		if r.IntN(4) == 0 {
			d.Kind, d.By = rounds.Omit, 0
		}
		s.Faults = append(s.Faults, d)
	}
	if first := f.bounds.FirstFault(); f.bounds.Crashes != 0 && r.IntN(3) == 0 {
		if names := slices.DeleteFunc(slices.Clone(f.bounds.Processes), func(p string) bool { return !schedules.CanCrash(f.bounds, p) }); len(names) > 0 {
			s.Faults = append(s.Faults, rounds.Fault{Kind: rounds.Crash, Process: names[r.IntN(len(names))], Round: first + r.IntN(f.bounds.EOT-first+1)})
		}
	}
	return s
}
