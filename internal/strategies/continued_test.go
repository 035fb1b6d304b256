package strategies_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/stretchr/testify/require"
)

// hopeful proposes itself in rounds that it draws, and follows the first that it
// hears of. It takes its time: none of that before a round. A brittle one does
// nothing more once it has missed a message of another.
type hopeful struct {
	from    int // it begins
	brittle bool
	once    bool // it draws in one round only, and more often

	peers     int
	following bool
	broken    bool
}

func (h *hopeful) Send(s *system.Step) {
	draws := s.Round() == h.from || s.Round() > h.from && !h.once
	odds := 6
	if h.once {
		odds = 2
	}
	s.Broadcast(draws && !h.broken && s.Rand().IntN(odds) == 0)
}

func (h *hopeful) Receive(s *system.Step, inbox []system.Message) {
	h.broken = h.broken || h.brittle && len(inbox) < h.peers
	for _, m := range inbox {
		h.following = h.following || m.Payload.(bool) && !h.broken
	}
	if h.following {
		s.Fact("follows")
	}
}

func (h *hopeful) Fingerprint() string  { return fmt.Sprint(*h) }
func (h *hopeful) Snapshot() any        { return *h }
func (h *hopeful) Restore(snapshot any) { *h = snapshot.(hopeful) }

// hopefuls is a system of some that are made like one.
func hopefuls(like hopeful) target {
	names := []string{"a", "b", "c"}
	like.peers = len(names) - 1
	return target{
		System: &system.System{
			Name: "hopefuls", Processes: names, Rounds: 8,
			New:        func(string, *rand.Rand) system.Process { h := like; return &h },
			Properties: []property.Property{rules.New("all follow", "pre(P) :- process(P). post(P) :- follows(P, _).")},
		},
		Bounds: rounds.Bounds{Isolations: 1, Period: 4},
	}
}

// What comes about when the execution goes on is no violation, by whatever strategy
// it is met: only what can never come about is.
func TestLateIsNotStuck(t *testing.T) {
	for _, strategy := range []string{"spread", "sample", "drop", "lineage", "exhaustive", "learn"} {
		from := 8
		if strategy == "lineage" {
			from = 3 // it prevents only what happens
		}
		healthy, brittle := hopefuls(hopeful{from: from}), hopefuls(hopeful{from: from, brittle: true})
		size := 1
		if strategy == "drop" {
			healthy.Bounds = rounds.Bounds{Omissions: rounds.Unlimited}
			brittle.Bounds = healthy.Bounds
			size = 2 // whom the third does not break, it leads
		}
		o := search.Options{Executions: 60, Settings: rounds.Settings{Seed: rounds.Set(5)}}
		a, err := find(t.Context(), strategy, healthy, o)
		require.NoError(t, err)
		require.NotEqual(t, result.Violated, a.Verdict, strategy)
		late := a.Search.Late
		if strategy != "lineage" {
			require.NotNil(t, late, strategy)
			require.LessOrEqual(t, late.Rounds, 8*8)
			require.Contains(t, a.Summary(), late.String())
			require.Contains(t, late.String(), fmt.Sprintf("the slowest took %d rounds (ldfi waits for 8 times the rounds after the last fault)", late.Rounds))
		}
		a, err = find(t.Context(), strategy, brittle, o)
		require.NoError(t, err)
		require.Equal(t, result.Violated, a.Verdict, strategy)
		c := a.First()
		require.LessOrEqual(t, c.Size, size, "%s: %s", strategy, c.Schedule)
		require.NotNil(t, c.Continued)
		require.Equal(t, []uint64{6, 7, 8}, c.Continued.Seeds)
		last := max(c.Schedule.Faults[0].Round, c.Schedule.Faults[0].Until)
		require.Equal(t, last+1, c.Continued.From)
		require.Equal(t, last+8*max(8-last, 4), c.Continued.Rounds)
		require.Contains(t, a.Summary(), fmt.Sprintf("still so in round %d, and with seed 6, 7 or 8 from round %d on", c.Continued.Rounds, last+1))
		for _, v := range c.Violations {
			require.True(t, v.ByEnd)
		}
	}
}

// Which of random systems are stuck, and with how few faults, the strategies agree
// on with the execution of every schedule.
func TestLateAgreesWithBruteForce(t *testing.T) {
	count := map[result.Verdict]int{}
	for seed := *first; seed < *first+uint64(*long); seed++ {
		r := rand.New(rand.NewPCG(seed, 11))
		target := hopefuls(hopeful{from: 1 + r.IntN(10), brittle: r.IntN(3) > 0, once: r.IntN(3) == 0})
		target.System.Rounds = 5 + r.IntN(4)
		target.Bounds = rounds.Bounds{Isolations: r.IntN(3), Period: 1 + r.IntN(4), Crashes: r.IntN(2)}
		target.Settings.Seed = rounds.Set(uint64(r.IntN(10)))
		fewest, _ := bruteForce(t, target)
		want := result.Holds
		if fewest >= 0 {
			want = result.Violated
		}
		count[want]++
		for _, strategy := range certifying {
			a, err := find(t.Context(), strategy, target, search.Options{Seed: seed, Settings: target.Settings})
			require.NoError(t, err, "%s: seed %d", strategy, seed)
			require.Equal(t, want, a.Verdict, "%s: seed %d, %s, %s", strategy, seed, target.Bounds, a.Summary())
			if strategy == "exhaustive" && fewest >= 0 {
				require.Equal(t, fewest, a.Search.Found.Size(), "seed %d: %s", seed, a.Search.Found)
			}
			if a.Search.Late != nil {
				count["late"]++
			}
		}
	}
	t.Log(count)
}

