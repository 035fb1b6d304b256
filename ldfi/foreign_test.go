package ldfi_test

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/internal/cases"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/ldfi"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/stretchr/testify/require"
)

// elsewhere decides cases as another machine does: what goes to and fro is JSON. It is slow
// now and then, does things twice, says of some cases that they are too much, of some that
// they are to be decided by who asks, and it lies where that can be seen.
type elsewhere struct {
	model  *ldfi.Model
	honest bool
	block  func(cases.Case) bool // nobody does these; nil: none
	fail   error                 // what becomes of all others

	mutex  sync.Mutex
	random *rand.Rand
	work   cases.Work
	asked  map[string]cases.Outcome
	lies   int
	given  int // cases that were taken back
}

func newElsewhere(m *ldfi.Model, seed uint64) *elsewhere {
	return &elsewhere{model: m, random: rand.New(rand.NewPCG(seed, 15)), asked: map[string]cases.Outcome{}}
}

func (e *elsewhere) Slots() int { return 4 }

func (e *elsewhere) draw(n int) int {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	return e.random.IntN(n)
}

func (e *elsewhere) Decide(ctx context.Context, c cases.Case, check func(cases.Outcome) error) (cases.Outcome, error) {
	if e.block != nil && e.block(c) {
		<-ctx.Done()
		e.mutex.Lock()
		defer e.mutex.Unlock()
		e.given++
		return cases.Outcome{}, ctx.Err()
	}
	if e.fail != nil {
		return cases.Outcome{}, e.fail
	}
	o, err := e.decide(ctx, c)
	if err != nil {
		return o, cases.ErrHere
	}
	if e.honest {
		return o, check(o)
	}
	switch e.draw(12) {
	case 0:
		time.Sleep(time.Duration(e.draw(300)) * time.Microsecond)
	case 1, 2:
		return cases.Outcome{TooMuch: true}, nil
	case 3:
		return o, cases.ErrHere
	case 4, 5:
		if err := check(e.lie(c, o)); err == nil {
			return o, errors.New("a lie was believed")
		}
		return o, cases.ErrHere
	}
	return o, check(o)
}

// decide decides a case, of which it makes JSON, the same as before if it was asked before.
func (e *elsewhere) decide(ctx context.Context, c cases.Case) (o cases.Outcome, err error) {
	ask, err := json.Marshal(c)
	if err != nil {
		return o, err
	}
	e.mutex.Lock()
	if e.work == nil {
		e.work, err = e.model.Casework(ctx)
	}
	work := e.work
	known, again := e.asked[string(ask)]
	e.mutex.Unlock()
	if err != nil {
		return o, err
	}
	var heard cases.Case
	if err := json.Unmarshal(ask, &heard); err != nil {
		return o, err
	}
	if again && e.draw(2) == 0 {
		return known, nil
	}
	if o, err = work.Decide(ctx, heard); err != nil {
		return o, err
	}
	text, err := json.Marshal(o)
	if err != nil {
		return o, err
	}
	o = cases.Outcome{}
	if err := json.Unmarshal(text, &o); err != nil {
		return o, err
	}
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.asked[string(ask)] = o
	return o, nil
}

// lie returns what cannot be true of a case.
func (e *elsewhere) lie(c cases.Case, o cases.Outcome) cases.Outcome {
	e.mutex.Lock()
	e.lies++
	e.mutex.Unlock()
	lies := []cases.Outcome{
		{},
		{Sets: [][]int{{-1}}, Complete: true},
		{Sets: [][]int{{1 << 40}}},
		{Sets: [][]int{{1, 1}}},
		{Sets: slices.Repeat([][]int{{}}, c.Max+1)},
		{TooMuch: true, Complete: true},
		{TooMuch: true, Sets: [][]int{{}}},
	}
	if len(c.On) > 0 {
		lies = append(lies, cases.Outcome{Sets: [][]int{{}}})
	}
	if len(c.Off) > 0 {
		lies = append(lies, cases.Outcome{Sets: [][]int{slices.Sorted(slices.Values(append(slices.Clone(c.On), c.Off[0])))}})
	}
	if n := len(o.Sets); n > 0 {
		lies = append(lies, cases.Outcome{Sets: append(slices.Clone(o.Sets), o.Sets[n-1])})
	} else if o.Complete {
		lies = append(lies, cases.Outcome{Sets: [][]int{c.On}})
	}
	return lies[e.draw(len(lies))]
}

// The answer is the same byte by byte where cases are decided elsewhere, whoever decides
// them and however badly.
func TestCasesElsewhere(t *testing.T) {
	var lies atomic.Int64
	campaign.Run(t, 120, func(ctx context.Context, c oracle.Case) (string, error) {
		o := ldfi.Options{Goals: c.Goals, Max: []int{1, 1, 3, 1000}[c.Seed%4], Workers: 2}
		there := o.Only("cases")
		e := newElsewhere(model(t, c.Program, c.Bounds, o), c.Seed)
		there.Cases = e
		defer func() { lies.Add(int64(e.lies)) }()
		return sameAnswers(ctx, []asking{{"here", o, false}, {"cases elsewhere", there, true}}, 0, func(ctx context.Context, o ldfi.Options) (*result.Answer, error) {
			return model(t, c.Program, c.Bounds, o).Check(ctx)
		})
	})
	require.Positive(t, lies.Load())
}

