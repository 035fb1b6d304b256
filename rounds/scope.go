package rounds

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
)

// String returns the scope in words, as in "3 processes, 6 rounds, omissions
// before round 3, at most 1 crash".
func (b Bounds) String() string {
	b = b.Normal()
	parts := []string{text.Plural(len(b.Processes), "process"), text.Plural(b.EOT, "round")}
	parts = append(parts, b.joinText()...)
	declared := len(parts)
	kinds := Kinds()
	slices.SortStableFunc(kinds, func(k, l Kind) int { return cmp.Compare(k.row().bound.scope, l.row().bound.scope) })
	for _, k := range kinds {
		if n := b.Budget(k); n != 0 && k != Choose && b.possible(k) {
			parts = append(parts, b.budget(n, k)+b.note(k))
		}
	}
	if len(parts) > declared && b.From > 1 {
		parts = slices.Insert(parts, declared, fmt.Sprintf("faults from round %d on", b.From))
	}
	if len(parts) > declared && b.FaultFree > 0 {
		parts = append(parts, fmt.Sprintf("none in the last %s", text.Plural(b.FaultFree, "round")))
	}
	if len(parts) > declared && b.At != "" {
		parts = append(parts, "all at the starts of phases"+b.lengthOfPhases(parts))
	}
	if len(parts) == declared {
		parts = append(parts, "no faults")
	}
	parts = append(parts, b.noteOfNetwork()...)
	if len(b.Choose) > 0 {
		parts = append(parts, b.chosen())
	}
	return strings.Join(parts, ", ")
}

// lengthOfPhases says how long phases are if nothing else does.
func (b Bounds) lengthOfPhases(said []string) string {
	length := fmt.Sprintf(" of %d rounds", b.Period)
	if b.Period == 1 || strings.Contains(strings.Join(said, ""), " in phases"+length) {
		return ""
	}
	return length
}

// possible tells whether there can be faults of a kind with a budget.
func (b Bounds) possible(k Kind) bool {
	switch {
	case k == Restart:
		return b.Crashes != 0
	case k == Delay || k == Duplicate:
		return b.lastLate() >= b.FirstFault()
	case k.row().bound.losses:
		return b.LastLoss() >= b.FirstFault()
	default:
		return true
	}
}

// lastLate is the last round of which messages can come late or twice: in the last
// one of all there is no later round for them to arrive in.
func (b Bounds) lastLate() int { return min(b.LastLoss(), b.EOT-1) }

// note is what the scope says of a kind besides its budget.
func (b Bounds) note(k Kind) string {
	note := ""
	if k == Jump {
		note += fmt.Sprintf(" of up to %s", text.Plural(b.MaxJump, "round"))
	}
	switch k {
	case Delay:
		note += fmt.Sprintf(" of up to %s", text.Plural(b.MaxDelay, "round"))
	case Duplicate:
		note += fmt.Sprintf(" up to %s later", text.Plural(b.MaxDelay, "round"))
	}
	if k.lasts() && b.Period > 1 {
		note += fmt.Sprintf(" in phases of %d rounds", b.Period)
		if len(b.Phase) > 0 {
			note += " (" + strings.Join(b.Phase, ", ") + ")"
		}
	}
	if k.row().bound.losses && b.EFF > 0 {
		note += fmt.Sprintf(" before round %d", b.EFF)
	}
	if k.ofLinks() {
		note += b.noteOfKinds()
	}
	if k == Omit && b.Implied {
		note += fmt.Sprintf(" (implied by eff=%d)", b.EFF)
	}
	if k == Crash {
		note += b.noteOfCrashes()
	}
	if k == Restart && len(b.Durable) > 0 {
		note += fmt.Sprintf(" (durable %s)", text.List(b.Durable, "and"))
	}
	if k == Isolate && b.OwnLost {
		note += " (own messages lost)"
	}
	return note + b.assumed(k)
}

// pointsShown is how many crash points a scope names.
const pointsShown = 8

// noteOfCrashes says what a crash does, and at which points within a round there
// can be one.
func (b Bounds) noteOfCrashes() string {
	var notes []string
	if b.CrashStop {
		notes = append(notes, "stop")
	}
	if points := b.allPoints(); points != nil && b.At == "" {
		if more := len(points) - pointsShown; more > 1 {
			points = append(points[:pointsShown:pointsShown], fmt.Sprintf("%d more", more))
		}
		notes = append(notes, "also at "+text.List(points, "and"))
	}
	if b.Disks {
		notes = append(notes, "what is not synced is "+text.List(disks, "or"))
	}
	if notes == nil {
		return ""
	}
	return " (" + strings.Join(notes, "; ") + ")"
}

// allPoints returns the points of all processes, each once.
func (b Bounds) allPoints() []string {
	var all []string
	for _, p := range b.Processes {
		for _, point := range b.Points[p] {
			if !slices.Contains(all, point) {
				all = append(all, point)
			}
		}
	}
	return all
}

// budget returns "at most 2 crashes", "crashes" without a limit, or "no crashes"
// where the assumptions leave none.
func (b Bounds) budget(n int, k Kind) string {
	switch {
	case b.excludes(k):
		return "no " + text.PluralWord(k.Noun())
	case n == Unlimited:
		return text.PluralWord(k.Noun())
	default:
		return "at most " + text.Plural(n, k.Noun())
	}
}

// OfAnyRounds describes the bounds without their number of rounds, for questions about any number of
// rounds, each with losses.
func (b Bounds) OfAnyRounds() string {
	choose := b.Choose
	b = b.Lasting(b.EOT)
	b.Choose = choose
	s := strings.Replace(b.String(), text.Plural(b.EOT, "round"), "any number of rounds", 1)
	if b.Omissions == Unlimited {
		s = strings.Replace(s, "omissions", "omissions in any round", 1)
	}
	return s
}
