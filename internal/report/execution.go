package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// AddExecution adds what happened, and what it breaks, and returns its number.
func (p *Page) AddExecution(e *recording.Execution, broken []result.Violation) int {
	x := Execution{Schedule: text.Safe(e.Schedule.String()), Faults: p.faults(e.Schedule), Facts: p.facts(e.Facts), Inexact: text.Safe(e.Inexact)}
	x.Messages = p.messages(e)
	for _, n := range Notes(e, broken) {
		x.Notes = append(x.Notes, Note{n.Round, text.Safe(n.Text)})
	}
	p.System = p.System || e.System != ""
	p.Worlds = append(p.Worlds, x)
	return len(p.Worlds) - 1
}

// faults returns the faults of a schedule, sorted as its text is.
func (p *Page) faults(s rounds.Schedule) []Fault {
	var all []Fault
	for _, f := range s.Normal().Faults {
		all = append(all, p.FaultOf(f))
	}
	return all
}

// FaultOf returns a fault with the numbers of its processes.
func (p *Page) FaultOf(f rounds.Fault) Fault {
	kind, _, _ := strings.Cut(f.String(), " ")
	g := Fault{Text: text.Safe(f.String()), Kind: kind, Process: p.Process(f.Process), To: p.Process(f.To), Round: f.Round, Until: f.Until, Within: f.Point() != ""}
	if f.Kind == rounds.Partition {
		side, others, _ := strings.Cut(f.Detail, "|")
		if side == "*" {
			side = others
		}
		for name := range strings.SplitSeq(side, ",") {
			g.Side = append(g.Side, p.Process(name))
		}
	}
	return g
}

// Process returns the number of a process, -1 for what is none.
func (p *Page) Process(name string) int {
	if i, known := p.process[name]; known {
		return i
	}
	return -1
}

// Atom returns the number of a fact without its round, or of a message.
func (p *Page) Atom(relation string, args []specs.Value) int {
	f := recording.Fact{Relation: relation, Args: args}
	key := f.String()
	if i, known := p.atoms[key]; known {
		return i
	}
	at := -1
	if len(args) > 0 {
		at = p.Process(args[0].Text())
	}
	i := len(p.Atoms.Text)
	p.atoms[key] = i
	p.Atoms.Relation = append(p.Atoms.Relation, p.RelationOf(relation))
	p.Atoms.Process = append(p.Atoms.Process, at)
	p.Atoms.Text = append(p.Atoms.Text, text.Safe(recording.Display(f, p.bounds.Processes)))
	return i
}

// RelationOf returns the number of a relation.
func (p *Page) RelationOf(name string) int {
	i, known := p.relations[name]
	if !known {
		i = len(p.Relation)
		p.relations[name] = i
		p.Relation = append(p.Relation, Relation{Name: text.Safe(name)})
	}
	return i
}

// facts returns the runs of rounds in which facts hold.
func (p *Page) facts(facts []recording.Fact) []int {
	held := make([][2]int, len(facts)) // atom and round
	for i, f := range facts {
		held[i] = [2]int{p.Atom(f.Relation, f.Args), f.Round}
	}
	slices.SortFunc(held, func(a, b [2]int) int { return cmp.Or(a[0]-b[0], a[1]-b[1]) })
	var runs []int
	for _, h := range held {
		if n := len(runs); n > 0 && runs[n-3] == h[0] && runs[n-1] >= h[1]-1 {
			runs[n-1] = h[1]
			continue
		}
		runs = append(runs, h[0], h[1], h[1])
	}
	return runs
}

// messages returns the messages of an execution that somebody could see.
func (p *Page) messages(e *recording.Execution) []int {
	cause := map[rounds.Fault]int{}
	for i, f := range e.Schedule.Normal().Faults {
		cause[f] = i
	}
	all := make([]int, 0, 6*len(e.Messages))
	for _, m := range e.Messages {
		if e.System == "" && m.Round >= e.Bounds.EOT {
			continue
		}
		lost := -1
		if i, known := cause[m.Cause]; m.Lost && known {
			lost = i
		} else if m.Lost {
			lost = unknownCause
		}
		all = append(all, p.Atom(m.Relation, m.Args), p.Process(m.From), p.Process(m.To), m.Round, m.Arrival, lost)
	}
	return all
}

// unknownCause is the fault that loses a message where only that it is lost is known.
const unknownCause = -2
