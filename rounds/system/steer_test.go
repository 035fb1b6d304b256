package system_test

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// rumour counts what it heard, and tells all others how much that is.
type rumour struct{ heard int }

func (p *rumour) Send(s *system.Step)    { s.Broadcast(p.heard) }
func (p *rumour) Restart(s *system.Step) { s.Fact("back", p.heard) }
func (p *rumour) Receive(s *system.Step, inbox []system.Message) {
	for _, m := range inbox {
		p.heard += 1 + m.Payload.(int)%7
	}
	s.Fact("heard", p.heard)
}

func rumours() *system.System {
	return &system.System{
		Name: "rumours", Processes: []string{"a", "b", "c"}, Rounds: 7,
		New: func(string, *rand.Rand) system.Process { return &rumour{} },
	}
}

// whims decides faults by the texts of messages and facts, whatever their order.
type whims struct {
	seed  uint64
	later []rounds.Fault
	turns map[int]string
}

func (w *whims) Begin(rounds.Schedule) {}

func (w *whims) Decide(t system.Turn) ([]rounds.Fault, error) {
	if t.Settled {
		return nil, nil
	}
	lost := slices.DeleteFunc(slices.Clone(t.Lost), func(m recording.Message) bool { return late(w.later, m) })
	w.turns[t.Round] = turnText(t.Round, t.Facts, t.Arrived, lost, t.Sent)
	faults := w.faults(t.Round, t.Facts, t.Sent)
	w.later = append(w.later, faults...)
	return faults, nil
}

func turnText(round int, facts []recording.Fact, arrived, lost, sent []recording.Message) string {
	var texts []string
	for _, f := range facts {
		texts = append(texts, "fact "+f.String())
	}
	for name, messages := range map[string][]recording.Message{"arrived": arrived, "lost": lost, "sent": sent} {
		for _, m := range messages {
			texts = append(texts, fmt.Sprint(name, " ", m.From, m.To, m.Round, m.Args))
		}
	}
	slices.Sort(texts)
	return fmt.Sprint(round, texts)
}

func (w *whims) faults(round int, facts []recording.Fact, sent []recording.Message) (faults []rounds.Fault) {
	h := fnv.New64a()
	fmt.Fprint(h, w.seed, round, turnText(round, facts, nil, nil, nil))
	for i, m := range sent {
		g := fnv.New64a()
		fmt.Fprint(g, h.Sum64(), m.From, m.To, m.Args)
		f := rounds.Fault{Process: m.From, To: m.To, Round: round}
		switch g.Sum64() >> 7 % 16 {
		case 0, 1:
			f.Kind = rounds.Omit
		case 2:
			f.Kind, f.By = rounds.Delay, 1+i%3
		case 3:
			f.Kind, f.By = rounds.Duplicate, 1
		case 4:
			f.Kind, f.To, f.Until = rounds.Isolate, "", round+1
		case 5:
			f.Kind, f.Until = rounds.Cut, round+1
		default:
			continue
		}
		if f.Until > 7 || round+f.By > 7 {
			continue
		}
		faults = append(faults, f)
	}
	at := func(k rounds.Kind, process string, in int) {
		faults = append(faults, rounds.Fault{Kind: k, Process: process, Round: in})
	}
	switch choice := h.Sum64() >> 9 % 4; {
	case round == 2 && choice < 2:
		at(rounds.Crash, "a", round)
		if choice == 0 {
			at(rounds.Restart, "a", round+2)
		}
	case round == 5 && choice == 0:
		at(rounds.Crash, "b", round+1)
	case round < 5 && choice == 1:
		at(rounds.Pause, "b", round)
	}
	return faults
}

// What is decided in the middle of rounds is what would be decided of executions under
// everything that was decided in earlier rounds. The schedule that comes of it gives the
// same execution.
func TestSteering(t *testing.T) {
	crashes, again := 0, 0
	for seed := range uint64(300) {
		w := &whims{seed, nil, map[int]string{}}
		s := rumours()
		steered, err := s.Run(t.Context(), rounds.Schedule{}, system.RunOptions{Steer: w})
		require.NoError(t, err, "%d", seed)
		replayed, err := s.Run(t.Context(), steered.Schedule, system.RunOptions{})
		require.NoError(t, err)
		require.Nil(t, execution.FirstDivergence(replayed, steered), "%d: %s", seed, steered.Schedule)

		var decided rounds.Schedule
		for round := 1; round <= s.Rounds; round++ {
			e, err := s.Run(t.Context(), decided, system.RunOptions{})
			require.NoError(t, err)
			var facts []recording.Fact
			var arrived, lost, sent []recording.Message
			for _, f := range e.Facts {
				if f.Round == round-1 {
					facts = append(facts, f)
				}
			}
			for _, m := range e.Messages {
				at := max(m.Round, m.Arrival)
				switch {
				case m.Round == round && !m.Again:
					sent = append(sent, m)
				case m.Lost && m.Round == round-1 && !late(decided.Faults, m):
					lost = append(lost, m)
				case !m.Lost && at == round-1:
					arrived = append(arrived, m)
				}
			}
			require.Equal(t, turnText(round, facts, arrived, lost, sent), w.turns[round], "%d: round %d: %s", seed, round, decided)
			faults := w.faults(round, facts, sent)
			decided.Faults = append(decided.Faults, faults...)
			if slices.ContainsFunc(faults, func(f rounds.Fault) bool { return f.Kind == rounds.Crash }) {
				crashes++
			}
			again += len(faults)
		}
		require.Equal(t, decided.Normal().String(), steered.Schedule.String(), "%d", seed)
	}
	require.Greater(t, crashes, 100)
	require.Greater(t, again, 1000)
}

