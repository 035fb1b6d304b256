package causality

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/schedules"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Words is a difference in words, by subject of the sentences.
type Words struct {
	Parts   []Part   // the effects of the faults, the earliest first; one part leads to the broken promise, the others to it or to another one
	Without []string // the outcome without each fault
	Same    string   // that no outcome of the promise differs
}

// Part is the text of a chain.
type Part struct {
	First   string   // the earliest change
	Instead string   // other messages that would have brought it, if it is missing
	So      []string // its consequences
}

// Describe returns the text of the difference d.
func Describe(d *result.Difference, b rounds.Bounds) *Words {
	w := &writer{d, b}
	if d.Outcome == 0 {
		return &Words{Same: w.same()}
	}
	words := &Words{}
	for _, chain := range Chains(d) {
		links := w.links(chain)
		part := Part{First: links[0], So: links[1:]}
		if w.begins(chain) {
			part.Instead = w.instead()
		}
		words.Parts = append(words.Parts, part)
	}
	words.Without = w.without()
	return words
}

// Sentences returns all sentences, in order.
func (w *Words) Sentences() []string {
	if w.Same != "" {
		return []string{w.Same}
	}
	all := w.Steps()
	for _, text := range w.Without {
		all = append(all, "without "+text)
	}
	return all
}

// Steps returns the sentences about the steps to the broken promise.
func (w *Words) Steps() []string {
	var all []string
	for i, part := range w.Parts {
		all = append(all, Beginning(i)+", "+part.First)
		if part.Instead != "" {
			all = append(all, "instead, "+part.Instead)
		}
		for _, text := range part.So {
			all = append(all, "so "+text)
		}
	}
	return all
}

// Beginning is how a part is begun.
func Beginning(part int) string {
	if part == 0 {
		return "first"
	}
	return "also"
}

type writer struct {
	*result.Difference
	bounds rounds.Bounds
}

// same says that the promise is kept, or broken, in both executions.
func (w *writer) same() string {
	switch {
	case w.Bad.Version != "" && len(w.Bad.Violations) == 0:
		return "both versions keep the promise"
	case w.Bad.Version != "" && len(w.Good.Violations) == 0 && w.Bad.Violations[0].Fact.Relation == "in": // of a guide
		return fmt.Sprintf("%s, only in %s", w.Bad.Violations[0].Text, w.Bad.Version)
	case w.Bad.Version != "" && len(w.Good.Violations) == 0:
		return fmt.Sprintf("both versions have the same outcome, and %s promises more", w.Bad.Version)
	case w.Bad.Version != "":
		return "both versions break the promise, in the same way"
	case len(w.Bad.Violations) == 0:
		return "both executions keep the promise"
	case len(w.Good.Violations) == 0:
		return "both executions have the same outcome, but the promise asks for more in the bad one: compare executions with the same choices"
	}
	return "both executions break the promise, in the same way"
}

// links returns a text for each change of a chain. If the same rule repeats a relation from
// round to round, there are texts only for the first and the last change.
func (w *writer) links(chain Chain) []string {
	var all []string
	for i := 0; i < len(chain.Changes); i++ {
		c := chain.Changes[i]
		if chain.Joined && i > 0 && i == len(chain.Changes)-1 {
			all = append(all, w.differs(c, chain.Without)) // the text of the other chain has the rest
			break
		}
		last := i
		for last+1 < len(chain.Changes) && counts(chain.Changes[last], chain.Changes[last+1]) {
			last++
		}
		if last < i+2 {
			all = append(all, w.link(c, chain.Without, ""))
			continue
		}
		all = append(all, w.link(c, chain.Without, ", and so on until "+w.differs(chain.Changes[last], chain.Without)))
		i = last
	}
	return all
}

// begins tells whether a chain begins like the chain of the difference.
func (w *writer) begins(chain Chain) bool {
	return len(chain.Without.Faults) == 0 && chain.Changes[0].Number == w.Chain[0]
}

