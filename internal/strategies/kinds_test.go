package strategies_test

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/stretchr/testify/require"
)

// sayer is a keeper that sends several messages of several kinds to another in a round.
type sayer struct{ keeper }

// said is what it sends; the first letter is the kind.
type said string

func (m said) Kind() string   { return string(m[:1]) }
func (m said) String() string { return string(m) }

func (p *sayer) Send(s *system.Step) {
	p.at(s, "before")
	for _, q := range s.Requests() {
		p.state = p.choose("request", q.ID) % toyStates
		if p.choose("reply")%2 == 0 {
			s.Reply(q, p.state)
		}
	}
	for _, to := range p.names {
		for i := range p.choose("many", to) % 4 {
			kind := []string{"x", "y", "y", "z"}[p.choose("kind", to, i)%4]
			s.Send(to, said(fmt.Sprint(kind, p.choose("what", to, i)%2)))
		}
	}
	p.at(s, "sent")
}

// pickedSystem returns a random system whose faults of links can hit one kind of message.
func pickedSystem(seed uint64) target {
	t := keeperSystem(seed)
	t.System.Name = fmt.Sprintf("sayer %d", seed)
	r := rand.New(rand.NewPCG(seed, 32))
	t.System.New = func(name string, _ *rand.Rand) system.Process {
		return &sayer{keeper{toy: toy{seed: seed, name: name, names: t.System.Processes}}}
	}
	sent := sentBy(t.System)
	r.Shuffle(len(sent), func(i, j int) { sent[i], sent[j] = sent[j], sent[i] })
	for {
		b := keeperBounds(r, t.System)
		few := func() int { return []int{0, 0, 1, 1, 2, rounds.Unlimited}[r.IntN(6)] }
		b.Omissions, b.Cuts, b.Delays, b.Duplicates, b.Orders, b.MaxDelay = few(), few(), 0, 0, 0, 0
		if r.IntN(2) == 0 {
			b.Delays, b.Duplicates, b.Orders, b.MaxDelay = few(), few(), r.IntN(2), 1+r.IntN(2)
		}
		b.Deliver, b.Kernel, b.Kinds = "", "", sent[:min(1+r.IntN(3), len(sent))]
		if b.Omissions|b.Cuts|b.Delays|b.Duplicates != 0 && b.LastLoss() > 0 && b.Validate() == nil && schedules.Count(b).Cmp(big.NewInt(*most)) <= 0 {
			b.Processes, b.EOT, b.CrashStop = nil, 0, false
			t.Bounds = b
			return t
		}
	}
}

// sentBy returns the kinds of messages that a system sends without faults.
func sentBy(s *system.System) []string {
	e, err := s.Run(context.Background(), rounds.Schedule{}, system.RunOptions{})
	if err != nil {
		panic(err)
	}
	return search.KindsOf(e, nil)
}

// The same where faults of links can hit one kind of message alone.
func TestAgreesWithBruteForceOnKinds(t *testing.T) { agree(t, pickedSystem) }
func TestOthersOnKinds(t *testing.T)               { others(t, pickedSystem) }

// Where all faults are known to lineage, and some hit one kind of message alone, it reports no
// wrong violation, and no certificate that executing every schedule contradicts.
func TestLineageOnKinds(t *testing.T) {
	verdicts := map[result.Verdict]int{}
	for seed := *first; seed < *first+uint64(*long); seed++ {
		target, r := pickedSystem(seed), rand.New(rand.NewPCG(seed, 33))
		target.System.Rounds = min(target.System.Rounds, 4)
		whole := target.System.Bounds(0)
		for {
			whole.Kinds = sentBy(target.System)
			whole.Omissions, whole.Cuts, whole.Crashes, whole.Period = 1+r.IntN(2), r.IntN(2), r.IntN(2), 2
			if schedules.Count(whole).Cmp(big.NewInt(*most)) <= 0 {
				break
			}
			target.System.Rounds = 2
			whole.EOT = 2
		}
		target.Bounds = whole
		target.Bounds.Processes, target.Bounds.EOT, target.Bounds.CrashStop = nil, 0, false
		fewest, all := bruteForce(t, target)
		a := byLineage(t, target, seed)
		verdicts[a.Verdict]++
		switch a.Verdict {
		case result.Violated:
			require.GreaterOrEqual(t, fewest, 0, "seed %d: %s", seed, a.Summary())
			require.GreaterOrEqual(t, a.First().Schedule.Size(), fewest, "seed %d", seed)
		case result.Holds:
			require.Negative(t, fewest, "seed %d: %s", seed, a.Summary())
			require.LessOrEqual(t, a.Search.Executions, all, "seed %d", seed)
		}
	}
	t.Log(verdicts)
}

// pairs sends a lock and what it protects; who gets one without the other says so.
type pairs struct{ torn int }

func (p *pairs) Send(s *system.Step) {
	if s.Process() == "a" {
		s.Send("b", said("lock"))
		s.Send("b", said("data"))
	}
}

func (p *pairs) Receive(s *system.Step, inbox []system.Message) {
	if len(inbox) == 1 {
		p.torn++
		s.Fact("torn", string(inbox[0].Payload.(said)))
	}
}

func (p *pairs) Fingerprint() string  { return fmt.Sprint(p.torn) }
func (p *pairs) Snapshot() any        { return p.torn }
func (p *pairs) Restore(snapshot any) { p.torn = snapshot.(int) }

// What only the loss of one kind breaks is found where bounds pick it out, by each strategy, and
// the kind stays in the schedule. The bounds without kinds have nothing to find.
func TestOnlyOneKindBreaks(t *testing.T) {
	s := &system.System{Name: "pairs", Processes: []string{"a", "b"}, Rounds: 4, Fixed: true,
		New:        func(string, *rand.Rand) system.Process { return &pairs{} },
		Properties: []property.Property{rules.New("whole", `violation(R) :- torn(_, _, R).`)}}
	for _, strategy := range []string{"exhaustive", "learn", "lineage", "enumerate", "spread", "uniform", "sample", "drop"} {
		b := rounds.Bounds{Omissions: 1, EFF: 4}
		if strategy == "drop" {
			b.Omissions = rounds.Unlimited
		}
		a, err := find(t.Context(), strategy, target{System: s, Bounds: b}, search.Options{Executions: 300})
		require.NoError(t, err, strategy)
		require.NotEqual(t, result.Violated, a.Verdict, strategy)
		b.Kinds = []string{rounds.AllKinds}
		a, err = find(t.Context(), strategy, target{System: s, Bounds: b}, search.Options{Executions: 300})
		require.NoError(t, err, strategy)
		require.Equal(t, result.Violated, a.Verdict, "%s: %s", strategy, a.Summary())
		require.Regexp(t, `(^|; )omit a>b@[1-3]/[dl]$`, a.First().Schedule.String(), strategy)
		require.Equal(t, []string{"d", "l"}, a.Scope.Bounds.Kinds, strategy)
	}
}
