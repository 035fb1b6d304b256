package result

import (
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
)

// Answer is the answer to the question whether a protocol or a system keeps its promise
// within bounds.
type Answer struct {
	Verdict         Verdict              `json:"verdict"`
	Counterexamples List[Counterexample] `json:"counterexamples"` // the smallest first; none unless the verdict is violated
	Complete        bool                 `json:"complete"`        // all schedules are decided: there is no further minimal fault set
	Vacuity         string               `json:"vacuity"`         // a sentence, if the promise is kept in vain: it asks for nothing that happens
	Warnings        List[specs.Warning]  `json:"warnings"`        // what looks wrong in the program
	Scope           Scope                `json:"scope"`
	Stats           Stats                `json:"stats,omitzero"`

	// Asynchronous says whether the verdict Holds is valid for asynchronous executions
	// too; none unless the verdict is Holds.
	Asynchronous *Reach `json:"asynchronous,omitempty"`

	// Limit says what stopped a search before its end. With the verdict Inconclusive it
	// is always set. With Violated it is set if the search for smaller or further fault
	// sets was stopped, and with Holds if the search for a vacuous promise was.
	Limit    *Limit    `json:"limit,omitempty"`
	AtLeast  int       `json:"at_least,omitempty"` // for a search that was stopped: no set with fewer faults than this breaks the promise
	Decided  int       `json:"decided"`            // the largest number of rounds whose verdict is known
	Horizons []Horizon `json:"horizons,omitempty"` // the verdicts at smaller numbers of rounds, as far as they were decided

	Proof *Proof `json:"proof,omitempty"` // a proof of the verdict Holds on a protocol, if one was asked for

	Margin *Margin `json:"margin,omitempty"` // verdicts within larger bounds, if the verdict on a protocol is Holds and that was asked for

	Groups  []Group  `json:"groups,omitempty"`  // the groups of the listed fault sets, if groups were asked for
	Count   *Count   `json:"count,omitempty"`   // for a list of fault sets: how many there are in all
	Repairs *Repairs `json:"repairs,omitempty"` // suggested changes to a protocol that breaks its promise, if that was asked for

	Rounds *Unbounded `json:"rounds,omitempty"` // what is known about any number of rounds, if that was asked for
	Beyond *Unbounded `json:"beyond,omitempty"` // what little work shows of it, if the verdict on violation is Holds within the bounds

	Safety *Safety `json:"safety,omitempty"` // about violation alone for any number of rounds, if pre and post break before it

	Conflict *Conflict `json:"conflict,omitempty"` // why no fault set meets all assumptions, if none does
	Search   *Search   `json:"search,omitempty"`   // how a system was searched
	Guidance *Guidance `json:"guidance,omitempty"` // what guided the executions, if a guide did
}

// First returns the first and smallest counterexample, nil if there is none.
func (a *Answer) First() *Counterexample {
	if len(a.Counterexamples) == 0 {
		return nil
	}
	return &a.Counterexamples[0]
}

// Counterexample is a schedule that breaks the promise of a protocol, or properties of
// a system.
type Counterexample struct {
	Schedule   rounds.Schedule      `json:"schedule"`
	Beside     *rounds.Schedule     `json:"beside,omitempty"`    // with a guide: the schedule without what the guide decided; nil if that is not known
	Size       int                  `json:"size"`                // the number of faults
	Cost       int                  `json:"cost,omitempty"`      // the sum of the costs of the faults, if their kinds have costs
	Confirmed  bool                 `json:"confirmed"`           // it was executed and broke the promise, each time
	Violations List[Violation]      `json:"violations"`          // what is broken, the first violation first
	Group      int                  `json:"group,omitempty"`     // the number of its group, if there are groups
	Renamed    string               `json:"renamed,omitempty"`   // how the first set of its group has to be renamed to give this one: c for b
	Cuts       List[Cut]            `json:"cuts,omitempty"`      // in a list of fault sets: what each fault does to the first violation
	Because    List[string]         `json:"because"`             // which supports the faults take away, one a line; empty if that is not known
	Execution  *recording.Execution `json:"execution,omitempty"` // the recording, of the relations that the promise depends on
	Senders    []Sender             `json:"senders,omitempty"`   // where the messages of the execution come from, if that is known
	Continued  *Continued           `json:"continued,omitempty"` // for a system: how the execution was continued, if something had not happened by its end
	Repeats    *Repeats             `json:"repeats,omitempty"`   // for a system whose executions of one schedule may differ: how often the schedule breaks the promise

	// How small the schedule is. Without any one of its faults, an irreducible schedule
	// of a system does not violate the first of its properties any more; it may violate
	// another.
	Minimal     bool   `json:"minimal"`     // no schedule among those of Among has fewer faults and breaks the promise
	Among       string `json:"among"`       // the schedules for which Minimal holds, a phrase; empty unless Minimal
	Irreducible bool   `json:"irreducible"` // without any one of its faults the schedule does not break the promise

	// Unneeded are faults that only the assumptions require: the promise is broken
	// without all of these as well.
	Unneeded rounds.Schedule `json:"unneeded,omitzero"`
}

