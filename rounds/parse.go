package rounds

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
)

// maxRound is the last round that a schedule can name, and maxFaults the most
// faults that one can have; both are far above what can be analysed.
const (
	maxRound  = 1_000_000
	maxFaults = 100_000
)

// SyntaxError reports a syntax error in the text of a schedule or a pattern.
type SyntaxError struct {
	Text    string // the whole text
	Column  int    // the place of the error, in bytes from 1
	Message string // what was expected, and what is there
}

// Error returns the message with its column, and a short text with a caret under
// it when it is one line.
func (e *SyntaxError) Error() string {
	message := fmt.Sprintf("schedule: column %d: %s", e.Column, e.Message)
	if len(e.Text) > maxShown || strings.ContainsFunc(e.Text, unicode.IsControl) || !utf8.ValidString(e.Text) {
		return message
	}
	before := min(max(e.Column-1, 0), len(e.Text))
	indent := strings.Repeat(" ", text.Width(e.Text[:before]))
	return fmt.Sprintf("%s\n  %s\n  %s^", message, e.Text, indent)
}

// maxShown is how many bytes a schedule has at most that is shown with what is
// wrong in it.
const maxShown = 1000

// ParseSchedule reads the text form of a schedule: faults separated by ";",
// each one of
//
//	crash P@4           P crashes in round 4
//	isolate P@5..8      P is isolated in rounds 5 to 8; P@5 for one round
//	omit P>Q@2          what P sends Q in round 2 is lost; P>Q@2..4 for several
//	omit P>Q@2/Vote     of that the messages of the kind Vote; P>Q@2/Vote#3 the third of them
//	restart P@7         P comes back
//	pause P@5..8        P stands still in rounds 5 to 8; P@5 for one round
//	crash P@4/stored    P crashes in round 4, at a point that it declares
//	crash P@4/torn      P crashes, and its disk keeps some of what was not synced; P@4/kept for all
//	partition P,Q|*@5..8  P and Q exchange nothing with the others in rounds 5 to 8
//	fast P@5..8         the clock of P runs fast in rounds 5 to 8; slow P@5..8 for slow
//	jump P@5+30         the clock of P jumps ahead by 30 rounds
//	failsync P@9        the disk of P makes nothing durable in round 9
//	terminate P@5..8    P gets SIGTERM in round 5, and is started again in round 9
//	lie P>Q@2/Vote No   what P sends Q in round 2 says what the lie No of the system makes of it
//	tick P@5+2          the timers of P tick twice more in round 5
//	ask P@5 "PUT x"     a client asks that of P in round 5
//	choose p("x")@1     the environment chooses the fact p("x") of round 1
//	seed 7              the random choices of the execution
//	ticks 3             how often timers tick in a round
//	goroutines 7        where the order of goroutines comes from
//	reliable *>m        isolations and partitions lose nothing that is sent to m
//	start P@7           P starts in round 7
//	latency P>Q 1       what P sends Q arrives one round later than otherwise
//
// and the other forms of docs/faults.md.
// Before and behind a fault or a setting, "#" begins a comment to the end of the line.
// The empty text is the schedule without faults, and so is none. The faults come back in
// the order of the text.
func ParseSchedule(text string) (Schedule, error) {
	p := &scheduleParser{text: text}
	if p.none() {
		return Schedule{}, nil
	}
	var s Schedule
	for {
		p.comments()
		if p.done() {
			return s, nil
		}
		if !p.setting(&s.Settings) {
			s.Faults = append(s.Faults, p.fault(len(s.Faults))...)
		}
		if p.comments(); !p.done() {
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
	text    string
	at      int  // in bytes
	pattern bool // "*" is any process
	err     *SyntaxError
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

// comments skips spaces and comments.
func (p *scheduleParser) comments() {
	for p.space(); p.err == nil && strings.HasPrefix(p.text[p.at:], "#"); p.space() {
		line, _, _ := strings.Cut(p.text[p.at:], "\n")
		p.at += len(line)
	}
}

// none tells whether the whole text is "none", which answers say where there are no faults.
// Otherwise the parser stands where it stood.
func (p *scheduleParser) none() bool {
	start := p.at
	p.comments()
	if end := p.wordEnd(); p.text[p.at:end] == "none" {
		p.at = end
		if p.comments(); p.done() {
			return true
		}
	}
	p.at = start
	return false
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
	if p.pattern && end == p.at && strings.HasPrefix(p.text[p.at:], "*") {
		end++
	}
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
	switch word {
	case reliableKey:
		p.reliable(start, all)
		return true
	case startKey:
		p.starts(all)
		return true
	case latencyKey:
		p.latencies(all)
		return true
	case requestsKey:
		p.requests(start, all)
		return true
	}
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

// reliable reads links, as in *>m,c>*.
func (p *scheduleParser) reliable(start int, all *Settings) {
	defer func(pattern bool) { p.pattern = pattern }(p.pattern)
	p.pattern = true
	var patterns []string
	for more := true; more; {
		from := p.word("a link that loses nothing, as in reliable *>m")
		p.expect('>', `">" and the receiver, as in reliable *>m`)
		patterns = append(patterns, from+">"+p.word("the name of the receiver after >"))
		p.space()
		if more = !p.done() && p.text[p.at] == ','; more {
			p.at++
		}
	}
	text := syntax.LinksText(patterns)
	if all.Reliable != "" && all.Reliable != text {
		p.fail(start, "there is reliable %s already", all.Reliable)
	}
	all.Reliable = text
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

// fault reads one fault, before which there are so many; an omission, or failed syncs, in
// several rounds are several faults.
func (p *scheduleParser) fault(before int) []Fault {
	f := p.kind("a fault: " + text.List(kindNames(), "or"))
	p.target(&f)
	p.expect('@', fmt.Sprintf(`"@" and a round, as in %s@2`, cmp.Or(f.To, f.Process, f.Detail)))
	start := p.at
	first, last := p.rounds()
	each := f.Kind == Omit || f.Kind == FailSync
	p.of(&f)
	switch {
	case p.err != nil:
		return nil
	case first != last && !f.Kind.lasts() && !each:
		p.fail(start, "%s has one round, as in %s %s@%d", f.Kind, f.Kind, cmp.Or(f.Process, f.Detail), first)
		return nil
	case before+last-first >= maxFaults:
		p.fail(start, "a schedule has at most %d faults", maxFaults)
		return nil
	case each:
		var faults []Fault
		for f.Round = first; f.Round <= last; f.Round++ {
			faults = append(faults, f)
		}
		return faults
	case f.Kind.lasts():
		f.Until = last
	}
	f.Round = first
	p.rest(&f)
	return []Fault{f}
}

// kind reads the word for a fault; what says what it is for.
func (p *scheduleParser) kind(what string) Fault {
	p.space()
	start := p.at
	word := p.word(what)
	i := slices.Index(kindNames(), word)
	if i < 0 {
		p.fail(start, "there is no fault %q%s; the faults are %s, the settings %s",
			word, text.DidYouMean(word, slices.Concat(kindNames(), settingWords)), text.List(kindNames(), "and"), text.List(settingWords, "and"))
		return Fault{}
	}
	return Fault{Kind: Kind(i)}
}

// target reads what a fault strikes.
func (p *scheduleParser) target(f *Fault) {
	switch kindTable[f.Kind].shape {
	case ofSides:
		if p.pattern && p.anySides() {
			f.Detail = "*"
			return
		}
		p.sides(f)
		return
	case ofCall:
		f.Detail = p.call()
		return
	}
	f.Process = p.word("the name of a process after " + f.Kind.String())
	if shape := kindTable[f.Kind].shape; shape == ofLink || shape == ofLater || shape == ofLie {
		p.expect('>', fmt.Sprintf(`">" and the receiver, as in %s a>b@2`, f.Kind))
		f.To = p.word("the name of the receiver after >")
	}
}

// rest reads what a fault has after its rounds.
func (p *scheduleParser) rest(f *Fault) {
	switch kindTable[f.Kind].shape {
	case ofLater, ofJump:
		p.expect('+', fmt.Sprintf(`"+" and how much later, as in %s@%d+2`, cmp.Or(f.To, f.Process), f.Round))
		f.By = p.later()
	case ofOrder:
		f.Detail = strings.Join(p.names("the senders in their order, as in order b@5 c,a"), ",")
	case ofCrash:
		p.crash(f)
	case ofLie:
		f.Detail = p.word("the name of a lie, as in lie a>b@3/Vote ToNil")
	case ofAsk:
		f.Detail = p.payload()
	}
}

// payload reads what a client asks, in quotes.
func (p *scheduleParser) payload() string {
	p.space()
	quoted, err := strconv.QuotedPrefix(p.text[p.at:])
	if err != nil || quoted[0] == '\'' {
		p.fail(p.at, `expected what is asked, in quotes, as in ask a@3 "PUT x=1", and found %s`, p.next())
		return ""
	}
	said, err := strconv.Unquote(quoted)
	if err != nil {
		p.fail(p.at, "%s is no text in quotes", quoted)
	}
	p.at += len(quoted)
	return said
}

// disks are what the disk of a process keeps of what was not synced when it
// crashes.
var disks = []string{lost, "kept", "torn"}

// lost is what happens to it unless a crash says otherwise.
const lost = "lost"

// crash reads "/point", "/disk" or "/point/disk".
func (p *scheduleParser) crash(f *Fault) {
	var parts []string
	for p.err == nil && p.text[p.at:] != "" && p.text[p.at] == '/' {
		p.at++
		start := p.at
		part := p.upTo("/", "a point within the round, or what the disk keeps: lost, kept or torn")
		if len(parts) > 0 && (len(parts) > 1 || slices.Contains(disks, parts[0]) || !slices.Contains(disks, part)) {
			p.fail(start, "after / stand a point within the round and what the disk keeps, lost, kept or torn, as in crash a@12/persisted/torn")
		}
		parts = append(parts, part)
	}
	if f.Detail = strings.Join(parts, "/"); f.Disk() == lost {
		*f = f.withDisk("")
	}
}

// upTo reads a name that does not have a separator in it.
func (p *scheduleParser) upTo(separator, what string) string {
	start := p.at
	word := p.word(what)
	if i := strings.Index(word, separator); i >= 0 {
		p.at -= len(word) - i
		word = word[:i]
		if i == 0 {
			p.fail(start, "expected %s, and found %q", what, separator)
		}
	}
	return word
}

// names reads names with "," between them, each of them once.
func (p *scheduleParser) names(what string) []string {
	var all []string
	for {
		p.space()
		start := p.at
		name := p.word(what)
		if slices.Contains(all, name) {
			p.fail(start, "%s is named twice", name)
		}
		all = append(all, name)
		p.space()
		if p.done() || p.text[p.at] != ',' {
			return all
		}
		p.at++
	}
}

// sides reads the sides of a partition; one process against the rest is an
// isolation of it.
func (p *scheduleParser) sides(f *Fault) {
	start := p.at
	first := p.side()
	p.expect('|', `"|" and the other side, as in partition a,b|*@5..8`)
	second := p.side()
	if p.err != nil {
		return
	}
	for _, name := range first {
		if slices.Contains(second, name) {
			p.fail(start, "%s is on both sides", name)
			return
		}
	}
	if star := []string{"*"}; slices.Equal(first, star) || !slices.Equal(second, star) && slices.Compare(second, first) < 0 {
		first, second = second, first
	}
	f.Detail = strings.Join(first, ",") + "|" + strings.Join(second, ",")
	*f = f.withoutSides()
}

// anySides reads the "*" of a pattern of any partition, and returns false if it is
// one of two sides.
func (p *scheduleParser) anySides() bool {
	p.space()
	rest, star := strings.CutPrefix(p.text[p.at:], "*")
	if p.err != nil || !star || strings.HasPrefix(strings.TrimSpace(rest), "|") {
		return false
	}
	p.at++
	return true
}

// side reads one side of a partition, sorted; "*" is the rest.
func (p *scheduleParser) side() []string {
	p.space()
	if !p.done() && p.text[p.at] == '*' {
		p.at++
		return []string{"*"}
	}
	return slices.Sorted(slices.Values(p.names(`the names of a side, or "*" for the rest`)))
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
	start, digits := p.digits(fmt.Sprintf("a number, as in %s 7", word))
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		p.fail(start, "%s is too large a number for %s", digits, word)
	}
	return n
}

// round reads the number of a round.
func (p *scheduleParser) round() int {
	start, digits := p.digits("the number of a round")
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || n > maxRound {
		p.fail(start, "%s is no round: rounds count from 1, to at most %d", digits, maxRound)
		return 0
	}
	return n
}

// later reads by how many rounds.
func (p *scheduleParser) later() int {
	start, digits := p.digits("how much later")
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || n > maxRound {
		p.fail(start, "%s: what comes later comes 1 to %d later", digits, maxRound)
		return 0
	}
	return n
}

// digits reads a number; what says what it is.
func (p *scheduleParser) digits(what string) (start int, digits string) {
	p.space()
	start = p.at
	if p.err != nil {
		return start, ""
	}
	rest := strings.TrimLeft(p.text[start:], "0123456789")
	if p.at = len(p.text) - len(rest); p.at == start {
		p.fail(start, "expected %s, and found %s", what, p.next())
	}
	return start, p.text[start:p.at]
}
