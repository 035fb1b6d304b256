package rounds

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lineage-driven/ldfi/internal/spelling"
)

// maxRound is the last round that a schedule can name, and maxFaults the most
// faults that one can have; both are far above what can be analysed.
const (
	maxRound  = 1_000_000
	maxFaults = 100_000
)

// SyntaxError reports where the text of a schedule is not one.
type SyntaxError struct {
	Text    string // the whole text
	Column  int    // where, counted in bytes from 1
	Message string // what was expected, and what is there
}

// Error returns the message with its column, and the text with a caret under
// it when it is one line.
func (e *SyntaxError) Error() string {
	message := fmt.Sprintf("schedule: column %d: %s", e.Column, e.Message)
	if strings.ContainsFunc(e.Text, unicode.IsControl) || !utf8.ValidString(e.Text) {
		return message
	}
	before := min(max(e.Column-1, 0), len(e.Text))
	indent := strings.Repeat(" ", utf8.RuneCountInString(e.Text[:before]))
	return fmt.Sprintf("%s\n  %s\n  %s^", message, e.Text, indent)
}

// ParseSchedule reads the text form of a schedule: faults separated by ";",
// each one of
//
//	crash P@4           P crashes in round 4
//	isolate P@5..8      P is isolated in rounds 5 to 8; P@5 for one round
//	omit P>Q@2          what P sends Q in round 2 is lost; P>Q@2..4 for several
//	restart P@7         P comes back
//	pause P@5..8        P stands still in rounds 5 to 8; P@5 for one round
//	seed 7              the random choices of the execution
//	ticks 3             how often timers tick in a round
//	seed 9 from 36      the random choices from round 36 on
//	goroutines 7        the order of goroutines
//
// The empty text is the schedule without faults. The faults come back in the
// order of the text.
func ParseSchedule(text string) (Schedule, error) {
	p := &scheduleParser{text: text}
	var s Schedule
	for {
		p.space()
		if p.done() {
			return s, p.err
		}
		if !p.setting(&s.Settings) {
			s.Faults = append(s.Faults, p.fault(len(s.Faults))...)
		}
		if p.space(); !p.done() {
			p.expect(';', `";" and the next fault`)
		}
		if p.err != nil {
			return Schedule{}, p.err
		}
	}
}

// scheduleParser reads a schedule from left to right. After the first error it
// stands still.
type scheduleParser struct {
	text string
	at   int // in bytes
	err  error
}

func (p *scheduleParser) done() bool { return p.err != nil || p.at == len(p.text) }

func (p *scheduleParser) fail(at int, format string, args ...any) {
	if p.err == nil {
		p.err = &SyntaxError{Text: p.text, Column: at + 1, Message: fmt.Sprintf(format, args...)}
	}
}

func (p *scheduleParser) space() {
	p.at = len(p.text) - len(strings.TrimLeftFunc(p.text[p.at:], unicode.IsSpace))
}

// next returns what stands at the parser, for an error message.
func (p *scheduleParser) next() string {
	if p.at == len(p.text) {
		return "the end"
	}
	r, size := utf8.DecodeRuneInString(p.text[p.at:])
	if isNameRune(r) {
		return strconv.Quote(p.text[p.at:p.wordEnd()])
	}
	return strconv.Quote(p.text[p.at : p.at+size])
}

func (p *scheduleParser) wordEnd() int {
	rest := p.text[p.at:]
	if i := strings.IndexFunc(rest, func(r rune) bool { return !isNameRune(r) }); i >= 0 {
		return p.at + i
	}
	return len(p.text)
}

// expect reads one character; what says what it is for.
func (p *scheduleParser) expect(c byte, what string) {
	p.space()
	if p.err != nil {
		return
	}
	if p.at == len(p.text) || p.text[p.at] != c {
		p.fail(p.at, "expected %s, and found %s", what, p.next())
		return
	}
	p.at++
}

// word reads a name; what says what it names.
func (p *scheduleParser) word(what string) string {
	p.space()
	if p.err != nil {
		return ""
	}
	end := p.wordEnd()
	if end == p.at {
		p.fail(p.at, "expected %s, and found %s", what, p.next())
		return ""
	}
	word := p.text[p.at:end]
	p.at = end
	return word
}

