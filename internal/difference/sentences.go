package difference

import (
	"fmt"
	"path/filepath"

	"github.com/lineage-driven/ldfi/internal/plural"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Words is a difference in words, by what the sentences are about.
type Words struct {
	First   string   // the earliest change
	So      []string // what follows from it, up to the broken promise
	Without []string // what becomes of it without each fault
	Same    string   // that no outcome of the promise differs
}

// Of puts a difference into words.
func Of(d *result.Difference, b rounds.Bounds) *Words {
	w := &writer{d, b}
	if d.Outcome == 0 {
		return &Words{Same: w.same()}
	}
	words := &Words{First: w.link(d.Changes[d.Chain[0]-1])}
	for _, number := range d.Chain[1:] {
		words.So = append(words.So, w.link(d.Changes[number-1]))
	}
	for _, u := range d.Without {
		words.Without = append(words.Without, w.without(u))
	}
	return words
}

// Sentences puts them all in a row.
func (w *Words) Sentences() []string {
	if w.Same != "" {
		return []string{w.Same}
	}
	all := []string{"first, " + w.First}
	for _, text := range w.So {
		all = append(all, "so "+text)
	}
	for _, text := range w.Without {
		all = append(all, "without "+text)
	}
	return all
}

type writer struct {
	*result.Difference
	bounds rounds.Bounds
}

// same says that the promise fares the same in both.
func (w *writer) same() string {
	if len(w.Bad.Violations) == 0 {
		return "both executions keep the promise"
	}
	return "both executions break the promise, in the same way"
}

// link says what changes, by which faults if some are the cause, and where the rule stands.
func (w *writer) link(c result.Change) string {
	text := w.change(c)
	var reasons []string
	for _, cause := range c.Causes {
		if cause.Change == 0 {
			reasons = append(reasons, w.cause(cause))
		}
	}
	if len(reasons) > 0 {
		text += ": " + plural.List(reasons, "and")
	}
	return text + place(c)
}

// change says that a fact is missing, or holds.
func (w *writer) change(c result.Change) string {
	text := w.fact(c.Fact)
	if c.Until > c.Fact.Round {
		text += fmt.Sprintf("..%d", c.Until)
	}
	if c.Missing {
		return text + " is missing"
	}
	return text + " holds"
}

// fact writes a fact with its round.
func (w *writer) fact(f recording.Fact) string {
	return fmt.Sprintf("%s@%d", recording.Display(f, w.bounds.Processes), f.Round)
}

// cause says how a fault is the cause of a change.
func (w *writer) cause(c result.Cause) string {
	if c.How == Program {
		return "only one of the programs has a rule for it"
	}
	f := c.Fault.Faults[0]
	return w.effect(c, f) + fmt.Sprintf(" (%s)", f)
}

func (w *writer) effect(c result.Cause, f rounds.Fault) string {
	switch c.How {
	case Lost:
		return fmt.Sprintf("what %s sends %s in round %d is lost", c.From, c.To, c.Round)
	case Late:
		return fmt.Sprintf("what %s sends %s in round %d arrives only in round %d", c.From, c.To, c.Round, c.Arrival)
	case Later:
		return fmt.Sprintf("what %s sends %s in round %d arrives in round %d", c.From, c.To, c.Round, c.Arrival)
	case Crashed:
		return fmt.Sprintf("%s crashes in round %d", f.Process, f.Round)
	case Back:
		return fmt.Sprintf("%s is back in round %d", f.Process, f.Round)
	case Standing:
		return fmt.Sprintf("%s has stopped, and keeps what it has", f.Process)
	case Stopped:
		return f.Process + " has stopped"
	case Forgot:
		return fmt.Sprintf("%s is back in round %d, and has forgotten it", f.Process, f.Round)
	default:
		return "the environment chooses otherwise"
	}
}

// without says what becomes of the bad execution if a fault is undone.
func (w *writer) without(u result.Without) string {
	text := faults(u.Fault) + ": "
	if len(u.Changes) == 0 {
		text += "nothing of what the promise rests on changes"
	} else if c := u.Changes[0]; c.Missing {
		text += w.fact(c.Fact) + " comes back"
	} else {
		text += w.fact(c.Fact) + " is gone"
	}
	if u.Mends {
		return text + ", and the promise is kept"
	}
	return text + ", and the promise is broken all the same"
}

func faults(s rounds.Schedule) string {
	texts := make([]string, len(s.Faults))
	for i, f := range s.Faults {
		texts[i] = f.String()
	}
	return plural.List(texts, "and")
}

// place is where the rule of a change stands.
func place(c result.Change) string {
	if c.Rule == "" {
		return ""
	}
	return fmt.Sprintf(" [%s:%d]", filepath.Base(c.File), c.Line)
}
