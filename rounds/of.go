package rounds

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ofText writes which messages a fault hits: "Vote", "Vote#2".
func (f Fault) ofText() string {
	text := KindText(f.Of)
	if f.Nth > 0 {
		text += fmt.Sprintf("#%d", f.Nth)
	}
	return text
}

// KindText writes a kind of message as schedules do: in quotes unless it is a plain name.
func KindText(kind string) string {
	if kind == "" || !utf8.ValidString(kind) || strings.ContainsFunc(kind, func(r rune) bool { return !isKindRune(r) }) {
		return strconv.Quote(kind)
	}
	return kind
}

// KindTexts writes kinds of messages.
func KindTexts(kinds []string) []string {
	var all []string
	for _, kind := range kinds {
		all = append(all, KindText(kind))
	}
	return all
}

// isKindRune tells whether the name of a kind of message may have r in it without quotes.
func isKindRune(r rune) bool {
	return unicode.In(r, unicode.L, unicode.Nd) || strings.ContainsRune("_.-", r)
}

// of reads "/Vote" or "/Vote#2" behind the rounds of a fault of messages.
func (p *scheduleParser) of(f *Fault) {
	if p.space(); p.done() || !f.Kind.ofLinks() || p.text[p.at] != '/' {
		return
	}
	p.at++
	if f.Of = p.messageKind(); p.err != nil {
		return
	}
	rest := p.text[p.at:]
	if len(rest) < 2 || rest[0] != '#' || rest[1] < '0' || rest[1] > '9' {
		return // "#" begins a comment
	}
	p.at++
	start, digits := p.digits("which of the messages")
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || n > maxRound {
		p.fail(start, "%s: the messages of a kind count from 1, to at most %d", digits, maxRound)
		return
	}
	f.Nth = n
}

// messageKind reads a kind of message, in quotes unless it is a plain name.
func (p *scheduleParser) messageKind() string {
	p.space()
	rest := p.text[p.at:]
	end := strings.IndexFunc(rest, func(r rune) bool { return !isKindRune(r) })
	switch {
	case strings.HasPrefix(rest, `"`):
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			p.fail(p.at, "expected a kind of message in quotes, as in omit a>b@2/%s, and found no end of it", strconv.Quote("PUT /kv"))
			return ""
		}
		kind, err := strconv.Unquote(quoted)
		if err != nil || kind == "" {
			p.fail(p.at, "expected a kind of message, and found %s", quoted)
			return ""
		}
		p.at += len(quoted)
		return kind
	case end == 0 || rest == "":
		p.fail(p.at, `expected a kind of message after "/", as in omit a>b@2/Vote, and found %s; what is no name stands in quotes`, p.next())
		return ""
	case end < 0:
		end = len(rest)
	}
	p.at += end
	return rest[:end]
}

// anyRound reads the "*" of a pattern for any round.
func (p *scheduleParser) anyRound() bool {
	p.space()
	if p.err != nil || !strings.HasPrefix(p.text[p.at:], "*") {
		return false
	}
	p.at++
	return true
}

// Hits tells whether a fault of a link hits messages of a kind, or one of them.
func (f Fault) Hits(kind string) bool { return f.Of == "" || f.Of == kind }

// checkOf reports a kind of message of a fault that hits none.
func (f Fault) checkOf() error {
	switch {
	case (f.Of != "" || f.Nth != 0) && !f.Kind.ofLinks():
		return errors.New("only omissions, cuts, delays and duplicates are of one kind of message")
	case f.Nth < 0 || f.Nth > maxRound:
		return fmt.Errorf("the messages of a kind count from 1, to at most %d", maxRound)
	case f.Nth > 0 && f.Of == "":
		return errors.New("a number counts the messages of a kind, as in omit a>b@2/Vote#2: name the kind")
	}
	return nil
}

// spots returns what faults of kind k that hit all messages which f hits have in common,
// the ones that hit the fewest first.
func (f Fault) spots(k Kind) []Fault {
	at := Fault{Kind: k, Process: f.Process, To: f.To, Round: f.Round, Of: f.Of, Nth: f.Nth}
	all := []Fault{at}
	if at.Nth > 0 {
		at.Nth = 0
		all = append(all, at)
	}
	if at.Of != "" {
		at.Of = ""
		all = append(all, at)
	}
	return all
}

// breadth is 0 for faults that hit all messages of a link, and grows the fewer they hit.
func (f Fault) breadth() int { return len(f.spots(f.Kind)) }

// widestFirst returns the faults with those first that hit all messages of a link, then those of a kind,
// then those of one message.
func widestFirst(faults []Fault) []Fault {
	if !slices.ContainsFunc(faults, func(f Fault) bool { return f.Of != "" }) {
		return faults
	}
	sorted := slices.Clone(faults)
	slices.SortStableFunc(sorted, func(f, g Fault) int { return f.breadth() - g.breadth() })
	return sorted
}

// withoutNarrow removes the faults of a kind of message from a sorted list that a fault of
// the list which hits more messages makes redundant.
func withoutNarrow(faults []Fault) []Fault {
	if !slices.ContainsFunc(faults, func(f Fault) bool { return f.Of != "" }) {
		return faults
	}
	all := map[Fault][]Fault{} // by what they hit; of cuts those in all rounds
	key := func(f Fault) Fault {
		if f.Kind == Cut {
			f.Round = 0
		}
		return f
	}
	for _, f := range faults {
		if f.Kind.ofLinks() {
			at := key(f.spots(f.Kind)[0])
			all[at] = append(all[at], f)
		}
	}
	return slices.DeleteFunc(faults, func(f Fault) bool {
		if f.Of == "" {
			return false
		}
		for _, wider := range f.spots(f.Kind)[1:] {
			others := all[key(wider)]
			i, found := slices.BinarySearchFunc(others, f, func(g, f Fault) int { return g.Round - f.Round })
			if !found {
				i--
			}
			if i >= 0 && others[i].By == f.By && others[i].Until >= f.Until {
				return true
			}
		}
		return false
	})
}
