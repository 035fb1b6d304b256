package rounds

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Pattern describes faults: those of one kind, of one process or all, in some
// rounds or all. Its text form is that of a fault in which "*" stands for any
// process, the round may be left out, and "@2..4" stands for any round from 2
// to 4:
//
//	crash a@2    omit *>c@1..3    omit a>c    isolate *
type Pattern struct {
	Kind        Kind
	Process, To string // "*" matches every process; To is for omissions
	From, Until int    // the rounds; both 0: any round
}

// ParsePattern reads one pattern.
func ParsePattern(text string) (Pattern, error) {
	fail := func(wrong string) (Pattern, error) {
		return Pattern{}, fmt.Errorf("fault pattern %q: %s; write for example 'crash a@2', 'omit *>c@1..3', 'omit a>c' or 'isolate b'", text, wrong)
	}
	if strings.Contains(text, ";") {
		return fail("one pattern at a time")
	}
	words := strings.Fields(text)
	if len(words) != 2 {
		return fail("expected a kind of fault and what it strikes")
	}
	p := Pattern{}
	switch words[0] {
	case "crash":
		p.Kind = Crash
	case "isolate":
		p.Kind = Isolate
	case "omit":
		p.Kind = Omit
	default:
		return fail(fmt.Sprintf("unknown kind of fault %q, expected crash, isolate or omit", words[0]))
	}
	who, when, timed := cutLast(words[1], "@")
	if timed {
		var err error
		if p.From, p.Until, err = parseRounds(when); err != nil {
			return fail(err.Error())
		}
	}
	p.Process = who
	if p.Kind == Omit {
		var ok bool
		if p.Process, p.To, ok = strings.Cut(who, ">"); !ok {
			return fail("an omission is from one process to another: 'omit a>c'")
		}
		if p.To == "" {
			return fail("the receiver is missing")
		}
	}
	if p.Process == "" {
		return fail("the process is missing")
	}
	return p, nil
}

func cutLast(text, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(text, sep); i >= 0 {
		return text[:i], text[i+len(sep):], true
	}
	return text, "", false
}

func parseRounds(text string) (from, until int, err error) {
	first, last, isRange := strings.Cut(text, "..")
	if from, err = parseRound(first); err != nil {
		return 0, 0, err
	}
	if !isRange {
		return from, from, nil
	}
	if until, err = parseRound(last); err != nil {
		return 0, 0, err
	}
	if until < from {
		return 0, 0, fmt.Errorf("the rounds %d..%d end before they begin", from, until)
	}
	return from, until, nil
}

func parseRound(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%q is no round: rounds are numbers from 1", text)
	}
	return n, nil
}

// String returns the text form, which ParsePattern reads.
func (p Pattern) String() string {
	text := p.Kind.String() + " " + p.Process
	if p.Kind == Omit {
		text += ">" + p.To
	}
	switch {
	case p.From == 0:
	case p.From == p.Until:
		text += fmt.Sprintf("@%d", p.From)
	default:
		text += fmt.Sprintf("@%d..%d", p.From, p.Until)
	}
	return text
}

// Matches tells whether the pattern describes the fault. An isolation matches
// if the process is isolated in any of the pattern's rounds.
func (p Pattern) Matches(f Fault) bool {
	if p.Kind != f.Kind || !matchesName(p.Process, f.Process) {
		return false
	}
	if p.Kind == Omit && !matchesName(p.To, f.To) {
		return false
	}
	return p.From == 0 || f.Round <= p.Until && max(f.Round, f.Until) >= p.From
}

func matchesName(pattern, name string) bool { return pattern == "*" || pattern == name }

// Check tells what is wrong with the pattern for these processes and this
// number of rounds.
func (p Pattern) Check(processes []string, eot int) error {
	names := []string{p.Process}
	if p.Kind == Omit {
		names = append(names, p.To)
	}
	for _, name := range names {
		if name != "*" && !slices.Contains(processes, name) {
			return fmt.Errorf("fault pattern %q: %w", p, unknownProcess(name, processes))
		}
	}
	if p.From > eot {
		return fmt.Errorf("fault pattern %q: round %d is after the last round, %d", p, p.From, eot)
	}
	return nil
}
