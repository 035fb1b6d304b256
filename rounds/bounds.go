package rounds

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Unlimited is a budget without a limit, for Crashes, Omissions and Isolations.
const Unlimited = -1

// Bounds say which schedules are looked at: who takes part, for how many
// rounds, and which faults there may be. A kind of fault is possible when its
// budget is not 0.
type Bounds struct {
	Processes []string // their names, in the order in which they are shown
	EOT       int      // end of time: the rounds are 1..EOT
	EFF       int      // end of finite failures: losses happen in rounds before it; 0: in any round

	Crashes    int  // at most so many processes crash
	Omissions  int  // at most so many (sender, receiver, round) lose their messages
	Isolations int  // at most so many (process, phase) are isolated
	Period     int  // the rounds in a phase: an isolated process rejoins when one ends; 0 reads as 1
	CrashStop  bool // a crashed process stops altogether, rather than only sending nothing
}

// Normal returns the bounds with everything implied written out: an EFF with
// neither omissions nor isolations allows any omissions, and the period is at
// least 1.
func (b Bounds) Normal() Bounds {
	if b.EFF > 0 && b.Omissions == 0 && b.Isolations == 0 {
		b.Omissions = Unlimited
	}
	b.Period = max(b.Period, 1)
	return b
}

// At returns the same bounds with another number of rounds.
func (b Bounds) At(eot int) Bounds {
	b.EOT = eot
	return b
}

// LastLoss is the last round in which messages can be lost, 0 if none can be.
func (b Bounds) LastLoss() int {
	if b.EFF > 0 {
		return min(b.EFF-1, b.EOT)
	}
	return b.EOT
}

// Validate reports everything that is wrong with the bounds.
func (b Bounds) Validate() error {
	var problems []error
	problem := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }
	if len(b.Processes) == 0 {
		problem("no processes: name at least one, as in processes=a,b,c")
	}
	seen := map[string]bool{}
	for _, name := range b.Processes {
		if err := checkName(name); err != nil {
			problems = append(problems, err)
		} else if seen[name] {
			problem("process %s is named twice", name)
		}
		seen[name] = true
	}
	if b.EOT < 1 {
		problem("eot is %d, and there must be at least one round, as in eot=6", b.EOT)
	}
	if b.EFF < 0 {
		problem("eff is %d, and it must be a round, as in eff=3", b.EFF)
	}
	if b.Period < 0 {
		problem("period is %d, and a phase has at least one round, as in period=4", b.Period)
	}
	for _, budget := range []struct {
		name  string
		value int
	}{{"crashes", b.Crashes}, {"omissions", b.Omissions}, {"isolations", b.Isolations}} {
		if budget.value < Unlimited {
			problem("%s is %d, and it must be 0 or more, or %q", budget.name, budget.value, unlimitedText)
		}
	}
	return errors.Join(problems...)
}

// checkName reports a process name that the text of a schedule could not hold.
func checkName(name string) error {
	if name == "" {
		return errors.New("a process has an empty name")
	}
	if !utf8.ValidString(name) {
		return fmt.Errorf("process name %q is not valid UTF-8", name)
	}
	for _, r := range name {
		if !nameRune(r) {
			return fmt.Errorf("process name %q has %q in it; use letters, digits and _ . - ?", name, r)
		}
	}
	return nil
}

// nameRune tells whether a process name may have r in it.
func nameRune(r rune) bool {
	return r != utf8.RuneError && unicode.IsPrint(r) && !unicode.IsSpace(r) && !strings.ContainsRune(`>;@,"`, r)
}

// phase is a run of rounds at the end of which isolated processes rejoin.
type phase struct{ first, last int }

// phaseOf returns the phase that a round belongs to, cut at the last round in
// which messages can be lost.
func (b Bounds) phaseOf(round int) phase {
	k := max(b.Period, 1)
	first := (round-1)/k*k + 1
	return phase{first, min(first+k-1, b.LastLoss())}
}

// phases returns all phases in which there can be isolations.
func (b Bounds) phases() []phase {
	var all []phase
	for first := 1; first <= b.LastLoss(); first = all[len(all)-1].last + 1 {
		all = append(all, b.phaseOf(first))
	}
	return all
}
