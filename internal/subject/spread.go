package subject

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/work"
)

// spread hands out the executions of a search.
type spread struct {
	Hands   work.Hands
	Unit    func(search.Part) (*work.Unit, error)                       // whose answer is [Draws]
	File    func(digest string) ([]byte, error)                         // of the units
	Here    func(context.Context, search.Part) (*search.Stretch, error) // makes some executions in this process
	Believe func(k *search.Stretch, p search.Part) error                // checks the result of a part, as far as that is possible without executing it
	Tell    func(executions int)                                        // called with the number of known executions; nil: nothing is called

	clock func() time.Time // nil: the time
	here  sync.Mutex       // for the executions that are made in this process
}

// restHere says that the rest of the search is for the caller.
type restHere struct{ why string }

func (e *restHere) Error() string { return e.why }

// Known returns the results of the first executions of the search, for [search.Options]:
// all results before the execution that ends the search, or nil if the caller has to find
// this execution. When the context ends, Known returns the results so far.
//
// The error says that some executions were set aside ([setAsideError]: the results before
// them are known), or that no worker can do units any more.
func (s *spread) Known(ctx context.Context) (*search.Stretch, error) {
	known, err := s.begin(ctx)
	switch {
	case err == nil && s.over(known) && known.Inexact == "":
		s.Hands.Here("it was answered sooner than handed out")
	case err == nil && known.Inexact == "":
		r := &round{spread: s, known: known, next: known.End, until: known.All, sizes: newUnitSizes(known.End), out: map[int]context.CancelFunc{}, came: map[int]*outcome{}}
		known, err = r.collect(ctx)
	}
	if known != nil && known.Inexact != "" { // other executions may have other results
		s.Hands.Here("executions of one schedule may differ, because " + known.Inexact)
		return nil, nil
	}
	if here := (*restHere)(nil); errors.As(err, &here) {
		s.Hands.Here(here.why)
		return known, nil
	}
	return known, err
}

var errInexact = errors.New("another execution may differ")

// over tells whether nothing is left to be handed out.
func (s *spread) over(k *search.Stretch) bool {
	return k.Ended || k.End == k.All || k.Inexact != ""
}

// mostHere is the number of executions made in this process before any are handed out.
const mostHere = 1024

// begin makes the first executions in this process: to see how long they take, and
// because many searches end there.
func (s *spread) begin(ctx context.Context) (*search.Stretch, error) {
	var known *search.Stretch
	start := s.now()
	for end := 1; ; end *= 4 {
		first := 0
		if known != nil {
			first = known.End
		}
		k, err := s.Here(ctx, search.Part{First: first, End: end})
		if err == nil && known != nil {
			k, err = known.Join(k)
		}
		if err != nil {
			return known, endedBy(ctx, &restHere{err.Error()})
		}
		known = k
		if s.over(known) || known.End >= mostHere || s.now().Sub(start) >= enough/2 {
			return known, nil
		}
	}
}

// endedBy is the error of something that was ended by its context, or otherwise by an error.
func endedBy(ctx context.Context, err error) error {
	return cmp.Or(ctx.Err(), err)
}

func (s *spread) now() time.Time {
	if s.clock != nil {
		return s.clock()
	}
	return time.Now()
}

// outcome is the result of doing a part.
type outcome struct {
	part    search.Part
	stretch *search.Stretch
	took    time.Duration
	err     error
}

// do hands out some executions, and believes the parts of the answer that can be checked or
// executed again: that an execution ends the search.
func (s *spread) do(ctx context.Context, p search.Part) *outcome {
	u, err := s.Unit(p)
	if err != nil {
		return &outcome{part: p, err: err}
	}
	var a *Draws
	err = hand(ctx, s.Hands, u, 0, s.File, func(answer json.RawMessage) (lie, err error) {
		a, lie, err = s.believed(ctx, answer, p)
		return lie, err
	})
	aside := (*setAsideError)(nil)
	switch {
	case ctx.Err() != nil:
		return &outcome{part: p, err: ctx.Err()}
	case errors.Is(err, errHere):
		return s.make(ctx, p)
	case errors.As(err, &aside):
		return &outcome{part: p, err: fmt.Errorf("executions %d to %d were %w", p.First, p.End-1, aside)}
	case err != nil:
		return &outcome{part: p, err: err}
	}
	return &outcome{part: p, stretch: a.Stretch, took: a.Took}
}