// apart makes an execution of its own for each number of rounds.
type apart struct {
	search.Executor
	open func(n int, record bool) (search.Executor, error)
}

func (x apart) Extents(ctx context.Context, s rounds.Schedule, extents []int, goOn func(int, []result.Violation) bool) error {
	for _, n := range extents {
		longer, err := x.open(n, true)
		if err != nil {
			return err
		}
		_, violations, err := longer.Execute(ctx, s)
		if err == nil && len(violations) == 1 && violations[0].Property == search.NoPanic {
			err = &search.ExecutionError{Schedule: s, Err: errors.New(violations[0].Text)}
		}
		if err != nil || !goOn(n, violations) {
			return err
		}
	}
	return nil
}

// An execution that goes on once, and is judged on its way, shows what as many executions
// show as there are numbers of rounds by which it is judged: with delays and pauses, where
// a property looks at messages too, and where a process panics on the way.
func TestGoneOnWithOnce(t *testing.T) {
	count := map[string]int{}
	for seed := *first; seed < *first+4*uint64(*long); seed++ {
		r := rand.New(rand.NewPCG(seed, 12))
		tgt := hopefuls(hopeful{from: 1 + r.IntN(16), brittle: r.IntN(3) > 0, once: r.IntN(4) == 0})
		tgt.System.Rounds = 5 + r.IntN(4)
		if bang := 5 + r.IntN(60); r.IntN(3) == 0 {
			made := tgt.System.New
			tgt.System.New = func(name string, random *rand.Rand) system.Process {
				return &banging{hopeful: made(name, random).(*hopeful), round: bang}
			}
		}
		waits := property.Property{Name: "nothing waits", ByEnd: true, Func: func(e *recording.Execution) (all []result.Violation) {
			for _, m := range e.Messages {
				if m.Arrival > e.Bounds.EOT || m.Lost {
					all = append(all, result.Violation{Text: m.String()})
				}
			}
			return all
		}}
		if r.IntN(2) == 0 {
			tgt.System.Properties = append(tgt.System.Properties, waits)
		}
		bounds := rounds.Bounds{Processes: tgt.System.Processes, EOT: tgt.System.Rounds, Isolations: r.IntN(3), Period: 2, Pauses: r.IntN(2), Delays: r.IntN(3), MaxDelay: 3, CrashStop: true, Crashes: r.IntN(2)}
		schedule := schedules.New(bounds).Random(r).With(rounds.Settings{Seed: rounds.Set(uint64(r.IntN(10)))})
		once, err := search.NewTarget(tgt.System, nil)
		require.NoError(t, err)
		separate, open := *once, once.Open
		separate.Open = func(n int, record bool) (search.Executor, error) {
			x, err := open(n, record)
			return apart{x, open}, err
		}
		x, err := once.Open(bounds.EOT, true)
		require.NoError(t, err)
		e, violations, err := x.Execute(t.Context(), schedule)
		require.NoError(t, err)
		got, err := once.GoOn(t.Context(), e, violations)
		require.NoError(t, err)
		want, err := separate.GoOn(t.Context(), e, violations)
		require.NoError(t, err)
		require.Equal(t, want, got, "seed %d: %s", seed, schedule)
		switch {
		case len(violations) == 0:
			count["nothing"]++
		case got.Late != nil:
			count["late"]++
		case got.Continued != nil && got.Continued.Limit != "":
			count["panics on the way"]++
		case got.Continued != nil:
			count["stuck"]++
		}
	}
	t.Log(count)
	require.Len(t, count, 4)
}

// banging panics in a round.
type banging struct {
	*hopeful
	round int
}

func (p *banging) Send(s *system.Step) {
	if s.Round() == p.round {
		panic("bang")
	}
	p.hopeful.Send(s)
}

// A search goes on with what is stuck in one execution for each seed, which has no more
// rounds than the longest.
func TestGoingOnTakesOneExecutionForEachSeed(t *testing.T) {
	stuck := hopefuls(hopeful{brittle: true, from: 8})
	last := 0 // round
	executed := map[int]int{}
	made := stuck.System.New
	stuck.System.New = func(name string, random *rand.Rand) system.Process {
		h := made(name, random)
		if name != "a" {
			return h
		}
		return play{
			func(s *system.Step) {
				if s.Round() == 1 {
					executed[last]++
				}
				last = s.Round()
				h.Send(s)
			},
			h.Receive,
		}
	}
	target, err := search.NewTarget(stuck.System, nil)
	require.NoError(t, err)
	schedule, err := rounds.ParseSchedule("seed 5; isolate b@1..4")
	require.NoError(t, err)
	x, err := target.Open(8, true)
	require.NoError(t, err)
	e, violations, err := x.Execute(t.Context(), schedule)
	require.NoError(t, err)
	clear(executed)
	after, err := target.GoOn(t.Context(), e, violations)
	require.NoError(t, err)
	require.Equal(t, 4+8*4, after.Continued.Rounds)
	executed[last]++
	require.Equal(t, 1+3, after.Executions)
	require.Equal(t, map[int]int{8: 1, 36: 4}, executed, "the first is the one that goes on")
}

