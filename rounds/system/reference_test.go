package system_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// act is one thing that a tracer does in a call: it comes to a point, reports a
// fact, or sends something.
type act struct{ do, what string }

// acts are what tracers do, by call. In Receive they report what arrived first.
var acts = map[string][]act{
	"restart": {{"fact", "restarting"}, {"at", "restarting"}, {"fact", "restarted"}},
	"tick":    {{"send", "t"}, {"at", "ticking"}, {"fact", "ticked"}},
	"send":    {{"fact", "sending"}, {"send", "s"}, {"at", "sending"}, {"send", "u"}, {"fact", "sent"}},
	"receive": {{"at", "receiving"}, {"fact", "received"}},
}

// tracer does what acts says.
type tracer struct{}

// traced is what it sends: the first letter is the kind.
type traced string

func (m traced) Kind() string   { return string(m[:1]) }
func (m traced) String() string { return string(m) }

func (tracer) CrashPoints() []string {
	return []string{"restarting", "ticking", "sending", "receiving", "never"}
}

func (tracer) do(s *system.Step, call string) {
	for _, a := range acts[call] {
		switch a.do {
		case "at":
			s.At(a.what)
		case "fact":
			s.Fact(a.what)
		default:
			for _, to := range s.Processes() {
				s.Send(to, traced(fmt.Sprint(a.what, s.Round())))
			}
		}
	}
}

func (p tracer) Restart(s *system.Step) { p.do(s, "restart") }
func (p tracer) Tick(s *system.Step)    { p.do(s, "tick") }
func (p tracer) Send(s *system.Step)    { p.do(s, "send") }
func (p tracer) Receive(s *system.Step, inbox []system.Message) {
	var texts []string
	for _, m := range inbox {
		texts = append(texts, fmt.Sprint(m.From, ":", m.Payload))
	}
	s.Fact("inbox", strings.Join(texts, " "))
	p.do(s, "receive")
}

// model says what happens to tracers under a schedule, in the simplest way.
type model struct {
	names    []string
	last     int
	faults   []rounds.Fault
	down     map[string]*rounds.Fault
	back     map[string]bool // restarts when it is called next
	waits    map[string][]*recording.Message
	later    map[int][]*recording.Message // by the round in which they arrive
	facts    []string
	messages []*recording.Message
	nth      map[*recording.Message]int // which of those of its kind it is, on its link in its round
}

// hits tells whether a fault of what one process sends another hits a message, as far as its
// kind goes.
func (m *model) hits(f rounds.Fault, s *recording.Message) bool {
	return f.Of == "" || f.Of == s.Relation[:1] && (f.Nth == 0 || f.Nth == m.nth[s])
}

// has returns the faults of a kind of a process in a round.
func (m *model) has(kind rounds.Kind, p string, round int, point bool) *rounds.Fault {
	for i, f := range m.faults {
		if f.Kind == kind && f.Process == p && f.Round <= round && round <= max(f.Until, f.Round) && (f.Detail != "") == point {
			return &m.faults[i]
		}
	}
	return nil
}

// loses tells whether a fault of the environment loses what from sends to to.
func loses(f rounds.Fault, from, to string, round int) bool {
	if round < f.Round || round > max(f.Until, f.Round) || from == to {
		return false
	}
	switch f.Kind {
	case rounds.Isolate:
		return f.Process == from || f.Process == to
	case rounds.Omit, rounds.Cut:
		return f.Process == from && f.To == to
	case rounds.Partition:
		side, _, _ := strings.Cut(f.Detail, "|")
		in := func(name string) bool { return slices.Contains(strings.Split(side, ","), name) }
		return in(from) != in(to)
	}
	return false
}

// ticks says how often timers tick that do so once in a round: by the rounds of a
// jump besides, twice in a round by a fast clock, and by a slow one in even rounds.
func (m *model) ticks(p string, round int) int {
	ticks := 1
	if m.has(rounds.Fast, p, round, false) != nil {
		ticks++
	}
	if m.has(rounds.Slow, p, round, false) != nil && round%2 == 1 {
		ticks--
	}
	if jump := m.has(rounds.Jump, p, round, false); jump != nil {
		ticks += jump.By
	}
	return ticks
}

