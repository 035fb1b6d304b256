package rounds

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/specs"
)

// Choice is a set of facts of which the environment picks some: inputs, coins, the
// process that is first. In mode "one" the first fact holds unless a schedule chooses
// another.
type Choice struct {
	Mode string  // how many of the alternatives hold: "one", "maybe" (at most one) or "some" (any number)
	Of   []Fault // the alternatives, each of the kind Choose
}

// mostAlternatives is how many facts there are at most that the environment can
// choose.
const mostAlternatives = 10_000

// Default returns the alternative that holds if a schedule chooses no other, and false
// if there is none.
func (c Choice) Default() (Fault, bool) {
	if c.Mode != syntax.One || len(c.Of) == 0 {
		return Fault{}, false
	}
	return c.Of[0], true
}

func (c Choice) hasDefault() bool {
	_, ok := c.Default()
	return ok
}

// Others returns the alternatives but for the default: those that a schedule can
// choose.
func (c Choice) Others() []Fault {
	if _, ok := c.Default(); ok {
		return c.Of[1:]
	}
	return c.Of
}

// ByDefault tells whether f chooses a fact that holds anyway unless the schedule
// chooses another alternative.
func (b Bounds) ByDefault(f Fault) bool {
	return f.Kind == Choose && slices.ContainsFunc(b.Choose, func(c Choice) bool {
		first, ok := c.Default()
		return ok && first == f
	})
}

// Exclusive tells whether at most one alternative holds.
func (c Choice) Exclusive() bool { return c.Mode != syntax.Some }

// Fact returns the relation and arguments of the fact that a Choose picks; relation is
// "" for other kinds of fault.
func (f Fault) Fact() (relation string, args []specs.Value) {
	if f.Kind != Choose {
		return "", nil
	}
	relation, rest, _ := strings.Cut(f.Detail, "(")
	p := &scheduleParser{text: rest}
	for p.space(); !p.done() && p.text[p.at] != ')'; p.space() {
		args = append(args, valueOf(p.argument()))
		if p.space(); !p.done() && p.text[p.at] == ',' {
			p.at++
		}
	}
	return relation, args
}

// valueOf returns a value as programs write it.
func valueOf(text string) specs.Value {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return specs.Int(n)
	}
	return specs.String(strings.Trim(text, `"`))
}

// stamped returns what is chosen, with its round.
func (f Fault) stamped() string { return syntax.RoundText(f.Detail, f.Round) }

// choiceProblems returns what is wrong with the choices.
func (b Bounds) choiceProblems() []problem {
	var all []problem
	add := func(format string, args ...any) {
		all = append(all, problem{Choose.Setting(), fmt.Sprintf("choose: "+format, args...)})
	}
	seen, count := map[Fault]bool{}, 0
	for _, c := range b.Choose {
		if !slices.Contains(syntax.Modes, c.Mode) {
			add("there is no mode %q%s: a choice is of %s", c.Mode, text.DidYouMean(c.Mode, syntax.Modes), text.List(syntax.Modes, "or"))
		}
		if count += len(c.Of); count > mostAlternatives {
			add("there are more than %d facts to choose from", mostAlternatives)
			return all
		}
		for _, f := range c.Of {
			if wrong := f.wrongAlternative(b.EOT); wrong != "" {
				add("%s", wrong)
			} else if seen[f] {
				add("%s is an alternative twice", f.stamped())
			}
			seen[f] = true
		}
	}
	return all
}

// wrongAlternative says why the environment cannot choose a fact.
func (f Fault) wrongAlternative(eot int) string {
	p := &scheduleParser{text: f.Detail}
	canonical := p.call()
	switch {
	case f.Kind != Choose || f != Fault{Kind: Choose, Detail: f.Detail, Round: f.Round}:
		return fmt.Sprintf("%s is no fact", f)
	case p.err != nil:
		return fmt.Sprintf("%q is no fact: %s", f.Detail, p.err.Message)
	case !p.done() || canonical != f.Detail:
		return fmt.Sprintf("the fact %q is written %s", f.Detail, canonical)
	case f.Round < 1 || f.Round > eot:
		return fmt.Sprintf("%s: %v", f.stamped(), noRound(f.Round, eot))
	}
	return ""
}

// checkChoice reports a fact that the environment cannot choose.
func (f Fault) checkChoice(b Bounds) error {
	if len(b.Choose) == 0 {
		return fmt.Errorf("nothing here says that it can be chosen, as choose maybe %s; does in a program", f.stamped())
	}
	var rounds []int
	for _, c := range b.Choose {
		for _, g := range c.Of {
			if g == f {
				return nil
			}
			if g.Detail == f.Detail {
				rounds = append(rounds, g.Round)
			}
		}
	}
	if len(rounds) > 0 {
		slices.Sort(rounds)
		return fmt.Errorf("%s can be chosen in no other round than %s", f.Detail, numbers(rounds))
	}
	facts := b.choosable()
	return fmt.Errorf("there is no choice of %s%s: there are %s", f.Detail, text.DidYouMean(f.Detail, facts), some(facts))
}