// And so it is for the protocols of testdata.
func TestProtocolsByCasesElsewhere(t *testing.T) {
	for n, e := range oracle.QuickExpected(t, filepath.Join("..", "testdata", "protocols", "expected.txt")) {
		t.Run(e.Line, func(t *testing.T) {
			p, b, goals, err := e.Load()
			require.NoError(t, err)
			o := ldfi.Options{Goals: goals, Workers: 2}
			cases, mixed := o.Only("cases"), o
			other := newElsewhere(model(t, p, b, o), uint64(n))
			other.honest = n%2 == 0
			cases.Cases, mixed.Cases = other, other
			asked := []asking{{"here", o, false}, {"by cases elsewhere", cases, true}}
			if n%4 == 0 {
				asked = append(asked, asking{"by all ways, cases elsewhere", mixed, false})
			}
			_, err = sameAnswers(t.Context(), asked, 100*time.Millisecond, func(ctx context.Context, o ldfi.Options) (*result.Answer, error) {
				return model(t, p, b, o).Check(ctx)
			})
			require.NoError(t, err)
		})
	}
}

const twoLosses = `
// ldfi: processes=a,b,c eot=6 eff=3 crashes=2
node("a")@1; node("b")@1; node("c")@1;
node(P)@next :- node(P);
log("a", "hello")@1;
log(P, M)@next :- log(P, M);
send("a", "hello")@1;
log(Q, M)@async :- send(P, M), node(Q);
pre(P, M) :- log(Q, M), node(P), notin crash(Q, Q, _), notin crash(P, P, _);
post(P, M) :- log(P, M);
`

// kept is a promise that nothing breaks.
const kept = `
// ldfi: processes=a,b,c eot=6 eff=3 crashes=2
node("a")@1; node("b")@1; node("c")@1;
node(P)@next :- node(P);
log("a", "hello")@1;
log(P, M)@next :- log(P, M);
log(Q, M)@async :- log(P, M), node(Q);
pre(P, M) :- log(Q, M), node(P), notin crash(Q, Q, _), notin crash(P, P, _);
post(P, M) :- log(P, M);
`

// What cannot be smaller than a set that is known is taken back: nobody waits for it.
func TestHopelessCasesAreTakenBack(t *testing.T) {
	p, b := parse(t, twoLosses)
	e := newElsewhere(model(t, p, b, ldfi.Options{}), 1)
	e.honest = true
	begun := make(chan struct{}) // closed when a case of two crashes is asked
	begin := sync.OnceFunc(func() { close(begun) })
	e.block = func(c cases.Case) bool {
		if len(c.On) < 2 {
			return false
		}
		begin()
		return true
	}
	o := ldfi.Options{}.Only("cases")
	o.Cases = splitting{e, begun}
	a, err := model(t, p, b, o).Check(t.Context())
	require.NoError(t, err)
	require.Equal(t, "omit a>b@1", a.Counterexamples[0].Schedule.String())
	require.True(t, a.Counterexamples[0].Minimal)
	require.Positive(t, e.given)
}

// splitting finds cases of one crash too much work, so that there are some of two, and
// decides those of none when one of two has begun.
type splitting struct {
	*elsewhere
	begun <-chan struct{}
}

func (s splitting) Decide(ctx context.Context, c cases.Case, check func(cases.Outcome) error) (cases.Outcome, error) {
	switch len(c.On) {
	case 0:
		select {
		case <-s.begun:
		case <-ctx.Done():
			return cases.Outcome{}, ctx.Err()
		}
	case 1:
		return cases.Outcome{TooMuch: true}, nil
	}
	return s.elsewhere.Decide(ctx, c, check)
}

// A case that nobody can decide leaves the question open, unless it is decided in another
// way, and says why.
func TestACaseThatNobodyDecides(t *testing.T) {
	p, b := parse(t, kept)
	e := newElsewhere(nil, 1)
	e.fail = errors.New("the unit 4711 was set aside after 3 tries: killed")
	o := ldfi.Options{}
	o.Cases = e
	a, err := model(t, p, b, o.Only("cases")).Check(t.Context())
	require.NoError(t, err)
	require.Equal(t, result.Inconclusive, a.Verdict)
	require.Equal(t, "a part of the question was decided nowhere: the unit 4711 was set aside after 3 tries: killed", a.Limit.Reason)
	require.Equal(t, "set aside", a.Limit.Kind)
	a, err = model(t, p, b, o).Check(t.Context())
	require.NoError(t, err)
	require.Equal(t, result.Holds, a.Verdict)
}

// When the time is up nobody goes on.
func TestCasesElsewhereEndWithTheContext(t *testing.T) {
	p, b := parse(t, kept)
	e := newElsewhere(nil, 1)
	e.block = func(cases.Case) bool { return true }
	o := ldfi.Options{}.Only("cases")
	o.Cases = e
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	a, err := model(t, p, b, o).Check(ctx)
	require.NoError(t, err)
	require.Equal(t, result.LimitTimeout, a.Limit.Kind)
	require.Positive(t, e.given)
}

// A case that makes no sense is an error, and never a panic: it comes from another machine.
func TestCasesWithoutSense(t *testing.T) {
	p, b := parse(t, twoLosses)
	work, err := model(t, p, b, ldfi.Options{}).Casework(t.Context())
	require.NoError(t, err)
	for _, c := range []cases.Case{
		{}, {Max: -1}, {Max: 1, Most: -1}, {Max: 1, On: []int{-1}}, {Max: 1, Off: []int{1 << 40}}, {Max: 1, On: []int{2, 1}},
		{Max: 1, On: []int{1, 1}}, {Max: 1, On: []int{1}, Off: []int{1}},
	} {
		_, err := work.Decide(t.Context(), c)
		require.Error(t, err, "%+v", c)
	}
	o, err := work.Decide(t.Context(), cases.Case{Max: 1, On: []int{0, 1, 2, 3, 4}}) // too many crashes: no schedule at all
	require.NoError(t, err)
	require.Equal(t, cases.Outcome{Complete: true}, o)
}