// Injection is the execution of one schedule, with its judgement.
type Injection struct {
	Verdict    Verdict              `json:"verdict,omitempty"` // of this one execution; "" if nothing is promised; Inconclusive if a guide does not allow its schedule
	Schedule   rounds.Schedule      `json:"schedule"`
	Within     bool                 `json:"within"`     // the schedule lies within the bounds
	Violations List[Violation]      `json:"violations"` // what is broken
	Because    List[string]         `json:"because"`    // which supports the faults take away, one a line; empty if that is not known
	Warnings   List[specs.Warning]  `json:"warnings"`   // what looks wrong in the program
	Bounds     rounds.Bounds        `json:"bounds"`
	Execution  *recording.Execution `json:"execution"`         // the whole recording
	Senders    []Sender             `json:"senders,omitempty"` // where the messages of the execution come from, if that is known

	// For a system, if something had not happened by the end of the execution: how the
	// execution was continued, if a violation remains, and what turned out to be late,
	// which is no violation.
	Continued *Continued      `json:"continued,omitempty"`
	Late      *Late           `json:"late,omitempty"`    // by how much it was late
	Awaited   List[Violation] `json:"awaited,omitempty"` // what had not happened by the end, but happened late

	// For a system whose executions of one schedule may differ: how many were made, and
	// how many of them broke the promise. The other fields describe the first that
	// broke the promise, or else the first of all.
	Repeats *Repeats `json:"repeats,omitempty"`

	Guidance *Guidance `json:"guidance,omitempty"` // what decided the faults of the schedule, if a guide did
}

// Sender is the rule that sends the messages of a relation; the first rule if there are
// several.
type Sender struct {
	Relation string `json:"relation"` // the relation of the messages
	specs.Position
}

// Proof names the files with a proof that no schedule within the bounds breaks the
// promise.
type Proof struct {
	File    string `json:"file"`    // the file with the proof, in the DRAT format
	Formula string `json:"formula"` // the file with the formula that is proved unsatisfiable, in the DIMACS format
	Solver  string `json:"solver"`  // the command of the SAT solver that wrote it
}

// Margin has the verdicts within the nearest larger bounds.
type Margin struct {
	Questions List[Beyond] `json:"questions"`      // one question for each bound that is larger by one
	Note      string       `json:"note,omitempty"` // why there are no questions
}

// Beyond is the verdict within bounds of which one is larger by one.
type Beyond struct {
	Bounds   string          `json:"bounds"` // the bounds that are larger, as settings: isolations=2
	Verdict  Verdict         `json:"verdict"`
	Schedule rounds.Schedule `json:"schedule,omitzero"` // of a smallest counterexample, if it is violated
	Reason   string          `json:"reason,omitempty"`  // why the verdict is inconclusive, or why the promise holds in vain
}

// Horizon is the verdict at a smaller number of rounds.
type Horizon struct {
	EOT      int             `json:"eot"` // the number of rounds
	Verdict  Verdict         `json:"verdict"`
	Schedule rounds.Schedule `json:"schedule"` // of a smallest counterexample, if it is violated
}

// Count is the number of minimal fault sets, whether they are listed or not.
type Count struct {
	Sets  int    `json:"sets"`          // how many
	Exact bool   `json:"exact"`         // whether Sets is exact; otherwise there are at least Sets
	Why   string `json:"why,omitempty"` // the reason why the number is not exact, a phrase
}

// Conflict is the reason why no fault set meets all assumptions.
type Conflict struct {
	// A smallest set of assumptions that conflict. Require and Forbid are both empty if
	// the promise holds under every schedule, whatever is assumed.
	Require List[string] `json:"require"`
	Forbid  List[string] `json:"forbid"` // the assumptions that forbid something

	// Scope tells that no schedule within the bounds meets these assumptions, whatever
	// is promised. Otherwise the promise holds under all schedules that meet them.
	Scope bool `json:"scope"`
}

// Stats is the cost of an answer. For a protocol only the executions are the same for
// the same input: the rest depends on the number of cores, and on the way that ends
// first.
type Stats struct {
	Way         string `json:"way,omitempty"`          // for a protocol: the way that decided it, circuit, tables or cases; "" if none came to its end
	Workers     int    `json:"workers,omitempty"`      // for a protocol: the most cores that were used
	Facts       int    `json:"facts,omitempty"`        // the number of possible facts in the largest evaluation
	Gates       int    `json:"gates,omitempty"`        // the number of gates in its circuit
	SolverCalls int    `json:"solver_calls,omitempty"` // for a protocol: the number of calls of the SAT solver
	Executions  int    `json:"executions"`             // the number of executions; for systems including those to make a schedule smaller, but not the second one of a counterexample
	Times       Times  `json:"times"`
}

// Times are the durations of the parts, in milliseconds.
type Times struct {
	Evaluate float64 `json:"evaluate_ms"` // the evaluation of the program over all schedules
	Search   float64 `json:"search_ms"`   // the search for fault sets
	Execute  float64 `json:"execute_ms"`  // the execution of what was found
	Total    float64 `json:"total_ms"`    // everything together, including what is none of these
}