// setting reads a setting, and returns false if there is none.
func (p *scheduleParser) setting(all *Settings) bool {
	start := p.at
	word := p.text[p.at:p.wordEnd()]
	if !slices.Contains(settingWords, word) {
		return false
	}
	p.at = p.wordEnd()
	setting := Set(p.value(word))
	old := map[string]*Setting{"seed": &all.Seed, "ticks": &all.Ticks, "goroutines": &all.Goroutines}[word]
	from := 0
	if word == "seed" && p.keyword("from") {
		old, from = &all.Reseed, p.round()
	}
	if old.Given && (*old != setting || from != 0 && from != all.ReseedFrom) {
		p.fail(start, "there is %s %d already", word, old.Value)
	}
	*old = setting
	if from != 0 {
		all.ReseedFrom = from
	}
	return true
}

// keyword reads a word, and returns false if it is not there.
func (p *scheduleParser) keyword(word string) bool {
	p.space()
	if p.err != nil || p.text[p.at:p.wordEnd()] != word {
		return false
	}
	p.at = p.wordEnd()
	return true
}

// fault reads one fault, before which there are so many; an omission in several
// rounds is several faults.
func (p *scheduleParser) fault(before int) []Fault {
	start := p.at
	word := p.word("a fault: crash, isolate, omit, restart or pause")
	kind, ok := kindOf(word)
	if !ok {
		p.fail(start, "there is no fault %q%s; the faults are crash, isolate, omit, restart and pause, the settings seed, ticks and goroutines",
			word, spelling.DidYouMean(word, slices.Concat(kindNames, settingWords)))
		return nil
	}
	f := Fault{Kind: kind}
	f.Process = p.word("the name of a process after " + word)
	if kind == Omit {
		p.expect('>', `">" and the receiver, as in omit a>b@2`)
		f.To = p.word("the name of the receiver after >")
	}
	p.expect('@', fmt.Sprintf(`"@" and a round, as in %s@2`, cmp.Or(f.To, f.Process)))
	start = p.at
	first, last := p.rounds()
	switch {
	case p.err != nil:
		return nil
	case first != last && !kind.lasts() && kind != Omit:
		p.fail(start, "%s has one round, as in %s %s@%d", word, word, f.Process, first)
		return nil
	case before+last-first >= maxFaults:
		p.fail(start, "a schedule has at most %d faults", maxFaults)
		return nil
	case kind == Omit:
		var faults []Fault
		for f.Round = first; f.Round <= last; f.Round++ {
			faults = append(faults, f)
		}
		return faults
	case kind.lasts():
		f.Until = last
	}
	f.Round = first
	return []Fault{f}
}

func kindOf(word string) (Kind, bool) {
	i := slices.Index(kindNames, word)
	return Kind(i), i >= 0
}

// rounds reads "5" or "5..8".
func (p *scheduleParser) rounds() (first, last int) {
	first = p.round()
	last = first
	p.space()
	if strings.HasPrefix(p.text[p.at:], "..") {
		start := p.at
		p.at += len("..")
		if last = p.round(); last < first {
			p.fail(start, "the rounds %d..%d run backwards", first, last)
		}
	}
	return first, last
}

// value reads the number of a setting.
func (p *scheduleParser) value(word string) uint64 {
	end := p.number(fmt.Sprintf("a number, as in %s 7", word))
	if end == p.at {
		return 0
	}
	n, err := strconv.ParseUint(p.text[p.at:end], 10, 64)
	if err != nil {
		p.fail(p.at, "%s is too large a number for %s", p.text[p.at:end], word)
	}
	p.at = end
	return n
}

// number returns where the digits at the parser end; what says what they are
// for.
func (p *scheduleParser) number(what string) (end int) {
	p.space()
	if p.err != nil {
		return p.at
	}
	end = p.at
	for end < len(p.text) && p.text[end] >= '0' && p.text[end] <= '9' {
		end++
	}
	if end == p.at {
		p.fail(p.at, "expected %s, and found %s", what, p.next())
	}
	return end
}

func (p *scheduleParser) round() int {
	end := p.number("the number of a round")
	if end == p.at {
		return 0
	}
	n, err := strconv.Atoi(p.text[p.at:end])
	if err != nil || n < 1 || n > maxRound {
		p.fail(p.at, "%s is no round: rounds count from 1, to at most %d", p.text[p.at:end], maxRound)
		return 0
	}
	p.at = end
	return n
}
