package report

import (
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/diagram"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// Page is what a report shows. Its JSON is the data of the scripts, in which processes,
// facts, faults and executions are told by their numbers, from 0; -1 is none.
type Page struct {
	Form     int               `json:"form"`               // of this data: 1
	Title    string            `json:"title"`              // what was asked about
	Command  string            `json:"command"`            // that asked
	Verdict  result.Verdict    `json:"verdict"`            // "" if nothing is promised
	Headline string            `json:"headline"`           // behind the verdict, as the command prints it
	Fields   []Field           `json:"-"`                  // below it, in the same words
	Text     string            `json:"-"`                  // all that the command prints
	Story    *Story            `json:"-"`                  // how the first fault set breaks the promise; nil if that is not known
	Warnings []string          `json:"-"`                  // that it writes beside it
	System   bool              `json:"system,omitempty"`   // it is about a system, whose rules are not known
	Stops    bool              `json:"stops,omitempty"`    // who crashes does nothing any more, rather than send nothing
	EOT      int               `json:"eot"`                // the number of rounds
	Phases   []string          `json:"phases,omitempty"`   // the names of the rounds, if they have any
	Names    []string          `json:"names"`              // of the processes
	Relation []Relation        `json:"relations"`          // in the order in which they were met
	Atoms    Atoms             `json:"atoms"`              // facts without their rounds, and messages
	Worlds   []Execution       `json:"executions"`         // the first is the one without faults, if there is one
	Plain    int               `json:"plain"`              // its number
	Sets     []Set             `json:"sets"`               // the fault sets that were found
	Lineages []Lineage         `json:"lineages,omitempty"` // why, as graphs
	Rules    []Rule            `json:"rules,omitempty"`    // of which these speak
	Sources  []Source          `json:"sources,omitempty"`  // the files of the program
	Circuit  any               `json:"circuit,omitempty"`  // the condition of every fact, see assets/circuit.js
	Fixed    string            `json:"fixed,omitempty"`    // why there is none
	Proof    []result.Sentence `json:"proof,omitempty"`    // what is so after every round, for any number of rounds
	Inject   string            `json:"inject,omitempty"`   // the command that executes a schedule, without that; "" if its faults cannot be written

	Why  string `json:"why,omitempty"`  // the command that explains a fact under a schedule, without both; "" if there is none
	Diff string `json:"diff,omitempty"` // the command that compares a schedule with the run without faults, without it; "" if there is none

	More string `json:"-"` // the command that lists further fault sets; "" if there are none, or they are listed

	bounds    rounds.Bounds
	process   map[string]int
	relations map[string]int
	atoms     map[string]int
}

// Story is by what an execution differs from the one without faults, in words.
type Story struct {
	Tales   []Tale   // what the faults do, the earliest first
	Without []string // what becomes of it if one fault is undone, each alone
}

// Tale is what followed from a difference.
type Tale struct {
	First   string   // the earliest difference that matters
	Instead string   // what else could have brought it, if something is missing; "" if nothing
	So      []string // what followed from it, up to what is broken or to what is of another one too
}

// Field is a named text of some lines.
type Field struct {
	Name  string
	Lines []string
}

// Relation is one of a program, or of the recordings of a system.
type Relation struct {
	Name    string `json:"name"`
	Beside  bool   `json:"beside,omitempty"`  // the promise does not depend on it
	Promise bool   `json:"promise,omitempty"` // it is what is promised
}

// Atoms are columns of a table: of each atom its relation, the process at which it is,
// and its text.
type Atoms struct {
	Relation []int    `json:"relation"`
	Process  []int    `json:"process"`
	Text     []string `json:"text"`
}

// Execution is what happened under one schedule, in the numbers of a page.
type Execution struct {
	Schedule string  `json:"schedule"`
	Faults   []Fault `json:"faults"`

	// Facts are runs of rounds, three numbers each: atom, first and last round. They
	// are sorted by these.
	Facts []int `json:"facts"`

	// Messages are six numbers each: atom, sender, receiver, round, the round in which
	// it arrives if that is another one (0 otherwise), and the fault that loses it.
	Messages []int `json:"messages"`

	Notes   []Note `json:"notes"`             // remarks at the ends of rounds: what is broken
	Inexact string `json:"inexact,omitempty"` // why another execution may differ
}

// Fault is one fault of a schedule.
type Fault struct {
	Text    string `json:"text"`
	Kind    string `json:"kind"`
	Process int    `json:"process"`
	To      int    `json:"to"`
	Round   int    `json:"round"`
	Until   int    `json:"until,omitempty"`
	Side    []int  `json:"side,omitempty"`   // of a partition: the processes on one side
	Within  bool   `json:"within,omitempty"` // of a crash: after something was done in the round
}

// Note is a remark about a round.
type Note struct {
	Round int    `json:"round"`
	Text  string `json:"text"`
}

// Set is a fault set that was found.
type Set struct {
	Schedule string   `json:"schedule"`
	Size     int      `json:"size"`
	Cost     int      `json:"cost,omitempty"`    // of its faults, if their kinds have costs
	About    string   `json:"about"`             // how small it is, or what is broken
	Cuts     string   `json:"-"`                 // what each of its faults does
	Broken   []string `json:"-"`                 // each thing that it breaks, and what there is to say about the first
	Because  []string `json:"because,omitempty"` // why
	World    int      `json:"execution"`         // what happens; -1 if it is not drawn
	Replay   string   `json:"replay,omitempty"`  // the command that executes it
	Why      string   `json:"why,omitempty"`     // the command that explains the first thing that it breaks
	Diff     string   `json:"diff,omitempty"`    // the command that compares it with the run without faults
	Text     string   `json:"-"`                 // a diagram
}

// Rule is a rule or a fact of a program, where it stands.
type Rule struct {
	Place string `json:"place"` // file:line
	Text  string `json:"text"`  // as it stands there
}

// NewPage begins a page about executions within bounds.
func NewPage(title, command string, b rounds.Bounds) *Page {
	p := &Page{
		Form: form, Title: text.Safe(title), Command: text.Safe(command), EOT: b.EOT, Stops: b.CrashStop, Plain: -1, Relation: []Relation{}, Worlds: []Execution{}, Sets: []Set{},
		Atoms: Atoms{[]int{}, []int{}, []string{}},
		Names: text.SafeEach(b.Processes), bounds: b,
		process: map[string]int{}, relations: map[string]int{}, atoms: map[string]int{},
	}
	for i, name := range b.Processes {
		p.process[name] = i
	}
	for round := 1; round <= b.EOT && b.PhaseOf(round) != ""; round++ {
		p.Phases = append(p.Phases, text.Safe(b.PhaseOf(round)))
	}
	return p
}

// form is the version of the data.
const form = 1

// Local changes the names of files in the texts of a page: of those that lie where nobody
// will find them.
func (p *Page) Local(name func(string) string) {
	each := func(texts []string) {
		for i := range texts {
			texts[i] = name(texts[i])
		}
	}
	each(p.Warnings)
	for i := range p.Fields {
		each(p.Fields[i].Lines)
	}
	for i := range p.Rules {
		p.Rules[i].Place = name(p.Rules[i].Place)
	}
	for i := range p.Sets {
		each(p.Sets[i].Because)
	}
	for i := range p.Lineages {
		l := &p.Lineages[i]
		l.Text = name(l.Text)
		for k := range l.Nodes {
			l.Nodes[k].Text = name(l.Nodes[k].Text)
			each(l.Nodes[k].Notes)
		}
	}
	p.Fixed = name(p.Fixed)
}

// Notes returns what an execution breaks, as remarks of a diagram.
func Notes(e *recording.Execution, broken []result.Violation) []diagram.Note {
	var notes []diagram.Note
	for _, v := range broken {
		if e.System != "" { // its properties speak of whole executions
			if round, how := search.Ends(v); round > 0 {
				notes = append(notes, diagram.Note{Round: round, Text: how})
			}
			continue
		}
		text := recording.Display(v.Fact, e.Bounds.Processes)
		switch {
		case v.Missing && len(v.Fact.Args) == 0: // it holds nowhere, so that there is no fact to name
			text = v.Text
		case v.Missing:
			text = "no " + text
		}
		notes = append(notes, diagram.Note{Round: v.Fact.Round, Text: text})
	}
	return notes
}