// counts tells whether a change is that of the round before with other values.
func counts(c, next result.Change) bool {
	return next.Fact.Relation == c.Fact.Relation && next.Missing == c.Missing && next.Fact.Round == c.Fact.Round+1 && next.Until == next.Fact.Round && next.Rule == c.Rule && c.Rule != ""
}

// link describes a change: the faults that cause it, if any, its other causes if it is the
// outcome, and the position of the rule.
func (w *writer) link(c result.Change, without rounds.Schedule, on string) string {
	s := w.differs(c, without) + on
	var reasons []string
	for _, cause := range c.Causes {
		if cause.Change == 0 {
			reasons = append(reasons, w.cause(c, cause))
		}
	}
	if len(reasons) > 0 {
		s += ": " + text.List(reasons, "and")
	}
	if len(without.Faults) == 0 && c.Number == w.Outcome && 0 < len(c.Shared) && len(c.Shared) <= mostShared {
		var shared []string
		for _, f := range c.Shared {
			shared = append(shared, w.fact(f))
		}
		s += ", with " + text.List(shared, "and")
	}
	if slices.ContainsFunc(c.Causes, func(cause result.Cause) bool { return cause.How == Program }) {
		return s // which says where the rule stands
	}
	return s + place(c)
}

// mostShared limits the facts that hold in both executions and are named with the outcome.
const mostShared = 3

// differs says how a fact differs: from the good execution, or only without some faults.
func (w *writer) differs(c result.Change, without rounds.Schedule) string {
	switch {
	case !c.Alike:
		return w.change(c)
	case c.Missing:
		return fmt.Sprintf("%s does not hold, as it would without %s", w.rounds(c), faults(without))
	}
	return fmt.Sprintf("%s holds, as it would not without %s", w.rounds(c), faults(without))
}

// change says that a fact is missing, or holds.
func (w *writer) change(c result.Change) string {
	s := w.rounds(c)
	if c.Missing {
		s += " is missing"
	} else {
		s += " holds"
	}
	if len(c.Turns) > 0 {
		s += ", in turns with " + text.List(c.Turns, "and")
	}
	return s
}

// rounds writes the fact of a change with its rounds.
func (w *writer) rounds(c result.Change) string {
	text := w.fact(c.Fact)
	if c.Until > c.Fact.Round {
		text += fmt.Sprintf("..%d", c.Until)
	}
	return text
}

// fact writes a fact with its round.
func (w *writer) fact(f recording.Fact) string {
	return fmt.Sprintf("%s@%d", recording.Display(f, w.bounds.Processes), f.Round)
}

// cause says how a fault is the cause of a change.
func (w *writer) cause(of result.Change, c result.Cause) string {
	switch c.How {
	case Program:
		return w.only(of, c)
	case Chosen, Stays:
		if len(c.Fault.Faults) == 0 {
			return w.only(of, c)
		}
	case Settings:
		return fmt.Sprintf("%s and %s differ in the setting %s", w.Good.Version, w.Bad.Version, text.List(c.Settings, "and"))
	}
	f := c.Fault.Faults[0]
	if relation, _ := f.Fact(); c.How == Chosen && relation == of.Fact.Relation && !of.Missing {
		return fmt.Sprintf("the environment chooses it (%s)", f)
	}
	return w.effect(c, f) + fmt.Sprintf(" (%s)", w.downAndBack(f))
}

// downAndBack writes a restart with the crash that it needs, if the same schedule has both,
// and any other fault alone.
func (w *writer) downAndBack(f rounds.Fault) rounds.Schedule {
	alone := rounds.Schedule{Faults: []rounds.Fault{f}}
	if f.Kind != rounds.Restart {
		return alone
	}
	for _, s := range []rounds.Schedule{w.Bad.Schedule, w.Good.Schedule} {
		for i, crash := range s.Faults {
			if next := schedules.Next(s, i); next >= 0 && s.Faults[next] == f && crash.Kind == rounds.Crash {
				return rounds.Schedule{Faults: []rounds.Fault{crash, f}}
			}
		}
	}
	return alone
}

