package result

import (
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// Answer is what is known about the question whether a protocol or a system
// keeps its promise within bounds.
type Answer struct {
	Verdict         Verdict              `json:"verdict"`
	Counterexamples List[Counterexample] `json:"counterexamples"` // smallest first; none unless violated
	Complete        bool                 `json:"complete"`        // all schedules are decided: no further minimal fault set exists
	Vacuity         string               `json:"vacuity"`         // a sentence, if the promise asks for nothing that happens
	Warnings        List[specs.Warning]  `json:"warnings"`        // what looks wrong in the program
	Scope           Scope                `json:"scope"`
	Stats           Stats                `json:"stats,omitzero"`

	// Asynchronous says whether what holds in lock-step rounds holds in asynchronous
	// executions too; none unless the verdict is Holds.
	Asynchronous *Reach `json:"asynchronous,omitempty"`

	// Limit says what stopped the search before its end. With the verdict
	// Inconclusive it is always set; with Violated it is set where the search
	// for smaller or further fault sets was stopped, and with Holds where
	// that for a vacuous promise was.
	Limit    *Limit    `json:"limit,omitempty"`
	AtLeast  int       `json:"at_least,omitempty"` // of a search that was stopped: no set with fewer faults breaks the promise
	Decided  int       `json:"decided"`            // the largest number of rounds whose verdict is known
	Horizons []Horizon `json:"horizons,omitempty"` // the verdicts at smaller numbers of rounds, if they were decided

	Proof *Proof `json:"proof,omitempty"` // of the verdict Holds on a protocol, if one was asked for

	Margin *Margin `json:"margin,omitempty"` // how far the verdict Holds on a protocol goes, if that was asked for

	Groups  []Group  `json:"groups,omitempty"`  // of the fault sets that are listed, if they are to be put in groups
	Count   *Count   `json:"count,omitempty"`   // of a list of fault sets: how many there are
	Repairs *Repairs `json:"repairs,omitempty"` // what could be added to a protocol that is violated, if that was asked for

	Conflict *Conflict `json:"conflict,omitempty"` // why no fault set meets all assumptions, if none does
	Search   *Search   `json:"search,omitempty"`   // how a system was searched
}

// First returns the smallest counterexample, nil if there is none.
func (a *Answer) First() *Counterexample {
	if len(a.Counterexamples) == 0 {
		return nil
	}
	return &a.Counterexamples[0]
}

// Counterexample is a schedule that breaks the promise; of a system, some of its
// properties.
type Counterexample struct {
	Schedule   rounds.Schedule      `json:"schedule"`
	Size       int                  `json:"size"`                // the number of faults
	Cost       int                  `json:"cost,omitempty"`      // of the faults, by their kinds, if these have costs
	Confirmed  bool                 `json:"confirmed"`           // it was executed and failed, each time
	Violations List[Violation]      `json:"violations"`          // what it breaks, the first one first
	Group      int                  `json:"group,omitempty"`     // the number of its group, if there are groups
	Renamed    string               `json:"renamed,omitempty"`   // the names of processes in it where the first of its group has others: c for b
	Cuts       List[Cut]            `json:"cuts,omitempty"`      // of a list of fault sets: what each fault does to the first violation
	Because    List[string]         `json:"because"`             // which supports the faults take away, one a line; empty if that is not known
	Execution  *recording.Execution `json:"execution,omitempty"` // what happened, over the relations that the promise depends on
	Senders    []Sender             `json:"senders,omitempty"`   // where the messages of the execution come from, if that is known
	Continued  *Continued           `json:"continued,omitempty"` // of a system: how far, where something has not happened by the end
	Repeats    *Repeats             `json:"repeats,omitempty"`   // of a system of which executions of one schedule may differ: how often it breaks the promise

	// How small it is. Without any one of the faults of an irreducible schedule of a
	// system it does not violate the first of the properties that it violates; it may
	// violate another.
	Minimal     bool   `json:"minimal"`     // none of the schedules that Among names has fewer faults and breaks the promise
	Among       string `json:"among"`       // which schedules these are, a phrase; empty unless Minimal
	Irreducible bool   `json:"irreducible"` // without any one of its faults it does not break the promise

	// Unneeded are faults that are there because an assumption requires them:
	// without all of these the promise is broken as well.
	Unneeded rounds.Schedule `json:"unneeded,omitzero"`
}

// Injection is what happened under one schedule.
type Injection struct {
	Verdict    Verdict              `json:"verdict,omitempty"` // Violated or Holds, of this one execution; "" if nothing is promised
	Schedule   rounds.Schedule      `json:"schedule"`
	Within     bool                 `json:"within"`     // the schedule lies within the bounds
	Violations List[Violation]      `json:"violations"` // what is broken
	Because    List[string]         `json:"because"`    // which supports the faults take away, one a line; empty if that is not known
	Warnings   List[specs.Warning]  `json:"warnings"`   // what looks wrong in the program
	Bounds     rounds.Bounds        `json:"bounds"`
	Execution  *recording.Execution `json:"execution"`         // everything that happened
	Senders    []Sender             `json:"senders,omitempty"` // where the messages of the execution come from, if that is known

	// Of a system, where something has not happened by the end of the execution:
	// how far it was continued, if a violation is left, and what turned out to be
	// late, which is no violation.
	Continued *Continued      `json:"continued,omitempty"`
	Late      *Late           `json:"late,omitempty"`    // by how much what was late was
	Awaited   List[Violation] `json:"awaited,omitempty"` // what had not happened by the end, and was late

	// Of a system of which executions of one schedule may differ: how many there were,
	// and how many of them broke the promise. The others belong to the first of these,
	// else to the first of all.
	Repeats *Repeats `json:"repeats,omitempty"`
}

// Sender is the rule that sends the messages of a relation, the first if there
// are several.
type Sender struct {
	Relation string `json:"relation"` // that of the messages
	specs.Position
}

// Proof is where there is a proof that no schedule within the bounds breaks the promise.
type Proof struct {
	File    string `json:"file"`    // in the DRAT format
	Formula string `json:"formula"` // the file with what it proves to be unsatisfiable, in the DIMACS format
	Solver  string `json:"solver"`  // the command of the SAT solver that wrote it
}

// Margin is what is known of the nearest bounds beyond those of a question.
type Margin struct {
	Questions List[Beyond] `json:"questions"`      // one for each bound that is one larger
	Note      string       `json:"note,omitempty"` // why there are none
}

// Beyond is the verdict within bounds that are one larger in something.
type Beyond struct {
	Bounds   string          `json:"bounds"` // what is larger, as settings: isolations=2
	Verdict  Verdict         `json:"verdict"`
	Schedule rounds.Schedule `json:"schedule,omitzero"` // of a smallest counterexample, if it is violated
	Reason   string          `json:"reason,omitempty"`  // why it is inconclusive, or holds in vain
}

// Horizon is the verdict at a smaller number of rounds.
type Horizon struct {
	EOT      int             `json:"eot"` // the number of rounds
	Verdict  Verdict         `json:"verdict"`
	Schedule rounds.Schedule `json:"schedule"` // of a smallest counterexample, if it is violated
}

// Count is how many fault sets there are of which nothing can be left out, listed or not.
type Count struct {
	Sets  int    `json:"sets"`          // how many
	Exact bool   `json:"exact"`         // there are no others; otherwise there are at least so many
	Why   string `json:"why,omitempty"` // it is not exact, a phrase
}

// Conflict says why no fault set meets all assumptions.
type Conflict struct {
	// The smallest set of assumptions that conflict. Both are empty if the
	// promise holds in every scenario, whatever is assumed.
	Require List[string] `json:"require"`
	Forbid  List[string] `json:"forbid"` // those that something is forbidden

	// Scope tells that no scenario within the bounds meets these assumptions,
	// whatever is promised. Otherwise the promise holds in all that do.
	Scope bool `json:"scope"`
}

// Stats is what the answer cost. Of a protocol only the executions are the same for the
// same input: the rest differs with the cores that there are, and with the way that came
// to the end first.
type Stats struct {
	Way         string `json:"way,omitempty"`          // of a protocol: circuit, tables or cases; "" if no way came to its end
	Workers     int    `json:"workers,omitempty"`      // of a protocol: how many cores were used at most
	Facts       int    `json:"facts,omitempty"`        // possible ones, in the largest evaluation
	Gates       int    `json:"gates,omitempty"`        // of its circuit
	SolverCalls int    `json:"solver_calls,omitempty"` // of a protocol: how often the SAT solver was asked
	Executions  int    `json:"executions"`             // altogether; of systems those to make a schedule smaller as well, but not the second one of a counterexample
	Times       Times  `json:"times"`
}

// Times is how long each part took, in milliseconds.
type Times struct {
	Evaluate float64 `json:"evaluate_ms"` // the program over all schedules
	Search   float64 `json:"search_ms"`   // for fault sets
	Execute  float64 `json:"execute_ms"`  // what was found
	Total    float64 `json:"total_ms"`    // altogether, with what is none of these
}