// Without going on, the same systems break the same promise: it is judged at the
// end where the number of rounds is a part of it, and where the property is another.
func TestFixedRoundsAreJudgedAtTheirEnd(t *testing.T) {
	for _, strategy := range []string{"spread", "lineage", "exhaustive", "learn"} {
		fixed, reads := hopefuls(hopeful{from: 8}), hopefuls(hopeful{from: 8})
		fixed.System.Fixed = true
		reads.System.Properties = []property.Property{rules.New("in time", "pre(P) :- process(P), eot(_). post(P) :- follows(P, _).")}
		for _, target := range []target{fixed, reads} {
			a, err := find(t.Context(), strategy, target, search.Options{Settings: rounds.Settings{Seed: rounds.Set(5)}})
			require.NoError(t, err)
			require.Equal(t, result.Violated, a.Verdict, strategy)
			require.Nil(t, a.First().Continued)
			require.Nil(t, a.Search.Late)
			require.Empty(t, a.First().Schedule.Faults)
		}
	}
}

// How many workers draw makes no difference to what was late.
func TestLateByManyWorkers(t *testing.T) {
	for _, like := range []hopeful{{from: 3}, {from: 3, brittle: true}} {
		var all []string
		for _, workers := range []int{1, 8} {
			a, err := find(t.Context(), "spread", hopefuls(like), search.Options{Executions: 200, Workers: workers})
			require.NoError(t, err)
			text, err := json.Marshal(a)
			require.NoError(t, err)
			all = append(all, string(text))
		}
		require.Equal(t, all[0], all[1])
	}
}

// What comes about with another seed only is late: those that draw once are stuck,
// however long they go on, and were unlucky.
func TestUnluckyIsLate(t *testing.T) {
	lucky := 0
	for seed := range uint64(20) {
		a, err := find(t.Context(), "spread", hopefuls(hopeful{from: 6, once: true}), search.Options{Executions: 5, Seed: seed})
		require.NoError(t, err)
		if late := a.Search.Late; late != nil {
			require.Equal(t, 8, late.Rounds)
			require.Equal(t, late.Schedules, late.Reseeded)
			require.Contains(t, late.String(), "of them with another seed")
			lucky += late.Reseeded
		}
	}
	require.Positive(t, lucky)
}

// idle is a process that does nothing.
type idle struct{}

func (idle) Send(*system.Step)                      {}
func (idle) Receive(*system.Step, []system.Message) {}

// An execution goes on for as many rounds as there can be, and says where that is
// less than it should be.
func TestGoingOnWithinTheLimit(t *testing.T) {
	stuck := hopefuls(hopeful{})
	stuck.System.New = func(string, *rand.Rand) system.Process { return idle{} }
	for i := range 27 {
		stuck.System.Processes = append(stuck.System.Processes, fmt.Sprint(i))
	}
	for _, rounds := range []int{60, 111} {
		stuck.System.Rounds = rounds
		a, err := find(t.Context(), "spread", stuck, search.Options{Executions: 1})
		require.NoError(t, err)
		require.Equal(t, result.Violated, a.Verdict)
		require.Equal(t, 111, a.First().Continued.Rounds)
		require.Contains(t, a.Summary(), "(an execution of 30 processes has at most 111 rounds)")
	}
}

// A search that ends while an execution goes on does not keep it to itself.
func TestEndedWhileGoingOn(t *testing.T) {
	for _, strategy := range []string{"spread", "lineage", "exhaustive", "learn"} {
		ctx, cancel := context.WithCancel(t.Context())
		target := hopefuls(hopeful{from: 1_000_000})
		made := target.System.New
		target.System.New = func(name string, random *rand.Rand) system.Process {
			return &ending{hopeful: made(name, random).(*hopeful), end: cancel}
		}
		a, err := find(ctx, strategy, target, search.Options{Workers: 1, Settings: rounds.Settings{Seed: rounds.Set(5)}})
		require.NoError(t, err)
		require.Equal(t, result.Inconclusive, a.Verdict, strategy)
		require.Equal(t, result.LimitInterrupted, a.Limit.Kind)
		require.Contains(t, a.Limit.Reason, "before it was known whether the schedule \"seed 5")
		require.Contains(t, a.Limit.Reason, "is late or stuck")
	}
}

// ending ends something in a round that only executions have that go on.
type ending struct {
	*hopeful
	end func()
}

func (p *ending) Send(s *system.Step) {
	if s.Round() > 8 {
		p.end()
	}
	p.hopeful.Send(s)
}