// believed reads the answer to a part. The error lie says that the answer is not true.
func (s *spread) believed(ctx context.Context, answer json.RawMessage, p search.Part) (a *Draws, lie, err error) {
	if a, lie = readDraws(answer); lie != nil {
		return nil, lie, nil
	}
	if lie = s.Believe(a.Stretch, p); lie != nil || !a.Stretch.Ended {
		return a, lie, nil
	}
	end := a.Stretch.End
	again := s.make(ctx, search.Part{First: end, End: end + 1})
	if again.err == nil && !again.stretch.Ended {
		lie = fmt.Errorf("execution %d violates nothing, though it says so", end)
	}
	return a, lie, again.err
}

// make makes some executions in this process, one part after the other: each uses all
// cores.
func (s *spread) make(ctx context.Context, p search.Part) *outcome {
	s.here.Lock()
	defer s.here.Unlock()
	start := s.now()
	k, err := s.Here(ctx, p)
	if err != nil {
		err = endedBy(ctx, &restHere{err.Error()})
	}
	return &outcome{p, k, s.now().Sub(start), err}
}

// round is the state of handing out one search.
type round struct {
	*spread
	sizes *unitSizes
	known *search.Stretch // the first executions
	next  int             // the first execution that was not handed out
	until int             // the first execution that does not matter
	stuck error           // why the executions from until on are not known; nil: one ends the search, or there are no more

	back chan *outcome
	out  map[int]context.CancelFunc // parts that were handed out, by their first execution
	came map[int]*outcome           // parts that came back, and are not known yet
}

// collect hands out units until all results up to the execution that ends the search are
// known.
func (r *round) collect(ctx context.Context) (*search.Stretch, error) {
	ctx, cancel := context.WithCancel(ctx)
	r.back = make(chan *outcome)
	defer func() {
		cancel()
		for range r.out {
			<-r.back
		}
	}()
	more := time.NewTicker(time.Second) // workers may come
	defer more.Stop()
	for r.known.End < r.until {
		r.handOut(ctx)
		select {
		case o := <-r.back:
			delete(r.out, o.part.First)
			if err := r.take(ctx, o); err != nil {
				return r.known, err
			}
		case <-more.C:
		}
	}
	return r.known, r.stuck
}

// handOut hands out as many units as keep everybody busy.
func (r *round) handOut(ctx context.Context) {
	for len(r.out) < 2*r.Hands.Slots() && r.next < r.until {
		p, ok := r.sizes.part(r.next)
		if !ok {
			return
		}
		p.End = min(p.End, r.known.All)
		ctx, cancel := context.WithCancel(ctx)
		r.out[p.First] = cancel
		r.next = p.End
		go func() {
			defer cancel()
			r.back <- r.do(ctx, p)
		}()
	}
}

// take records the outcome of a part. An error ends everything.
func (r *round) take(ctx context.Context, o *outcome) error {
	aside := (*setAsideError)(nil)
	switch {
	case o.part.First >= r.until: // it does not matter any more
		return nil
	case errors.As(o.err, &aside):
		r.end(o.part.First, o.err)
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case o.err != nil:
		return o.err
	}
	r.sizes.note(o.part, o.took)
	r.came[o.part.First] = o
	if o.stretch.Ended {
		r.end(o.stretch.End, nil)
	}
	return r.join()
}

// end records that the executions from until on do not matter, and why.
func (r *round) end(until int, why error) {
	if until >= r.until {
		return
	}
	r.until, r.stuck = until, why
	for first, cancel := range r.out {
		if first >= until {
			cancel()
		}
	}
}

// join adds the results that came back to the known ones.
func (r *round) join() error {
	for o := r.came[r.known.End]; o != nil; o = r.came[r.known.End] {
		delete(r.came, r.known.End)
		k, err := r.known.Join(o.stretch)
		if err != nil {
			return &restHere{err.Error()}
		}
		if r.known = k; r.known.Inexact != "" {
			return errInexact
		}
		if r.Tell != nil {
			r.Tell(r.known.End)
		}
	}
	return nil
}
