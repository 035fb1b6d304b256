package remote

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// hitting returns the faults of the schedule without those of other kinds of messages. A
// recording does not say in which order messages were sent: a fault of the n-th message of a
// kind is taken to hit the first that says so. What a crash loses does not say whether it was
// late: such delays are unsure.
func (c *effects) hitting(m *recording.Message) (faults, unsure []rounds.Fault) {
	ofKind := func(f rounds.Fault) bool { return f.Of != "" }
	if !slices.ContainsFunc(c.schedule.Faults, ofKind) {
		return c.schedule.Faults, nil
	}
	one := map[rounds.Kind]bool{} // that hits it
	for _, f := range c.schedule.Faults {
		switch {
		case !ofKind(f):
		case f.Process != m.From || f.To != m.To || m.Round < f.Round || m.Round > max(f.Round, f.Until):
			continue
		case !execution.OfKind(f.Of, m.Relation, func() string { return textOf(m) }):
			continue
		case f.Nth > 0 && f.Kind == rounds.Delay && m.Lost && !m.Again:
			unsure = append(unsure, f)
			continue
		case f.Nth > 0 && (!c.saysSo(m, f) || c.hit[hit{f, m.Round}] || one[f.Kind]):
			continue
		case f.Nth > 0:
			c.hit[hit{f, m.Round}], one[f.Kind] = true, true
		}
		faults = append(faults, f)
	}
	return faults, unsure
}

// saysSo tells whether a message is said to be hit by a fault of the n-th message of its kind.
func (c *effects) saysSo(m *recording.Message, f rounds.Fault) bool {
	late, _ := c.schedule.Settings.LatencyOf(m.From, m.To)
	switch f.Kind {
	case rounds.Delay:
		return !m.Again && m.Arrival >= m.Round+f.By+late
	case rounds.Duplicate:
		return m.Again
	}
	return m.Lost && normal(m.Cause) == f
}

// hit is a fault of one message in each round, and a round.
type hit struct {
	fault rounds.Fault
	round int
}

// textOf returns the text of the payload of a message.
func textOf(m *recording.Message) string {
	if len(m.Args) < 2 || m.Args[1].IsInt() {
		return ""
	}
	return m.Args[1].Text()
}

// normal returns a fault in normal form.
func normal(f rounds.Fault) rounds.Fault {
	return rounds.Schedule{Faults: []rounds.Fault{f}}.Normal().Faults[0]
}

// checkKnown reports a fault that the host does not know.
func (r *Remote) checkKnown(s rounds.Schedule) error {
	if slices.Contains(r.knows, messages.KnowsKinds) {
		return nil
	}
	for _, f := range s.Faults {
		if f.Of != "" {
			return &search.ExecutionError{Schedule: s, Err: r.unknown(f.String())}
		}
	}
	return nil
}

// checkKinds reports bounds with faults that the host does not know.
func (r *Remote) checkKinds(b rounds.Bounds) error {
	if len(b.Kinds) == 0 || slices.Contains(r.knows, messages.KnowsKinds) {
		return nil
	}
	return r.unknown("kinds=" + strings.Join(rounds.KindTexts(b.Kinds), ","))
}

// unknown is the error about a fault that the host does not know.
func (r *Remote) unknown(what string) error {
	return fmt.Errorf("%s: the host does not know faults of one kind of message: it says so by \"knows\":[%q] in its answer to hello; one in Go does if it is built with this version of ldfi", what, messages.KnowsKinds)
}
