package rounds

import (
	"fmt"
	"slices"
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
	p := &scheduleParser{text: text, pattern: true}
	f := p.kind("a kind of fault: crash, isolate or omit")
	if p.err == nil && f.Kind.row().by != programs {
		p.fail(0, "expected crash, isolate or omit, and found %q", f.Kind)
	}
	p.target(&f)
	if p.space(); !p.done() && p.text[p.at] == '@' {
		p.at++
		f.Round, f.Until = p.rounds()
	}
	if p.space(); !p.done() {
		p.fail(p.at, "expected the end of the pattern, and found %s", p.next())
	}
	if p.err != nil {
		return Pattern{}, fmt.Errorf("fault pattern %q: column %d: %s; write for example 'crash a@2', 'omit *>c@1..3', 'omit a>c' or 'isolate b'",
			text, p.err.Column, p.err.Message)
	}
	return Pattern{f.Kind, f.Process, f.To, f.Round, f.Until}, nil
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
