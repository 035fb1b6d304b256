package search

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/internal/limits"
	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// faultyForKinds is how many executions with faults are made for the kinds of messages that
// the execution without faults does not send.
const faultyForKinds = 15

// WithKinds returns the bounds b with the kinds of messages that the system sends: those of
// the execution without faults in place of rounds.AllKinds. A kind that it does not send, and
// that no execution with some faults sends either, is an error.
func (t *Target) WithKinds(ctx context.Context, b rounds.Bounds, settings rounds.Settings) (rounds.Bounds, error) {
	if len(b.Kinds) == 0 {
		return b, nil
	}
	b, err := t.bounds(b)
	if err != nil {
		return b, err
	}
	x, err := t.Open(b.EOT, true)
	if err != nil {
		return b, err
	}
	sent, err := KindsUnder(ctx, x, rounds.Schedule{Settings: settings}, b.Kinds)
	if err != nil {
		return b, fmt.Errorf("kinds=%s: which messages are sent without faults: %w", kindsText(b), err)
	}
	plain := b
	plain.Kinds = nil
	u, random, made := schedules.New(plain), rand.New(rand.NewPCG(0, 0)), 0
	for ; made < faultyForKinds && slices.ContainsFunc(b.Kinds, unsent(sent)); made++ {
		s := u.Random(random).With(settings)
		more, err := KindsUnder(ctx, x, s, b.Kinds)
		if ctx.Err() != nil {
			return b, ctx.Err()
		}
		if err == nil { // a search says what is wrong
			sent = merged(sent, more)
		}
	}
	kinds, err := b.KindsAmong(sent)
	if err != nil {
		return b, fmt.Errorf("kinds=%s: %w (in the execution without faults, and in %d with some)", kindsText(b), err, made)
	}
	b.Kinds = kinds
	return b, nil
}

func kindsText(b rounds.Bounds) string { return strings.Join(rounds.KindTexts(b.Kinds), ",") }

// unsent returns a function that tells which kinds are not among those sent.
func unsent(sent []string) func(kind string) bool {
	return func(kind string) bool { return kind != rounds.AllKinds && !slices.Contains(sent, kind) }
}

// merged returns two lists of kinds as one.
func merged(kinds, others []string) []string {
	all := append(slices.Clone(kinds), others...)
	slices.Sort(all)
	return slices.Compact(all)
}

// KindsUnder executes a schedule, and returns the kinds of messages that are sent: those that
// people would name, and those of the named ones of which there are messages.
func KindsUnder(ctx context.Context, x Executor, s rounds.Schedule, named []string) ([]string, error) {
	e, _, err := x.Execute(ctx, s)
	if late := (*limits.UnjudgedError)(nil); errors.As(err, &late) {
		err = nil
	}
	if err != nil {
		return nil, err
	}
	return KindsOf(e, named), nil
}

// KindsOf returns the kinds of the messages of an execution that processes send each other,
// sorted: those that people would name, and those of the named ones of which there are
// messages.
func KindsOf(e *recording.Execution, named []string) (sent []string) {
	if e == nil {
		return nil
	}
	for i := range e.Messages {
		m := &e.Messages[i]
		if m.From == m.To {
			continue
		}
		says := textOf(m)
		all := []string{execution.KindOf(m.Relation, says)}
		for _, kind := range named {
			if execution.OfKind(kind, m.Relation, func() string { return says }) {
				all = append(all, kind)
			}
		}
		for _, kind := range all {
			if !slices.Contains(sent, kind) {
				sent = append(sent, kind)
			}
		}
	}
	slices.Sort(sent)
	return sent
}

// NeverSent returns a warning about each fault of an execution whose kind of message is never
// sent in it.
func NeverSent(e *recording.Execution) (all []specs.Warning) {
	var named []string
	for _, f := range e.Schedule.Faults {
		if f.Of != "" && !slices.Contains(named, f.Of) {
			named = append(named, f.Of)
		}
	}
	if len(named) == 0 {
		return nil
	}
	sent := KindsOf(e, named)
	for _, kind := range named {
		if _, err := (rounds.Bounds{Kinds: []string{kind}}).KindsAmong(sent); err != nil {
			all = append(all, specs.Warning{Position: specs.Position{File: "schedule"}, Message: err.Error()})
		}
	}
	return all
}

// textOf returns the text of the payload of a message, "" if there is none.
func textOf(m *recording.Message) string {
	if len(m.Args) < 2 || m.Args[1].IsInt() {
		return ""
	}
	return m.Args[1].Text()
}
