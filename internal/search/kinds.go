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
// the execution without faults does not send; each of programs takes a tenth of a second or
// more.
const (
	faultyForKinds   = 100
	faultyOfPrograms = 15
)

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
	first, err := executed(ctx, x, rounds.Schedule{Settings: settings})
	if err != nil {
		return b, fmt.Errorf("kinds=%s: which messages are sent without faults: %w", kindsText(b), err)
	}
	sent := KindsOf(first, b.Kinds)
	plain := b
	plain.Kinds = nil
	u, random, made := schedules.New(plain), rand.New(rand.NewPCG(0, 0)), 0
	most := faultyForKinds
	if slices.Contains(t.Offers, OffersSignals) {
		most = faultyOfPrograms
	}
	for ; made < most && slices.ContainsFunc(b.Kinds, unsent(sent)); made++ {
		s := u.Random(random).With(settings)
		e, err := executed(ctx, x, s)
		if ctx.Err() != nil {
			return b, ctx.Err()
		}
		if err == nil { // a search says what is wrong
			sent = append(sent, KindsOf(e, b.Kinds)...)
		}
	}
	slices.Sort(sent)
	sent = slices.Compact(sent)
	kinds, err := b.KindsAmong(sent)
	if err != nil {
		return b, fmt.Errorf("kinds=%s: %w (in the execution without faults, and in %d with some)", kindsText(b), err, made)
	}
	text := kindsText(b)
	b.Kinds = kinds
	if err := carries(ctx, x, first, b, settings); err != nil {
		return b, fmt.Errorf("kinds=%s: %w", text, err)
	}
	return b, nil
}

// carries reports a kind of what connections carry, of which the bounds allow to lose or
// duplicate messages: it tries to do so in the execution without faults.
func carries(ctx context.Context, x Executor, first *recording.Execution, b rounds.Bounds, settings rounds.Settings) error {
	i := slices.IndexFunc([]int{b.Omissions, b.Cuts, b.Duplicates}, func(budget int) bool { return budget != 0 })
	if i < 0 {
		return nil
	}
	f := rounds.Fault{Kind: []rounds.Kind{rounds.Omit, rounds.Cut, rounds.Duplicate}[i]}
	for _, kind := range b.Kinds {
		for j := range first.Messages {
			m := &first.Messages[j]
			if m.From == m.To || m.Round >= b.EOT || !execution.Carried(m.Relation) || !execution.OfKind(kind, m.Relation, func() string { return textOf(m) }) {
				continue
			}
			f.Process, f.To, f.Round, f.Of = m.From, m.To, m.Round, kind
			if f.Kind == rounds.Duplicate {
				f.By = 1
			}
			s := rounds.Schedule{Settings: settings, Faults: []rounds.Fault{f}}
			_, err := executed(ctx, x, s.With(first.Schedule.Settings).Normal())
			if failed := (*ExecutionError)(nil); errors.As(err, &failed) {
				err = failed.Err // which names the fault
			}
			if err != nil {
				return err
			}
			break
		}
	}
	return nil
}

func kindsText(b rounds.Bounds) string { return strings.Join(rounds.KindTexts(b.Kinds), ",") }

// unsent returns a function that tells which kinds are not among those sent.
func unsent(sent []string) func(kind string) bool {
	return func(kind string) bool { return kind != rounds.AllKinds && !slices.Contains(sent, kind) }
}

// executed executes a schedule, and returns the recording, judged or not.
func executed(ctx context.Context, x Executor, s rounds.Schedule) (*recording.Execution, error) {
	e, _, err := x.Execute(ctx, s)
	if late := (*limits.UnjudgedError)(nil); errors.As(err, &late) {
		err = nil
	}
	if err == nil && e == nil {
		e = &recording.Execution{}
	}
	return e, err
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
