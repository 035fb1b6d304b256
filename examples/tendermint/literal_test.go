package tendermint_test

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/examples/tendermint"
	"github.com/lineage-driven/ldfi/internal/testing/systems"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// literal is Algorithm 1 once more, line by line: its rules look through all messages that
// have come. It reports what a replica does, apart from rules and steps.
type literal struct {
	p                              int
	round, lockedRound             int
	validRound                     int
	step                           string
	lockedV, validV, decision      string
	came                           []said
	firsts                         map[string]bool // what happens for the first time in a round
	queue                          []any
	atPropose, atVote, atPrecommit int // when timeouts expire, in ticks; 0: never
	ticks                          int
}

type said struct {
	from    int
	payload any
}

const f = 1

func (l *literal) proposal(round int) (tendermint.Proposal, bool) {
	for _, m := range l.came {
		if p, is := m.payload.(tendermint.Proposal); is && p.Round == round && m.from == round%4 {
			return p, true // the first one
		}
	}
	return tendermint.Proposal{}, false
}

// votes counts the processes whose first vote of a kind in a round is for a value; * is any.
func (l *literal) votes(kind string, round int, value string) int {
	first := map[int]string{}
	for _, m := range l.came {
		var vote string
		switch v := m.payload.(type) {
		case tendermint.Prevote:
			if kind == "prevote" && v.Round == round {
				vote = v.Value
			}
		case tendermint.Precommit:
			if kind == "precommit" && v.Round == round {
				vote = v.Value
			}
		}
		if _, voted := first[m.from]; vote != "" && !voted {
			first[m.from] = vote
		}
	}
	count := 0
	for _, vote := range first {
		if value == "*" || vote == value {
			count++
		}
	}
	return count
}

var honestValue = regexp.MustCompile(`^([a-d])(0|[1-9][0-9]*)'?$`)

func acceptable(v string) bool {
	parts := honestValue.FindStringSubmatch(v)
	if parts == nil {
		return false
	}
	var round int
	fmt.Sscan(parts[2], &round)
	return parts[1] == string("abcd"[round%4])
}

func (l *literal) first(what string) bool {
	was := l.firsts[what]
	l.firsts[what] = true
	return !was
}

func (l *literal) say(s *system.Step, m any) {
	l.queue = append(l.queue, m)
	l.come(s, l.p, m)
}

func (l *literal) come(s *system.Step, from int, payload any) {
	if p, is := payload.(tendermint.Proposal); is && from == p.Round%4 {
		if _, had := l.proposal(p.Round); !had {
			s.Fact("proposal", p.Value, p.Round)
		}
	}
	l.came = append(l.came, said{from, payload})
}

func (l *literal) startRound(s *system.Step, round int) {
	l.round, l.step, l.firsts = round, "propose", map[string]bool{}
	l.atPropose, l.atVote, l.atPrecommit = 0, 0, 0
	if round%4 != l.p {
		l.atPropose = l.ticks + 3
		return
	}
	v := l.validV
	if v == "nil" {
		v = fmt.Sprintf("%c%d", "abcd"[l.p], round)
	}
	s.Fact("proposed", v, round)
	l.say(s, tendermint.Proposal{Round: round, Value: v, ValidRound: l.validRound})
}

func (l *literal) prevote(s *system.Step, v string) {
	s.Fact("prevoted", v, l.round)
	l.say(s, tendermint.Prevote{Round: l.round, Value: v})
	l.step = "prevote"
}

func (l *literal) precommit(s *system.Step, v string) {
	s.Fact("precommitted", v, l.round)
	l.say(s, tendermint.Precommit{Round: l.round, Value: v})
	l.step = "precommit"
}

func (l *literal) Tick(s *system.Step) {
	l.ticks++
	if l.decision != "nil" {
		return
	}
	if l.atPropose == l.ticks && l.step == "propose" {
		l.prevote(s, "nil")
	}
	if l.atVote == l.ticks && l.step == "prevote" {
		l.precommit(s, "nil")
	}
	if l.atPrecommit == l.ticks {
		l.startRound(s, l.round+1)
	}
}

func (l *literal) Send(s *system.Step) {
	if l.round < 0 {
		l.startRound(s, 0)
	}
	l.rules(s)
	s.Fact("at", l.round)
	for _, m := range l.queue {
		s.Broadcast(m)
	}
	l.queue = nil
}

func (l *literal) Receive(s *system.Step, inbox []system.Message) {
	for _, m := range inbox {
		l.come(s, strings.Index("abcd", m.From), m.Payload)
	}
	l.rules(s)
	if l.decision != "nil" {
		return
	}
	later := l.round
	for round := range 100 {
		if round > later && l.senders(round) >= f+1 {
			later = round
		}
	}
	if later > l.round {
		l.startRound(s, later)
		l.rules(s)
	}
}

