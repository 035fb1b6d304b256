package learned

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/lineage-driven/ldfi/specs/dedalus"
	"github.com/lineage-driven/ldfi/specs/property"
)

// Source says what was learned from.
type Source struct {
	Command    string // that starts the host
	System     string // its name
	Fixed      bool   // the system promises its number of rounds
	Bounds     rounds.Bounds
	Properties []property.Property
}

// Program is what was learned, as a program.
type Program struct {
	Text string
	Left []string // for each property that is not in it, why: a sentence
	Late []string // the properties of which a search of the system goes on where the program ends

	facts []*reported
	value func(specs.Value) specs.Value
	last  int
}

// Write writes what was learned as a program. It has one round more than the system:
// what a round of the system ends with is there in the next round of the program. It
// promises what the properties do, and that nothing happens that is not known.
func (l *Learned) Write(s Source) (*Program, error) {
	p := &programmer{writer: newWriter(), Learned: l, source: s, last: s.Bounds.EOT + 1}
	if err := p.write(); err != nil {
		return nil, fmt.Errorf("writing what was learned as a program: %w", err)
	}
	text, err := dedalus.Format("learned", []byte(p.out.String()))
	if err == nil {
		_, err = dedalus.ParseText("learned", string(text))
	}
	if err != nil {
		return nil, fmt.Errorf("writing what was learned as a program: %w", err)
	}
	return &Program{Text: string(text), Left: p.left, Late: p.late, facts: p.relations, value: p.value, last: p.last}, nil
}

// programmer writes a table as a program.
type programmer struct {
	*writer
	*Learned
	source   Source
	last     int // round of the program
	promised []*promised
	left     []string
	late     []string

	processes  []specs.Value
	states     [][]specs.Value // by process and number
	lists      []specs.Value   // of messages
	sets       []specs.Value   // of facts
	legend     []string        // what short names stand for
	fresh      []Send          // of which it is not known what is sent
	relations  []*reported     // of facts
	relationOf []*reported     // by fact
	kinds      []*kind         // of messages, but for those of the empty list
	kindOf     []*kind         // by list
}

func (p *programmer) write() error {
	if err := p.promises(); err != nil {
		return err
	}
	taken := p.taken()
	p.nameFacts(taken)
	p.nameMessages(taken)
	for _, relation := range own {
		p.alias[relation] = taken.of(relation)
	}
	p.nameValues()
	p.findFresh()
	p.head()
	for _, part := range []func() error{p.time, p.messages, p.steps, p.facts, p.unknown, p.promise} {
		if err := part(); err != nil {
			return err
		}
	}
	p.explain()
	p.behaviour()
	return nil
}

// time writes how rounds go on.
func (p *programmer) time() error {
	p.comment("Time. A round of the system is one of the program, but for what it ends with: what is sent in round 2 is received in round 3,",
		"and the state after round 2 is there in round 3. Facts that the system reports have its round, here 2, as their last column.")
	for _, process := range p.processes {
		p.fact(1, p.own("time"), process, specs.Int(1))
		p.fact(1, p.own("peer"), process)
	}
	return p.rules(timeRules)
}

// messages writes how what is sent arrives.
func (p *programmer) messages() error {
	p.comment("Messages: to whom, from whom, what, and in which round it was sent. What one process sends another in a round is one message.")
	for _, k := range p.kinds {
		if err := p.rules(messageRules, given(k.relation), given(k.sends)); err != nil {
			return err
		}
	}
	p.comment(`What a process gets from each in a round; "-" is nothing.`)
	return p.rules(inboxRules)
}

// steps writes how processes go on.
func (p *programmer) steps() error {
	p.comment("A step: with its state before the round and what it got, a process comes to the next state, and reports a set of facts.")
	atoms, variables := "", ""
	for i, process := range p.processes {
		atoms += fmt.Sprintf("inbox(P, %s, X%d), ", process, i)
		variables += fmt.Sprintf("X%d, ", i)
	}
	return p.rules(stepRules, atoms[:len(atoms)-2], variables[:len(variables)-2])
}

// unknown writes when something happens that is not known.
func (p *programmer) unknown() error {
	p.comment("Unknown steps: a state and what a process gets in it, or a late message, that no execution has shown.")
	if err := p.rules(unknownRules); err != nil || len(p.fresh) == 0 {
		return err
	}
	return p.rules(freshRules)
}

// explain writes what short names stand for.
func (p *programmer) explain() {
	if len(p.legend) > 0 {
		p.comment(append([]string{"Names of what is too long to stand for itself:"}, p.legend...)...)
	}
}

// behaviour writes what the processes do.
func (p *programmer) behaviour() {
	p.together()
	for i, process := range p.processes {
		p.comment(fmt.Sprintf("Process %s. A step: who, the state, what came from %s, the next state, what was reported.", p.Table.Processes[i], strings.Join(p.Table.Processes, ", ")))
		p.fact(1, p.own("at"), process, p.states[i][p.Table.Starts[i]])
		for round := 1; round <= p.source.Bounds.EOT; round++ {
			for _, s := range of(p.Table.Sends, Send{Process: i, Round: round}, Send{Process: i, Round: round + 1}, Send.Compare) {
				p.send(&s)
			}
			for _, s := range of(p.Table.Steps, Step{Process: i, Round: round}, Step{Process: i, Round: round + 1}, Step.Compare) {
				p.step(&s)
			}
		}
	}
	for _, s := range p.fresh {
		p.fact(s.Round, p.own("fresh"), p.processes[s.Process], p.states[s.Process][s.State])
	}
}

// of returns the part of a sorted list between two of its kind.
func of[T any](all []T, first, behind T, compare func(T, T) int) []T {
	from, _ := slices.BinarySearchFunc(all, first, compare)
	to, _ := slices.BinarySearchFunc(all, behind, compare)
	return all[from:to]
}

// findFresh finds the states that steps lead to, and of which it is not known what is
// sent in them.
func (p *programmer) findFresh() {
	for _, s := range p.Table.Steps {
		begun := Send{Process: s.Process, Round: s.Round + 1, State: s.Next}
		if _, known := slices.BinarySearchFunc(p.Table.Sends, begun, Send.Compare); !known && s.Round < p.source.Bounds.EOT {
			p.fresh = append(p.fresh, begun)
		}
	}
	slices.SortFunc(p.fresh, Send.Compare)
	p.fresh = slices.CompactFunc(p.fresh, func(a, b Send) bool { return a.Compare(b) == 0 })
}

// send states what a process sends.
func (p *programmer) send(s *Send) {
	for to, list := range s.To {
		if list != 0 {
			p.fact(s.Round, p.kindOf[list].sends, p.processes[s.Process], p.states[s.Process][s.State], p.processes[to], p.lists[list])
		}
	}
}

// step states how a process ends a round, which is in the next one.
func (p *programmer) step(s *Step) {
	args := []specs.Value{p.processes[s.Process], p.states[s.Process][s.State]}
	for _, list := range s.From {
		args = append(args, p.lists[list])
	}
	p.fact(s.Round+1, p.own("step"), append(args, p.states[s.Process][s.Next], p.sets[s.Set])...)
}

// Sort brings a table into the order in which it is written.
func (t *Table) Sort() {
	slices.SortFunc(t.Sends, Send.Compare)
	slices.SortFunc(t.Steps, Step.Compare)
}
