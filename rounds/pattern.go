package rounds

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
)

// Pattern describes faults of one kind, of one process or all, in some rounds or all.
// Its text is that of a fault in which "*" stands for any process, the round may be
// left out, and "@2..4" stands for any round from 2 to 4:
//
//	crash a@2    omit *>c@1..3    omit a>c    isolate *    partition a,b|*    choose submit(*, 3)@1
//	omit *>*@*/Vote
//
// "@*" is any round, behind which a kind of message stands. Without one the faults of all
// messages of a link match, and those of any kind.
// The sides of a partition are those of a schedule, where "*" is the rest, and
// "partition *" is any partition. In a fact that is chosen "*" is any value, and the
// relation alone is all of its facts.
type Pattern struct {
	Kind        Kind
	Process, To string // "*" matches every process; To is for faults of links
	Sides       string // the sides of a partition, as in the Detail of a fault; "*" matches all
	From, Until int    // the rounds; both 0: any round
	Fact        string // the fact that the environment chooses
	By          int    // how many rounds later a message arrives; 0: any number
	Of          string // the kind of message that is hit; "": any, or all messages
	Nth         int    // which of these; 0: any, or all
}

// patternWords lists the words for the faults that patterns describe.
func patternWords() string {
	var words []string
	for _, row := range kindTable {
		if row.by == programs {
			words = append(words, row.word)
		}
	}
	return text.List(words, "or")
}

// ParsePattern reads one pattern.
func ParsePattern(text string) (Pattern, error) {
	p := &scheduleParser{text: text, pattern: true}
	f := p.kind("a kind of fault: " + patternWords())
	if p.err == nil && !f.Kind.OfPrograms() {
		p.fail(0, "expected %s, and found %q", patternWords(), f.Kind)
	}
	p.target(&f)
	p.space()
	at := !p.done() && p.text[p.at] == '@'
	if at {
		p.at++
		if !p.anyRound() {
			f.Round, f.Until = p.rounds()
		}
		p.of(&f)
	}
	if p.space(); f.Kind.row().shape == ofLater && at && !p.done() && p.text[p.at] == '+' {
		p.at++
		f.By = p.later()
	}
	if p.space(); !p.done() {
		p.fail(p.at, "expected the end of the pattern, and found %s", p.next())
	}
	if p.err != nil {
		return Pattern{}, fmt.Errorf("fault pattern %q: column %d: %s; write for example 'crash a@2', 'omit *>c@1..3', 'omit a>c' or 'isolate b'",
			text, p.err.Column, p.err.Message)
	}
	made := Pattern{Kind: f.Kind, Process: f.Process, To: f.To, From: f.Round, Until: f.Until, By: f.By, Of: f.Of, Nth: f.Nth}
	if f.Kind == Choose {
		made.Fact = f.Detail
	} else {
		made.Sides = f.Detail
	}
	return made, nil
}

// IsPattern tells whether text is a pattern over faults rather than a fact: it has no
// parenthesis, or begins with the word for a kind of fault and a space (names of
// processes may contain parentheses).
func IsPattern(text string) bool {
	word, _, spaced := strings.Cut(strings.TrimSpace(text), " ")
	fault := slices.ContainsFunc(kindTable[:], func(row kindRow) bool { return row.word == word })
	return spaced && fault || !strings.Contains(text, "(")
}

// String returns the text form, which ParsePattern reads.
func (p Pattern) String() string {
	text := p.Kind.String() + " " + p.Process + p.Sides + p.Fact
	if p.Kind.ofLinks() {
		text += ">" + p.To
	}
	switch {
	case p.From == 0 && (p.Of != "" || p.By > 0):
		text += "@*"
	case p.From == 0:
	case p.From == p.Until:
		text += fmt.Sprintf("@%d", p.From)
	default:
		text += fmt.Sprintf("@%d..%d", p.From, p.Until)
	}
	if p.Of != "" {
		text += "/" + Fault{Of: p.Of, Nth: p.Nth}.ofText()
	}
	if p.By > 0 {
		text += fmt.Sprintf("+%d", p.By)
	}
	return text
}