// only says that one of two programs alone has the rule or the statement that gives a fact,
// and which one the other program has in its place.
func (w *writer) only(of result.Change, c result.Cause) string {
	here, there := w.Bad.Version, w.Good.Version
	if of.Missing {
		here, there = there, here
	}
	switch {
	case c.How == Chosen:
		return "only in " + here + " the environment chooses it"
	case c.How == Stays:
		return "only " + here + " has rules that keep it, so a stopped process keeps it too"
	case c.From != "":
		return fmt.Sprintf("only %s has %s send it to %s in round %d", here, c.From, c.To, c.Round)
	case of.Rule == "" && of.Line > 0:
		return "only " + here + " states it" + place(of)
	case of.Rule == "":
		return "only " + here + " has it"
	}
	s := fmt.Sprintf("only %s has %s%s", here, strings.TrimSuffix(of.Rule, ";"), place(of))
	var rules []string
	for _, r := range c.Instead {
		rules = append(rules, fmt.Sprintf("%s [%s:%d]", strings.TrimSuffix(r.Rule, ";"), filepath.Base(r.File), r.Line))
	}
	if len(rules) == 0 {
		return s
	}
	return s + "; " + there + " has " + text.List(rules, "and") + " instead"
}

// instead describes the fates of all other messages that would have brought the first fact.
func (w *writer) instead() string {
	if len(w.Instead) == 0 {
		if w.Only == "" {
			return ""
		}
		return "nobody sends it again" + w.held()
	}
	var all []string
	for _, c := range w.Instead {
		all = append(all, w.again(c))
	}
	if w.Only != "" {
		all = append(all, "nobody else sends it")
	}
	return strings.Join(all, ", and ") + w.held()
}

// held says which other processes had the fact when its sender crashed.
func (w *writer) held() string {
	if w.Held == nil {
		return ""
	}
	crash := w.Held.Crash.Faults[0]
	when := fmt.Sprintf(" had it when %s crashed in round %d", crash.Process, crash.Round)
	if len(w.Held.Processes) == 0 {
		return "; nobody else" + when
	}
	return "; " + text.List(w.Held.Processes, "and") + when
}

// again describes the fate of another message.
func (w *writer) again(c result.Cause) string {
	when := fmt.Sprintf("round %d", c.Round)
	if c.Until > 0 {
		when = fmt.Sprintf("rounds %d..%d", c.Round, c.Until)
	}
	sends := fmt.Sprintf("%s sends it in %s", c.From, when)
	if c.How == Late {
		return sends + fmt.Sprintf(", which comes only in round %d", c.Arrival)
	}
	return sends + fmt.Sprintf(", which is lost too (%s)", c.Fault.Faults[0])
}

func (w *writer) effect(c result.Cause, f rounds.Fault) string {
	switch c.How {
	case Lost:
		return fmt.Sprintf("what %s sends %s in round %d is lost", c.From, c.To, c.Round)
	case Late:
		if c.Arrival == 0 {
			return fmt.Sprintf("what %s sends %s in round %d comes too late", c.From, c.To, c.Round)
		}
		return fmt.Sprintf("what %s sends %s in round %d arrives only in round %d", c.From, c.To, c.Round, c.Arrival)
	case Later:
		return fmt.Sprintf("what %s sends %s in round %d arrives in round %d", c.From, c.To, c.Round, c.Arrival)
	case Crashed:
		return fmt.Sprintf("%s crashes in round %d", f.Process, f.Round)
	case Back:
		return fmt.Sprintf("%s is back in round %d", f.Process, f.Round)
	case Stays:
		return fmt.Sprintf("%s has stopped, and keeps what it has", f.Process)
	case Stopped:
		if c.To != "" {
			return fmt.Sprintf("%s has stopped, and sends %s nothing in round %d", c.From, c.To, c.Round)
		}
		return f.Process + " has stopped"
	case Struck:
		switch f.Kind {
		case rounds.Terminate:
			return fmt.Sprintf("%s gets SIGTERM in round %d", f.Process, f.Round)
		case rounds.Lie:
			return fmt.Sprintf("what %s sends %s in round %d says something else", f.Process, f.To, f.Round)
		case rounds.Tick:
			return fmt.Sprintf("the timers of %s tick more often in round %d", f.Process, f.Round)
		case rounds.Ask:
			return fmt.Sprintf("a client asks something of %s in round %d", f.Process, f.Round)
		}
		return fmt.Sprintf("%s is struck in round %d", f.Process, f.Round)
	case Forgot:
		return fmt.Sprintf("%s is back in round %d, and has forgotten it", f.Process, f.Round)
	default:
		return "the environment chooses otherwise"
	}
}