// strikes returns the faults of a kind that strike a message, by how much later it
// arrives.
func (m *model) strikes(kind rounds.Kind, s *recording.Message) (faults []rounds.Fault) {
	for _, f := range m.faults {
		if f.Kind == kind && f.Process == s.From && f.To == s.To && f.Round == s.Round && m.hits(f, s) {
			faults = append(faults, f)
		}
	}
	return faults
}

// order brings what reaches a process in the order of a fault: where there was
// something of the first of the processes that it names, there comes what the one sends
// that it names first.
func order(own []*recording.Message, names []string, f rounds.Fault) (all []*recording.Message) {
	named := strings.Split(f.Detail, ",")
	senders, next := slices.Clone(names), 0
	for i, name := range names {
		if slices.Contains(named, name) {
			senders[i] = named[next]
			next++
		}
	}
	for _, name := range senders {
		for _, s := range own {
			if s.From == name {
				all = append(all, s)
			}
		}
	}
	return all
}

func (m *model) crash(p string, f *rounds.Fault) {
	m.down[p], m.back[p] = f, false
	for _, w := range m.waits[p] {
		w.Lost, w.Cause, w.Arrival = true, *f, 0
	}
	m.waits[p] = nil
}

func (m *model) round(round int) {
	paused := map[string]bool{}
	fell := map[string]*rounds.Fault{}
	for _, p := range m.names {
		if f := m.has(rounds.Crash, p, round, false); f != nil {
			m.crash(p, f)
		}
		if m.has(rounds.Restart, p, round, false) != nil {
			m.down[p], m.back[p] = nil, true
		}
		paused[p] = m.has(rounds.Pause, p, round, false) != nil
	}
	var sent []*recording.Message
	// do is one call; it returns false if the process falls in it.
	do := func(p, call string) bool {
		end := m.has(rounds.Crash, p, round, true)
		for _, a := range acts[call] {
			switch {
			case a.do == "fact":
				m.facts = append(m.facts, fmt.Sprintf("%d %s %s", round, p, a.what))
			case a.do == "send":
				for _, to := range m.names {
					sent = append(sent, &recording.Message{From: p, To: to, Round: round, Relation: fmt.Sprint(a.what, round)})
				}
			case end != nil && end.Detail == a.what:
				return false
			}
		}
		return true
	}
	for _, p := range m.names {
		if m.down[p] != nil || paused[p] {
			continue
		}
		calls := append(slices.Repeat([]string{"tick"}, m.ticks(p, round)), "send")
		if m.back[p] {
			calls = append([]string{"restart"}, calls...)
			m.back[p] = false
		}
		for _, call := range calls {
			if !do(p, call) {
				fell[p] = m.has(rounds.Crash, p, round, true)
				break
			}
		}
	}
	inbox := map[string][]*recording.Message{}
	for _, p := range m.names {
		if !paused[p] && m.down[p] == nil {
			inbox[p] = m.waits[p]
			m.waits[p] = nil
			for _, w := range inbox[p] {
				w.Arrival = round
			}
		}
	}
	own := map[string][]*recording.Message{}
	counted := map[string][]string{}
	for _, s := range sent {
		link := s.From + ">" + s.To + s.Relation[:1]
		if !slices.Contains(counted[link], s.Relation) { // identical messages are one
			counted[link] = append(counted[link], s.Relation)
		}
		m.nth[s] = 1 + slices.Index(counted[link], s.Relation)
	}
	for _, s := range sent {
		var causes []rounds.Fault
		for _, f := range m.faults {
			if loses(f, s.From, s.To, round) && m.hits(f, s) {
				causes = append(causes, f)
			}
		}
		if len(causes) == 0 {
			for _, f := range m.strikes(rounds.Duplicate, s)[:min(1, len(m.strikes(rounds.Duplicate, s)))] {
				again := *s
				again.Again, again.Arrival = true, round+f.By
				m.messages = append(m.messages, &again)
				m.later[again.Arrival] = append(m.later[again.Arrival], &again)
			}
			if delays := m.strikes(rounds.Delay, s); len(delays) > 0 {
				s.Arrival = round + delays[0].By
				m.later[s.Arrival] = append(m.later[s.Arrival], s)
				continue
			}
		}
		for _, f := range []*rounds.Fault{m.down[s.To], fell[s.To]} {
			if f != nil {
				causes = append(causes, *f)
			}
		}
		switch {
		case len(causes) > 0:
			s.Lost, s.Cause = true, slices.MinFunc(causes, rounds.Fault.Compare)
		default:
			own[s.To] = append(own[s.To], s)
		}
	}
	for _, p := range m.names {
		for _, f := range m.faults {
			if f.Kind == rounds.Order && f.Process == p && f.Round == round {
				own[p] = order(own[p], m.names, f)
			}
		}
		for sent := 1; sent < round; sent++ {
			for _, from := range m.names {
				for _, again := range []bool{false, true} {
					for _, w := range m.later[round] {
						if w.To == p && w.Round == sent && w.From == from && w.Again == again {
							own[p] = append(own[p], w)
						}
					}
				}
			}
		}
		for _, w := range own[p] {
			switch f := fell[p]; {
			case f == nil && m.down[p] != nil:
				w.Lost, w.Cause, w.Arrival = true, *m.down[p], 0
			case f != nil:
				w.Lost, w.Cause, w.Arrival = true, *f, 0
			case paused[p]:
				w.Arrival = m.last + 1
				m.waits[p] = append(m.waits[p], w)
			default:
				inbox[p] = append(inbox[p], w)
			}
		}
	}
	m.messages = append(m.messages, sent...)
	for _, p := range m.names {
		if f := fell[p]; f != nil {
			for _, w := range inbox[p] {
				w.Lost, w.Cause, w.Arrival = true, *f, 0
			}
			m.crash(p, f)
			continue
		}
		if m.down[p] == nil && !paused[p] {
			var texts []string
			for _, w := range inbox[p] {
				texts = append(texts, w.From+":"+w.Relation)
			}
			m.facts = append(m.facts, fmt.Sprintf("%d %s inbox %s", round, p, strings.Join(texts, " ")))
			do(p, "receive")
		}
		if f := m.has(rounds.Crash, p, round, true); f != nil {
			m.crash(p, f)
		}
	}
}