// ofLinks tells whether faults of the kind strike links.
func (k Kind) ofLinks() bool {
	return k.row().shape == ofLink || k.row().shape == ofLater || k.row().shape == ofLie
}

// Matches tells whether the pattern describes f, where processes are all processes of
// the system. A fault that lasts matches if one of its rounds is one of the pattern.
func (p Pattern) Matches(f Fault, processes []string) bool {
	if p.Kind != f.Kind || !matchesName(p.Process, f.Process) {
		return false
	}
	if p.Kind.ofLinks() && !matchesName(p.To, f.To) {
		return false
	}
	if p.Kind == Partition && p.Sides != "*" && !sameSides(p.Sides, f.Detail, processes) {
		return false
	}
	if p.Kind == Choose && !matchesFact(p.Fact, f.Detail) {
		return false
	}
	if p.By > 0 && p.By != f.By || p.Of != "" && p.Of != f.Of || p.Nth > 0 && p.Nth != f.Nth {
		return false
	}
	return p.From == 0 || f.Round <= p.Until && max(f.Round, f.Until) >= p.From
}

func matchesName(pattern, name string) bool { return pattern == "*" || pattern == name }

// sameSides tells whether two texts part the processes in the same way.
func sameSides(a, b string, processes []string) bool {
	one, other := sideOf(a), sideOf(b)
	var same, differ bool
	for _, p := range processes {
		both := slices.Contains(one, p) == slices.Contains(other, p)
		same, differ = same || both, differ || !both
	}
	return same != differ
}

// sideOf returns the names of a side of a partition that has names.
func sideOf(sides string) []string {
	side, other, _ := strings.Cut(sides, "|")
	if side == "*" {
		side = other
	}
	return strings.Split(side, ",")
}

// matchesFact tells whether a pattern describes a fact that is chosen.
func matchesFact(pattern, fact string) bool {
	p, f := factColumns(pattern), factColumns(fact)
	if len(p) == 1 { // a relation alone, or any
		return p[0] == f[0] || p[0] == "*"
	}
	return slices.EqualFunc(p, f, func(p, f string) bool { return p == "*" || p == f })
}

// factColumns returns the relation of a fact, and its values.
func factColumns(text string) []string {
	relation, rest, called := strings.Cut(text, "(")
	all := []string{relation}
	if !called {
		return all
	}
	p := &scheduleParser{text: rest, pattern: true}
	for p.space(); !p.done() && p.text[p.at] != ')'; p.space() {
		all = append(all, p.argument())
		if p.space(); !p.done() && p.text[p.at] == ',' {
			p.at++
		}
	}
	return append(all, ")") // so that a relation without columns has one more
}

// Check returns an error if the pattern names something other than these processes and
// the rounds 1 to eot.
func (p Pattern) Check(processes []string, eot int) error {
	if err := p.checkTarget(processes); err != nil {
		return fmt.Errorf("fault pattern %q: %w", p, err)
	}
	if p.From > eot {
		return fmt.Errorf("fault pattern %q: round %d is after the last round, %d", p, p.From, eot)
	}
	return nil
}

// checkTarget tells what is wrong with the processes of a pattern.
func (p Pattern) checkTarget(processes []string) error {
	if p.Kind == Partition {
		if p.Sides == "*" {
			return nil
		}
		return Fault{Kind: Partition, Detail: p.Sides, Round: max(p.From, 1), Until: p.Until}.checkSides(processes)
	}
	if p.Kind == Choose {
		return nil
	}
	names := []string{p.Process}
	if p.Kind.ofLinks() {
		names = append(names, p.To)
	}
	for _, name := range names {
		if name != "*" && !slices.Contains(processes, name) {
			return unknownProcess(name, processes)
		}
	}
	return nil
}