// late tells whether a message that is lost may have been on its way for some rounds.
func late(s []rounds.Fault, m recording.Message) bool {
	return m.Cause.Kind == rounds.Crash && m.Cause.Round > m.Round || slices.ContainsFunc(s, func(f rounds.Fault) bool {
		return (f.Kind == rounds.Delay || f.Kind == rounds.Duplicate) && f.Process == m.From && f.To == m.To && f.Round == m.Round
	})
}

// counter answers what it is asked, and counts its ticks.
type counter struct{ ticks int }

func (p *counter) Tick(*system.Step) { p.ticks++ }
func (p *counter) Send(s *system.Step) {
	for _, q := range s.Requests() {
		s.Broadcast(q.Payload)
		s.Broadcast(fmt.Sprint(q.Payload, "!"))
	}
}
func (p *counter) Receive(s *system.Step, inbox []system.Message) {
	s.Fact("ticks", p.ticks)
	for _, m := range inbox {
		s.Fact("heard", m.From, m.Payload)
	}
}

// What guides decide besides losses is in the text of a schedule too: what a client asks, how
// often timers tick, and what a message says when it arrives.
func TestDecidedFaults(t *testing.T) {
	s := &system.System{
		Name: "counters", Processes: []string{"a", "b", "c"}, Rounds: 3, MinTicks: 1,
		New: func(string, *rand.Rand) system.Process { return &counter{} },
		Lies: map[string]func(system.Message, *rand.Rand) any{
			"Other":  func(m system.Message, random *rand.Rand) any { return fmt.Sprint("not ", m.Payload, random.IntN(2)) },
			"Panics": func(m system.Message, _ *rand.Rand) any { return m.Payload.(int) },
		},
	}
	e, err := s.Run(t.Context(), schedule(t, `ask a@1 "x"; ask a@1 "y"; tick b@2+3; lie a>b@1/message#3 Other`), system.RunOptions{})
	require.NoError(t, err)
	require.NoError(t, e.Validate())
	require.Equal(t, `lie a>b@1/message#3 Other; tick b@2+3; ask a@1 "x"; ask a@1 "y"`, strings.TrimPrefix(e.Schedule.String(), "ticks 1; "))
	var heard []string
	for _, f := range e.Facts {
		if f.Relation == "heard" || f.Relation == "ticks" && f.Round == 3 {
			heard = append(heard, f.String())
		}
	}
	require.Equal(t, []string{
		`heard("b", "a", "not y1")@1`, `heard("b", "a", "x")@1`, `heard("b", "a", "x!")@1`, `heard("b", "a", "y!")@1`,
		`heard("c", "a", "x")@1`, `heard("c", "a", "x!")@1`, `heard("c", "a", "y")@1`, `heard("c", "a", "y!")@1`,
		`ticks("a", 3)@3`, `ticks("b", 6)@3`, `ticks("c", 3)@3`,
	}, heard)

	for text, wrong := range map[string]string{
		"lie a>b@1 Othr":                `there is no lie "Othr" (did you mean "Other"?); there are Other and Panics`,
		"lie a>a@1 X":                   "a message from a process to itself is never lost",
		`ask a@1 "x"; lie a>b@1 Panics`: `system "counters": lie a>b@1 Panics: the lie "Panics" panics: interface conversion: `,
	} {
		_, err := s.Run(t.Context(), schedule(t, text), system.RunOptions{})
		require.ErrorContains(t, err, wrong)
	}
	_, err = rumours().Run(t.Context(), schedule(t, "tick a@1+2"), system.RunOptions{})
	require.ErrorContains(t, err, "process a has no timers (system.Ticker) that could tick more often")
}