// senders counts who has sent something of a round.
func (l *literal) senders(round int) int {
	who := map[int]bool{}
	for _, m := range l.came {
		switch v := m.payload.(type) {
		case tendermint.Proposal:
			who[m.from] = who[m.from] || v.Round == round && m.from == round%4
		case tendermint.Prevote:
			who[m.from] = who[m.from] || v.Round == round
		case tendermint.Precommit:
			who[m.from] = who[m.from] || v.Round == round
		}
	}
	return len(slices.DeleteFunc(slices.Collect(maps.Values(who)), func(sent bool) bool { return !sent }))
}

func (l *literal) rules(s *system.Step) {
	for l.decision == "nil" && l.follow(s) {
	}
}

func (l *literal) follow(s *system.Step) bool {
	for round := range 100 {
		if p, had := l.proposal(round); had && acceptable(p.Value) && l.votes("precommit", round, p.Value) >= 2*f+1 {
			l.decision = p.Value
			s.Fact("decided", p.Value, round)
			return true
		}
	}
	p, had := l.proposal(l.round)
	v, vr := p.Value, p.ValidRound
	choose := func(may bool) {
		if acceptable(v) && may {
			l.prevote(s, v)
		} else {
			l.prevote(s, "nil")
		}
	}
	if had && vr == -1 && l.step == "propose" {
		choose(l.lockedRound == -1 || l.lockedV == v)
		return true
	}
	if had && l.step == "propose" && 0 <= vr && vr < l.round && l.votes("prevote", vr, v) >= 2*f+1 {
		choose(l.lockedRound <= vr || l.lockedV == v)
		return true
	}
	if had && acceptable(v) && l.step != "propose" && l.votes("prevote", l.round, v) >= 2*f+1 && l.first("36") {
		if l.step == "prevote" {
			l.lockedV, l.lockedRound = v, l.round
			s.Fact("locked", v, l.round)
			l.precommit(s, v)
		}
		l.validV, l.validRound = v, l.round
		return true
	}
	if l.step == "prevote" && l.votes("prevote", l.round, "nil") >= 2*f+1 {
		l.precommit(s, "nil")
		return true
	}
	if l.step == "prevote" && l.votes("prevote", l.round, "*") >= 2*f+1 && l.first("34") {
		l.atVote = l.ticks + 2
		return true
	}
	if l.votes("precommit", l.round, "*") >= 2*f+1 && l.first("47") {
		l.atPrecommit = l.ticks + 2
		return true
	}
	return false
}

// Both ways to read Algorithm 1 do the same, whatever becomes of the messages, and whoever
// lies.
func TestLiteral(t *testing.T) {
	names := slices.Sorted(maps.Keys(tendermint.Lies))
	facts := func(s *system.System, schedule string) (all []string) {
		for _, f := range systems.Run(t, s, schedule).Facts {
			if f.Relation != "upon" && f.Relation != "step" {
				all = append(all, f.String())
			}
		}
		return all
	}
	for seed := range uint64(100) {
		random := rand.New(rand.NewPCG(seed, 0))
		lost, lied := 2+random.IntN(20), 2+random.IntN(20)
		wild := func(to string, round int, m system.Message) any {
			hash := fnv.New64a()
			fmt.Fprint(hash, m.From, to, round, m.Payload)
			random := rand.New(rand.NewPCG(seed, hash.Sum64()))
			switch {
			case random.IntN(lost) == 0:
				return nil
			case random.IntN(lied) == 0:
				if p, is := m.Payload.(tendermint.Proposal); is && random.IntN(2) == 0 {
					return tendermint.Proposal{Round: p.Round, Value: p.Value, ValidRound: random.IntN(8) - 3}
				}
				return tendermint.Lies[names[random.IntN(len(names))]](m, random)
			}
			return m.Payload
		}
		var late []string
		for range random.IntN(20) {
			from := random.IntN(4)
			to := (from + 1 + random.IntN(3)) % 4
			late = append(late, fmt.Sprintf("delay %c>%c@%d+%d", "abcd"[from], "abcd"[to], 1+random.IntN(30), 1+random.IntN(9)))
		}
		slices.Sort(late)
		schedule := strings.Join(slices.CompactFunc(late, func(a, b string) bool {
			return strings.Split(a, "+")[0] == strings.Split(b, "+")[0]
		}), "; ")
		is := tendermint.Height(tendermint.NoBug)
		over := *is
		over.New = func(name string, _ *rand.Rand) system.Process {
			return &literal{p: strings.Index("abcd", name), round: -1, lockedRound: -1, validRound: -1, lockedV: "nil", validV: "nil", decision: "nil"}
		}
		require.Equal(t, facts(through(&over, wild), schedule), facts(through(is, wild), schedule), "%d %s", seed, schedule)
	}
}