// diverted adds delays, duplicates and orders to a schedule.
func diverted(s rounds.Schedule, names []string, random *rand.Rand) rounds.Schedule {
	const eot = 6
	taken := map[rounds.Fault]bool{}
	for _, f := range s.Faults {
		if f.Kind == rounds.Omit {
			taken[f] = true
		}
	}
	for range random.IntN(12) {
		link := random.Perm(len(names))
		f := rounds.Fault{Kind: rounds.Omit, Process: names[link[0]], To: names[link[1]], Round: 1 + random.IntN(eot)}
		if f.Round < eot && !taken[f] {
			taken[f] = true
			by := func() int { return 1 + random.IntN(eot-f.Round) }
			kinds := 1 + random.IntN(3)
			if kinds&1 > 0 {
				s.Faults = append(s.Faults, rounds.Fault{Kind: rounds.Delay, Process: f.Process, To: f.To, Round: f.Round, By: by()})
			}
			if kinds&2 > 0 {
				s.Faults = append(s.Faults, rounds.Fault{Kind: rounds.Duplicate, Process: f.Process, To: f.To, Round: f.Round, By: by()})
			}
		}
		at := rounds.Fault{Kind: rounds.Order, Process: names[link[0]], Round: f.Round}
		if !taken[at] && random.IntN(2) == 0 {
			taken[at] = true
			var others []string
			for _, i := range link[1 : 3+random.IntN(len(names)-2)] {
				others = append(others, names[i])
			}
			if at.Detail = strings.Join(others, ","); !slices.IsSorted(others) {
				s.Faults = append(s.Faults, at)
			}
		}
	}
	return s.Normal()
}