// without returns the outcome of the bad execution without each fault. If it is the same
// without a restart as without its crash, there is one text for both.
func (w *writer) without() []string {
	var all []string
	for i := 0; i < len(w.Difference.Without); i++ {
		u := w.Difference.Without[i]
		text := faults(u.Fault)
		if next := i + 1; next < len(w.Difference.Without) && part(w.Difference.Without[next].Fault, u.Fault) && w.becomes(w.Difference.Without[next]) == w.becomes(u) {
			text += ", or " + faults(w.Difference.Without[next].Fault) + " alone"
			i = next
		}
		all = append(all, text+": "+w.becomes(u))
	}
	return all
}

// part tells whether some faults are some of others.
func part(some, all rounds.Schedule) bool {
	return len(some.Faults) < len(all.Faults) && !slices.ContainsFunc(some.Faults, func(f rounds.Fault) bool { return !slices.Contains(all.Faults, f) })
}

// becomes describes the bad execution without a fault.
func (w *writer) becomes(u result.Without) string {
	var text string
	if len(u.Changes) == 0 {
		text = "nothing changes that the promise depends on"
	} else if c := u.Changes[0]; c.Missing {
		text = w.fact(c.Fact) + " comes back" + w.by(c)
	} else {
		text = w.fact(c.Fact) + " is gone" + w.by(c)
	}
	if u.Mends {
		return text + ", and the promise is kept"
	}
	return text + ", but the promise is still broken"
}

// by says which message brings a fact back, or is not there to bring it.
func (w *writer) by(c result.Change) string {
	for _, cause := range c.Causes {
		switch {
		case cause.From == "" || cause.Change > 0:
		case cause.How == Lost && c.Missing, cause.How == Stopped, cause.How == Late:
			return fmt.Sprintf(", sent by %s in round %d", cause.From, cause.Round)
		}
	}
	return ""
}

func faults(s rounds.Schedule) string {
	texts := make([]string, len(s.Faults))
	for i, f := range s.Faults {
		texts[i] = f.String()
	}
	return text.List(texts, "and")
}

// place is where the rule of a change stands.
func place(c result.Change) string {
	if c.Line == 0 {
		return ""
	}
	return fmt.Sprintf(" [%s:%d]", filepath.Base(c.File), c.Line)
}

// How a fault is the cause of a change (result.Cause).
const (
	Lost     = "lost"     // a message arrives in one execution, and is lost in the other
	Late     = "late"     // a message comes only later in the other execution
	Later    = "later"    // a message arrives later in one execution, or once more, and not in the other
	Crashed  = "crashed"  // a crash that others are told
	Back     = "back"     // a restart that others are told
	Stays    = "standing" // a process that has stopped keeps its facts
	Stopped  = "stopped"  // a process that has stopped does nothing
	Forgot   = "forgot"   // a process that came back has forgotten it
	Struck   = "struck"   // a process of a system is paused, comes back, or its clock or disk goes wrong
	Chosen   = "chosen"   // the environment chooses something else
	Program  = "program"  // no fault: only one of two programs has the rule, or the fact
	Settings = "settings" // no fault: the settings of two programs differ
)
