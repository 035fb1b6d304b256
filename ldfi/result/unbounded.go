package result

import (
	"fmt"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs"
)

// Unbounded is what is known about any number of rounds.
type Unbounded struct {
	Verdict Verdict `json:"verdict"`           // of any number of rounds
	Reason  string  `json:"reason,omitempty"`  // why it is inconclusive
	Round   int     `json:"round,omitempty"`   // of the violation, if there is one
	Depth   int     `json:"depth,omitempty"`   // in so many rounds nothing is violated; none if it holds for any number
	State   int     `json:"state"`             // the facts that can be there after a round
	Clauses int     `json:"clauses"`           // of the invariant: true at first, kept by each round, and they exclude a violation
	Until   int     `json:"until"`             // nothing is given after this round
	Calls   int     `json:"calls"`             // of the SAT solver
	Vacuous bool    `json:"vacuous,omitempty"` // no state makes a rule of the promise fire, whether it is reached or not

	Within *Within `json:"within,omitempty"` // of the rounds after the quiet begins, if that was asked for

	Invariant List[string] `json:"invariant"` // its sentences, for people, the most telling first
	Sentences []Sentence   `json:"-"`         // these, with what they stand for
	Clocks    List[Clock]  `json:"clocks"`    // columns whose numbers are counted only as far as rules tell them apart

	Certificate *ProofFiles `json:"certificate,omitempty"` // the files of the proof, if they were asked for

	Sets   List[Set] `json:"sets,omitempty"`   // the sets of faults that break the promise, whatever their rounds, if that was asked for; by counterexample
	Others string    `json:"others,omitempty"` // why there may be other sets; none: a proof excludes them

	Sizes *Sizes `json:"sizes,omitempty"` // what is known for several numbers of processes, if that was asked for
}

// ProofFiles names the files of a proof for any number of rounds that other tools check.
type ProofFiles struct {
	Model   string `json:"model"`   // the round as a circuit, in the AIGER format
	Witness string `json:"witness"` // the same with the invariant, for Certifaiger
	Formula string `json:"formula"` // it cannot be satisfied if the invariant is one, in the DIMACS format
}

// Set is a set of faults that break the promise in some round, whenever they happen.
type Set struct {
	Faults  List[string] `json:"faults"`  // without their rounds
	Minimal bool         `json:"minimal"` // without any of them the others never break the promise
	Round   int          `json:"round"`   // in which the schedule of the counterexample breaks it
}

// Sizes are the answers for several numbers of processes.
type Sizes struct {
	Each      List[Size]   `json:"each"`             // by the number of processes
	Same      int          `json:"same"`             // up to so many processes the same sentences prove the promise; 0: for no two numbers
	Sentences List[string] `json:"sentences"`        // these
	Reason    string       `json:"reason,omitempty"` // why that is not known
}

// Size is the answer for a number of processes.
type Size struct {
	Processes int     `json:"processes"` // how many
	Verdict   Verdict `json:"verdict"`
	Clauses   int     `json:"clauses"`          // of the invariant
	Sentences int     `json:"sentences"`        // in which it is written
	Round     int     `json:"round,omitempty"`  // of the violation, if there is one
	Reason    string  `json:"reason,omitempty"` // why it is inconclusive
}

// Breaks says in which round a promise breaks, and whether it is the first that there can be.
func (u *Unbounded) Breaks() string {
	if u.Depth == 0 && u.Round > 1 {
		return fmt.Sprintf("a run of %d rounds breaks the promise", u.Round)
	}
	if u.Depth < u.Round-1 {
		return fmt.Sprintf("the promise breaks in round %d, and in none of the first %d", u.Round, u.Depth)
	}
	return fmt.Sprintf("the promise breaks in round %d, and in no earlier one", u.Round)
}

// Sentence is one of an invariant. It stands for clauses: in each, one of the facts is there, or one of those with
// "not " before them is not.
type Sentence struct {
	Text    string     `json:"text"`
	Clauses [][]string `json:"clauses"`
}

// Safety is what is known about violation alone, for any number of rounds.
type Safety struct {
	Verdict  Verdict          `json:"verdict"`
	Schedule *rounds.Schedule `json:"schedule,omitempty"` // of a smallest counterexample, if it is violated
	Rounds   Unbounded        `json:"rounds"`
}

// Breach says why no round has some facts together.
type Breach struct {
	Sentences []string // of the proof for any number of rounds; none: the rules of one round forbid it, whatever was before
	Never     []string // the facts that no round has, whatever the others are
}

// Clock is a column whose numbers grow, and are counted only up to a number.
type Clock struct {
	Relation       string `json:"relation"` // the relation
	Most           int64  `json:"most"`     // the largest number that is counted: no rule tells larger ones apart
	specs.Position        // of the rule that counts
}

// Within is what is known about pre and post after the quiet begins: the first round from which on nothing fails, lasts or is
// late, and no fact of the program comes.
type Within struct {
	Rounds int    `json:"rounds"`           // from so many rounds after the quiet begins pre has to imply post
	Least  bool   `json:"least,omitempty"`  // it does, and with one round fewer it does not
	Begins int    `json:"begins,omitempty"` // the quiet of the violation begins in this round
	Needs  int    `json:"needs,omitempty"`  // at least so many rounds are needed, by the schedule of the violation or by others that were found
	Never  *Never `json:"never,omitempty"`  // no number of rounds is enough

	Violation bool `json:"violation,omitempty"` // the program has violation as well, which must not hold in any round
}

// Never says that post is missing for ever.
type Never struct {
	From    int          `json:"from"`            // these rounds repeat for ever
	Until   int          `json:"until"`           // the last of them: if it is the same, nothing changes any more
	Grows   bool         `json:"grows,omitempty"` // they repeat but for numbers that grow, such as clocks
	With    string       `json:"with,omitempty"`  // what is lost and chosen in them, each time
	Missing List[string] `json:"missing"`         // what is missing of post in them, though pre holds
}