// ofKinds makes some faults of messages those of a kind, or of one message of a kind, and
// adds others.
func ofKinds(s rounds.Schedule, b rounds.Bounds, random *rand.Rand) rounds.Schedule {
	kind := func(f rounds.Fault) rounds.Fault {
		f.Of = []string{"s", "t", "u", "x"}[random.IntN(4)]
		f.Nth = max(random.IntN(4)-1, 0)
		return f
	}
	for i, f := range s.Faults {
		if f.To == "" {
			continue
		}
		if random.IntN(3) > 0 {
			s.Faults[i] = kind(f)
		}
		other := kind(f)
		if random.IntN(3) == 0 {
			other.Kind, other.By, other.Until = rounds.Omit, 0, 0
		}
		more := rounds.Schedule{Faults: append(slices.Clone(s.Faults), other)}
		if more.Check(b) == nil {
			s.Faults = more.Faults
		}
	}
	return s.Normal()
}

// Random schedules of all faults, also of kinds of messages: the runner does what the model says.
func TestReference(t *testing.T) {
	names := []string{"a", "b", "c", "d"}
	points := map[string][]string{}
	for _, name := range names {
		points[name] = tracer{}.CrashPoints()
	}
	s := &system.System{
		Name: "tracers", Processes: names, Rounds: 6, MinTicks: 1,
		New: func(string, *rand.Rand) system.Process { return tracer{} },
	}
	random := rand.New(rand.NewPCG(7, 7))
	runner := s.NewRunner()
	runner.Options.Record = true
	atPoints, lost := 0, 0
	for range 400 {
		b := s.Bounds(0)
		b.Crashes, b.Restarts, b.Pauses, b.Isolations, b.Omissions, b.Partitions, b.Period = rounds.Unlimited, rounds.Unlimited, random.IntN(4), random.IntN(3), random.IntN(4), random.IntN(3), 1+random.IntN(3)
		b.Cuts, b.FastClocks, b.SlowClocks, b.Jumps, b.MaxJump = random.IntN(3), random.IntN(3), random.IntN(3), random.IntN(3), 3
		b.Points = points
		schedule := diverted(schedules.New(b).Random(random), names, random)
		schedule = ofKinds(schedule, b, random)
		require.NoError(t, runner.Run(context.Background(), schedule))
		e := runner.Execution()
		require.NoError(t, e.Validate())

		m := &model{names: names, last: 6, faults: schedule.Faults, down: map[string]*rounds.Fault{}, back: map[string]bool{}, waits: map[string][]*recording.Message{}, later: map[int][]*recording.Message{}, nth: map[*recording.Message]int{}}
		for round := 1; round <= 6; round++ {
			m.round(round)
		}
		var facts, messages, expected []string
		for _, f := range e.Facts {
			text := fmt.Sprintf("%d %s %s", f.Round, f.Args[0].Text(), f.Relation)
			if len(f.Args) > 1 {
				text += " " + f.Args[1].Text()
			}
			facts = append(facts, text)
		}
		text := func(m *recording.Message, payload string) string {
			return fmt.Sprintf("%s>%s %s@%d arrives %d again %t lost %t by %s", m.From, m.To, payload, m.Round, m.Arrival, m.Again, m.Lost, m.Cause)
		}
		for i := range e.Messages {
			messages = append(messages, text(&e.Messages[i], e.Messages[i].Args[1].Text()))
			if c := e.Messages[i].Cause; c.Kind == rounds.Crash && c.Detail != "" && e.Messages[i].Lost {
				lost++
			}
		}
		for _, w := range m.messages {
			expected = append(expected, text(w, w.Relation))
		}
		for _, f := range schedule.Faults {
			if f.Kind == rounds.Crash && f.Detail != "" {
				atPoints++
			}
		}
		slices.Sort(facts)
		slices.Sort(m.facts)
		m.facts = slices.Compact(m.facts) // a process says nothing twice in a round
		slices.Sort(messages)
		slices.Sort(expected)
		messages, expected = slices.Compact(messages), slices.Compact(expected)
		require.Equal(t, m.facts, facts, "under %s", schedule)
		require.Equal(t, expected, messages, "under %s", schedule)
	}
	require.Greater(t, atPoints, 200)
	require.Greater(t, lost, 200)
}
