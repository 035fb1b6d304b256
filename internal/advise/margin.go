package advise

import (
	"context"
	"fmt"
	"slices"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
)

// Protocol is asked about.
type Protocol interface {
	Bounds() rounds.Bounds
	// Possible reports why the protocol cannot be asked within bounds.
	Possible(rounds.Bounds) error
}

// Margin asks about a protocol that keeps its promise within the nearest bounds beyond its
// own. What a question ends with that is no answer is told as the reason why it is
// inconclusive, and so is the end of the context.
func Margin(ctx context.Context, p Protocol, decide Ask, progress func(doing string)) *result.Margin {
	m := &result.Margin{}
	for _, beyond := range steps(p) {
		if progress != nil {
			progress("margin, " + beyond.name)
		}
		m.Questions = append(m.Questions, ask(ctx, decide, beyond))
	}
	return m
}

func ask(ctx context.Context, decide Ask, beyond step) result.Beyond {
	answer := result.Beyond{Bounds: beyond.name, Verdict: result.Inconclusive}
	a, err := decide(ctx, beyond.bounds)
	if err != nil {
		answer.Reason = err.Error()
		return answer
	}
	answer.Verdict = a.Verdict
	switch {
	case a.Verdict == result.Violated:
		answer.Schedule = a.First().Schedule
	case a.Verdict == result.Inconclusive:
		answer.Reason = a.Limit.Reason
	case a.Vacuity != "":
		answer.Reason = "the promise is vacuous there: " + a.Vacuity
	}
	return answer
}

// step is bounds that are one larger in something.
type step struct {
	name   string // what is larger, as settings: isolations=2
	bounds rounds.Bounds
}

// faultKinds returns the kinds of fault that a program can have.
func faultKinds() []rounds.Kind {
	return slices.DeleteFunc(rounds.Kinds(), func(k rounds.Kind) bool { return !k.OfPrograms() || k == rounds.Choose })
}

// steps are the nearest bounds in which there are further schedules: one more fault of
// each kind, then more rounds.
func steps(p Protocol) (all []step) {
	b := p.Bounds()
	for _, kind := range faultKinds() {
		n := b.Budget(kind)
		if n == rounds.Unlimited || lostAnyway(b, kind) {
			continue
		}
		larger := b
		larger.SetBudget(kind, n+1)
		larger = larger.Normal()
		if p.Possible(larger) == nil && schedules.Count(larger).Cmp(schedules.Count(b)) > 0 {
			all = append(all, step{fmt.Sprintf("%s=%d", kind.Setting(), larger.Budget(kind)), larger})
		}
	}
	return append(all, longer(p)...)
}

// lostAnyway tells whether any messages can be lost that such faults lose, one by one.
func lostAnyway(b rounds.Bounds, kind rounds.Kind) bool {
	switch kind {
	case rounds.Isolate:
		return b.Omissions == rounds.Unlimited && !b.OwnLost
	case rounds.Partition, rounds.Cut:
		return b.Omissions == rounds.Unlimited
	}
	return false
}

// longer are bounds with one more round, or phase where there are phases: faults that
// begin earlier, if they begin late; losses for longer before the same end, if losses have an end; and an end that is later, by which
// losses are as long over as before.
func longer(p Protocol) (all []step) {
	b := p.Bounds()
	more, later := max(b.Period, 1), b
	later.EOT += more
	name := fmt.Sprintf("eot=%d", later.EOT)
	if b.From > 1 {
		sooner := b
		sooner.From = max(b.From-more, 1)
		if schedules.Count(sooner).Cmp(schedules.Count(b)) > 0 {
			all = append(all, step{fmt.Sprintf("from=%d", sooner.From), sooner})
		}
	}
	if b.EFF > 0 && b.EFF <= b.EOT {
		losing := b
		losing.EFF = min(b.EFF+more, b.EOT+1)
		if schedules.Count(losing).Cmp(schedules.Count(b)) > 0 {
			all = append(all, step{fmt.Sprintf("eff=%d", losing.EFF), losing})
		}
	}
	if b.EFF > 0 {
		later.EFF += more
		name += fmt.Sprintf(" eff=%d", later.EFF)
	}
	if p.Possible(later) == nil {
		all = append(all, step{name, later})
	}
	return all
}