// numbers writes rounds, runs of them in short.
func numbers(rounds []int) string {
	var parts []string
	for i := 0; i < len(rounds); {
		j := i
		for j+1 < len(rounds) && rounds[j+1] <= rounds[j]+1 {
			j++
		}
		text := fmt.Sprint(rounds[i])
		if rounds[j] > rounds[i] {
			text += fmt.Sprintf("..%d", rounds[j])
		}
		parts = append(parts, text)
		i = j + 1
	}
	return text.List(parts, "or")
}

// choosable returns the facts that can be chosen, each once.
func (b Bounds) choosable() []string {
	var all []string
	seen := map[string]bool{}
	for _, c := range b.Choose {
		for _, f := range c.Of {
			if !seen[f.Detail] {
				seen[f.Detail] = true
				all = append(all, f.Detail)
			}
		}
	}
	return all
}

// factsShown is how many facts an error names.
const factsShown = 8

// some lists some of the facts.
func some(facts []string) string {
	if more := len(facts) - factsShown; more > 1 {
		facts = append(facts[:factsShown:factsShown], fmt.Sprintf("%d more", more))
	}
	return text.List(facts, "and")
}

// CheckChosen returns an error if the pattern is about choices and matches no fact that
// the environment can choose within b.
func (p Pattern) CheckChosen(b Bounds) error {
	for _, c := range b.Choose {
		if slices.ContainsFunc(c.Of, func(f Fault) bool { return p.Matches(f, b.Processes) }) {
			return nil
		}
	}
	if len(b.Choose) == 0 {
		return fmt.Errorf("fault pattern %q: the program has no choices", p)
	}
	facts := b.choosable()
	return fmt.Errorf("fault pattern %q: there is no such choice%s: there are %s", p, text.DidYouMean(p.Fact, slices.Concat(b.chosenRelations(), facts)), some(facts))
}

// checkChoices reports two facts of which only one can be chosen.
func (b Bounds) checkChoices(faults []Fault) error {
	for _, c := range b.Choose {
		if !c.Exclusive() {
			continue
		}
		var first Fault
		for _, f := range faults {
			if f.Kind != Choose || f == first || !slices.Contains(c.Of, f) {
				continue
			}
			if first != (Fault{}) {
				return wrong("%s; %s: of these one alone can be chosen", first, f)
			}
			first = f
		}
	}
	return nil
}

// chosenRelations returns the relations that choices are of, each once, in their order.
func (b Bounds) chosenRelations() []string {
	var all []string
	for _, c := range b.Choose {
		for _, f := range c.Of {
			if r, _, _ := strings.Cut(f.Detail, "("); !slices.Contains(all, r) {
				all = append(all, r)
			}
		}
	}
	return all
}

// call reads a fact, as in submit("n2", 3), and returns it as programs write it. A
// bare word is a string. In a pattern "*" is any value.
func (p *scheduleParser) call() string {
	p.space()
	if p.pattern && strings.HasPrefix(p.text[p.at:], "*") {
		p.at++
		return "*"
	}
	relation := p.upTo("(", "a fact, as in submit(\"n2\")")
	if p.pattern && (p.done() || p.text[p.at] != '(') {
		return relation
	}
	if p.err == nil && (p.done() || p.text[p.at] != '(') {
		p.fail(p.at, `expected ")" at the end of a fact, as in submit("n2"), and found %s`, p.next())
	}
	if p.err != nil {
		return ""
	}
	p.at++
	var args []string
	for {
		if p.space(); p.at < len(p.text) && p.text[p.at] == ')' && len(args) == 0 {
			p.at++
			break
		}
		args = append(args, p.argument())
		if p.space(); p.err == nil && p.at < len(p.text) && p.text[p.at] == ')' {
			p.at++
			break
		}
		if p.err == nil && p.at == len(p.text) {
			p.fail(p.at, `expected ")" at the end of a fact, as in submit("n2"), and found %s`, p.next())
		}
		if p.expect(',', `"," or ")" in a fact, as in write("n2", 3)`); p.err != nil {
			return ""
		}
	}
	return relation + "(" + strings.Join(args, ", ") + ")"
}

// argument reads a value of a fact: a string, an integer, or a word for a string.
func (p *scheduleParser) argument() string {
	const what = `a value of a fact, as in write("n2", 3)`
	p.space()
	if p.err != nil {
		return ""
	}
	if rest := p.text[p.at:]; strings.HasPrefix(rest, `"`) {
		end := strings.Index(rest[1:], `"`)
		if end < 0 {
			p.fail(p.at, `expected ")" at the end of a fact, as in submit("n2"), and found a string without an end`)
			return ""
		}
		if strings.ContainsFunc(rest[1:1+end], unicode.IsControl) {
			p.fail(p.at, "a string that is chosen is one line, without control characters")
			return ""
		}
		p.at += end + 2
		return rest[:end+2]
	}
	start := p.at
	text := p.upTo(")", what)
	if text == "*" || p.err != nil {
		return text
	}
	value, ok := integer(text)
	if !ok {
		return syntax.QuotedText(text)
	}
	if value == "" {
		p.fail(start, "%s does not fit in 64 bits", text)
	}
	return value
}
