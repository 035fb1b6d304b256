package remote

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/vet"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Observe executes runs random schedules, from a seed, and observes the messages. In each
// it makes one message late, and compares the execution with one in which the message is
// lost: a process that checks the rounds of messages behaves the same.
func (s *System) Observe(ctx context.Context, runs int, seed uint64) (*vet.Observed, error) {
	o := &observation{System: s}
	random := rand.New(rand.NewPCG(seed, observeStream))
	within := schedules.New(s.ofLosses())
	for range runs {
		schedule := within.Random(random).With(rounds.Settings{Seed: rounds.Set(random.Uint64N(1000))})
		e, err := o.execute(ctx, schedule)
		if err != nil {
			return nil, err
		}
		o.several(e)
		o.repeated(e)
		if err := o.delay(ctx, random, e); err != nil {
			return nil, err
		}
	}
	return &o.Observed, nil
}

const observeStream = 12

// ofLosses returns bounds with some crashes and omissions.
func (s *System) ofLosses() rounds.Bounds {
	return rounds.Bounds{Processes: s.Processes, EOT: s.Rounds, Crashes: 1, Omissions: 3, CrashStop: true}.Normal()
}

// observation has the observations so far.
type observation struct {
	*System
	vet.Observed
}

func (o *observation) execute(ctx context.Context, schedule rounds.Schedule) (*recording.Execution, error) {
	e, _, err := o.Execute(ctx, schedule, 0, messages.Always)
	if err != nil && !unjudged(err) {
		return nil, err
	}
	o.Executions++
	return e, nil
}

// several looks for a round in which several processes send to several.
func (o *observation) several(e *recording.Execution) {
	byRound := map[int][]*recording.Message{}
	for i := range e.Messages {
		m := &e.Messages[i]
		byRound[m.Round] = append(byRound[m.Round], m)
	}
	for round := 1; round <= e.Bounds.EOT && o.Several == nil; round++ {
		senders, receivers := map[string]bool{}, map[string]bool{}
		for _, m := range byRound[round] {
			senders[m.From], receivers[m.To] = true, true
			if len(senders) > 1 && len(receivers) > 1 {
				o.Several = sighting(m, fmt.Sprintf("in round %d several processes send to several, among them %s sends %s to %s (%s)", round, m.From, m.Relation, m.To, faults(e.Schedule)))
				break
			}
		}
	}
}

// repeated looks for a message that is sent in two rounds.
func (o *observation) repeated(e *recording.Execution) {
	first := map[string]int{}
	for i := range e.Messages {
		if o.Repeated != nil {
			return
		}
		m := &e.Messages[i]
		text := m.From + " " + wording(m)
		if before, ok := first[text]; ok && before != m.Round {
			o.Repeated = sighting(m, fmt.Sprintf("%s, which %s sends %s in round %d, is the same as in round %d (%s)", wording(m), m.From, m.To, m.Round, before, faults(e.Schedule)))
		} else {
			first[text] = m.Round
		}
	}
}

// wording is a message without its round.
func wording(m *recording.Message) string {
	return recording.Fact{Relation: m.Relation, Args: m.Args}.String()
}

func sighting(m *recording.Message, why string) *vet.Sighting {
	return &vet.Sighting{Message: wording(m), Process: m.To, Round: m.Round, Why: why}
}

func faults(s rounds.Schedule) string {
	s.Settings = rounds.Settings{}
	return cmp.Or(s.String(), "without faults")
}

// delay makes a message of an execution late.
func (o *observation) delay(ctx context.Context, random *rand.Rand, e *recording.Execution) error {
	if o.Used != nil || o.Untried != "" {
		return nil
	}
	if why := cmp.Or(o.Inexact, e.Inexact); why != "" {
		o.Untried = "executions of one schedule may differ, " + why
		return nil
	}
	var prompt []*recording.Message
	for i := range e.Messages {
		if m := &e.Messages[i]; !m.Lost && m.Arrival == 0 && m.From != m.To && m.From != "" && m.Round < e.Bounds.EOT {
			prompt = append(prompt, m)
		}
	}
	if len(prompt) == 0 {
		return nil
	}
	m := prompt[random.IntN(len(prompt))]
	by := 1 + random.IntN(min(3, e.Bounds.EOT-m.Round))
	return o.compare(ctx, e, m, by)
}

// compare executes a schedule in which the message is late, and one in which it is lost.
func (o *observation) compare(ctx context.Context, e *recording.Execution, m *recording.Message, by int) error {
	late := rounds.Fault{Kind: rounds.Delay, Process: m.From, To: m.To, Round: m.Round, By: by}
	delayed, err := o.execute(ctx, plus(e.Schedule, late))
	if err != nil {
		if !isFinding(err) || ctx.Err() != nil {
			return err
		}
		text, _, _ := strings.Cut(err.Error(), "\n")
		o.Untried = "the host does not execute one: " + text
		return nil
	}
	lost, err := o.execute(ctx, plus(e.Schedule, rounds.Fault{Kind: rounds.Omit, Process: m.From, To: m.To, Round: m.Round}))
	if err != nil {
		return err
	}
	o.Late++
	if round := differ(delayed, lost); round > 0 {
		o.Used = sighting(m, fmt.Sprintf("%s, which %s sends %s in round %d, makes a difference when it comes in round %d: executions with it and without it differ in round %d (%s)",
			wording(m), m.From, m.To, m.Round, m.Round+by, round, faults(delayed.Schedule)))
		o.Used.Round = m.Round + by
	}
	return nil
}

// plus adds a fault to a schedule.
func plus(s rounds.Schedule, f rounds.Fault) rounds.Schedule {
	s.Faults = append(slices.Clone(s.Faults), f)
	return s.Normal()
}

// differ returns the first round in which processes report or send something else, 0 if
// there is none.
func differ(a, b *recording.Execution) int {
	one, other := doings(a), doings(b)
	first := 0
	for text, round := range one {
		if _, ok := other[text]; !ok && (first == 0 || round < first) {
			first = round
		}
	}
	for text, round := range other {
		if _, ok := one[text]; !ok && (first == 0 || round < first) {
			first = round
		}
	}
	return first
}

// doings are the reports and messages of processes, with their rounds.
func doings(e *recording.Execution) map[string]int {
	all := map[string]int{}
	for _, f := range e.Facts {
		all["fact "+f.String()] = f.Round
	}
	for i := range e.Messages {
		m := &e.Messages[i]
		all["message "+m.String()] = m.Round
	}
	return all
}
