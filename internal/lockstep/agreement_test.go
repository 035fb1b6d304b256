package lockstep_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/lockstep"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/testing/oracle"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/stretchr/testify/require"
)

// campaign runs the comparisons on random programs.
var campaign = oracle.NewCampaign()

// How a comparison went.
const (
	agreed    = "agreed"
	undefined = "agreed that some fact is undefined"
	tooLarge  = "too large to compare"
)

// agreement compares executions of a case with the reference.
func agreement(schedules int) oracle.Check {
	return func(ctx context.Context, c oracle.Case) (string, error) {
		outcome := agreed
		for _, stop := range []bool{false, true} {
			if c.Bounds.Restarts != 0 && !stop {
				continue // nobody comes back who has not stopped
			}
			c.Bounds.CrashStop = stop
			m, err := lockstep.Compile(c.Program, c.Bounds, lockstep.Options{MaxFacts: 10_000})
			if err != nil {
				return "", err
			}
			for _, s := range c.Schedules(schedules) {
				how, err := compareReference(ctx, c, m, s)
				if err != nil {
					return "", fmt.Errorf("under %q, crash=stop %v: %w", s, stop, err)
				}
				if how != agreed {
					outcome = how
				}
			}
		}
		return outcome, nil
	}
}

// compareReference executes a program under a schedule both ways.
func compareReference(ctx context.Context, c oracle.Case, m *lockstep.Machine, s rounds.Schedule) (string, error) {
	e, err := m.Execute(ctx, s)
	r := newReference(c.Program, c.Bounds, s)
	if err == nil {
		r.sent = e.Messages
	}
	want := r.run()
	var undecided *limits.UndefinedError
	var runaway *limits.RunawayError
	var limit *limits.LimitError
	switch {
	case errors.Is(want, errBig) || errors.As(err, &runaway) || errors.As(err, &limit):
		return tooLarge, nil
	case errors.As(err, &undecided) && errors.Is(want, errUndefined):
		return undefined, nil
	case err != nil || want != nil:
		return "", fmt.Errorf("error %w, of the reference %w", err, want)
	}
	if d := difference(factTexts(e.Facts, true), r.texts()); d != "" {
		return "", errors.New(d)
	}
	sent, err := r.messages()
	if err != nil {
		return "", err
	}
	var have []string
	for _, m := range e.Messages {
		arrival, again := max(m.Round, m.Arrival), ""
		if m.Lost {
			arrival = -1
		}
		if m.Again {
			again = "again "
		}
		have = append(have, again+messageText(m.Round, m.From, m.To, m.Relation, m.Args, arrival))
	}
	if d := difference(have, sent); d != "" {
		return "", fmt.Errorf("messages: %s", d)
	}
	return agreed, e.Validate()
}

// factTexts returns facts as texts, with crash or without.
func factTexts(facts []recording.Fact, crash bool) []string {
	var texts []string
	for _, f := range facts {
		if crash || f.Relation != "crash" {
			texts = append(texts, f.String())
		}
	}
	return texts
}

// difference says what the two have not in common.
func difference(have, want []string) string {
	slices.Sort(have)
	slices.Sort(want)
	if slices.Equal(have, want) {
		return ""
	}
	text := ""
	for _, h := range have {
		if _, ok := slices.BinarySearch(want, h); !ok {
			text += "\n  too much: " + h
		}
	}
	for _, w := range want {
		if _, ok := slices.BinarySearch(have, w); !ok {
			text += "\n  missing:  " + w
		}
	}
	return text
}

func TestRandomProgramsAgreeWithTheReference(t *testing.T) {
	campaign.Run(t, 100, agreement(4))
}

// Faults that hit one of several messages of a relation hit the one that has this number in the
// very execution.
func TestFaultsOfOneMessageAgreeWithTheReference(t *testing.T) {
	hits := 0
	campaign.Run(t, 100, func(ctx context.Context, c oracle.Case) (string, error) {
		m, err := lockstep.Compile(c.Program, c.Bounds, lockstep.Options{MaxFacts: 10_000})
		sent := rounds.SentBy(c.Program)
		if err != nil || len(sent) == 0 {
			return "sends nothing", err
		}
		r := rand.New(rand.NewPCG(c.Seed, 21))
		outcome := "no message is hit alone"
		for _, s := range c.Schedules(4) {
			for range 4 {
				f := rounds.Fault{
					Kind: rounds.Omit, Process: c.Bounds.Processes[r.IntN(len(c.Bounds.Processes))], To: c.Bounds.Processes[r.IntN(len(c.Bounds.Processes))],
					Round: 1 + r.IntN(c.Bounds.EOT), Of: sent[r.IntN(len(sent))], Nth: 1 + r.IntN(3),
				}
				switch r.IntN(4) {
				case 0:
					f.Kind, f.Until = rounds.Cut, min(f.Round+r.IntN(2), c.Bounds.EOT)
				case 1:
					f.Kind, f.By = rounds.Delay, 1+r.IntN(2)
				case 2:
					f.Kind, f.By = rounds.Duplicate, 1+r.IntN(2)
				}
				more := rounds.Schedule{Settings: s.Settings, Faults: append(slices.Clone(s.Faults), f)}.Normal()
				if _, err := schedules.NewEnvironment(c.Bounds, more); err == nil {
					s = more
				}
			}
			e, err := m.Execute(ctx, s)
			if err != nil {
				return "not executed", nil // and nothing says which messages have numbers
			}
			how, err := compareReference(ctx, c, m, s)
			if err != nil {
				return "", fmt.Errorf("under %q: %w", s, err)
			}
			if how != agreed {
				return how, nil
			}
			if slices.ContainsFunc(e.Messages, func(m recording.Message) bool { return m.Cause.Nth > 0 }) {
				outcome = agreed
				hits++
			}
		}
		return outcome, nil
	})
	require.Positive(t, hits)
}

func TestProtocolsAgreeWithTheReference(t *testing.T) {
	check := agreement(2)
	for _, c := range oracle.Quick(t) {
		if len(c.Bounds.Processes) > 8 {
			continue // nested loops over everything take too long there
		}
		t.Run(c.Name, func(t *testing.T) {
			outcome, err := check(t.Context(), c)
			require.NoError(t, err)
			require.Equal(t, agreed, outcome)
		})
	}
}
