// Package messages has the messages between ldfi and a host: lines of JSON, each a
// [Request] of ldfi or an [Answer] of the host. docs/wire.md describes the protocol.
package messages

import (
	"fmt"

	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/internal/learned"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs/property"
)

// Version is the version of the protocol.
const Version = 1

// Door is the environment variable by which a test learns that it is to be a host: the
// path of the socket where ldfi waits for it.
const Door = "LDFI_HOST"

// The longest lines that are read. Recordings are long.
const (
	MaxRequest = 4 << 20
	MaxAnswer  = 64 << 20
	MaxCommas  = 4_000_000 // an element of a list takes 2 bytes of a line, and a hundred times as many in memory
)

// What a host does at most for one request.
const (
	MaxRounds = 100_000
	MaxRuns   = 100_000
)

// What a request can ask for.
const (
	DoHello  = "hello"
	DoRun    = "run"
	DoSearch = "search"
	DoPart   = "part"
	DoLearn  = "learn"
	DoVet    = "vet"
	DoCancel = "cancel"
	DoDecide = "decide"
)

// The faults that not every host knows.
const KnowsKinds = "kinds" // of one kind of message

// Recording says when the answer to a run has the recording of the execution.
type Recording string

// When to send recordings.
const (
	Always   Recording = "always"
	Violated Recording = "violated" // if the execution violates a property that the host judges
	Never    Recording = "never"
)

// Check reports a word that none of them is; "" is one.
func (r Recording) Check() error {
	switch r {
	case "", Always, Violated, Never:
		return nil
	}
	return fmt.Errorf("a recording is sent %s, %s or %s, and not %q", Always, Violated, Never, string(r))
}

// Request is a line that the host reads.
type Request struct {
	ID int    `json:"id"` // of the answer; above 0
	Do string `json:"do"`

	// hello
	Version    int        `json:"version,omitempty"`
	Properties []Property `json:"properties,omitempty"` // to be judged beside those of the systems

	// A call of a process that is not back after so many seconds is to be told, as
	// Hangs; with EachCall exactly, else an execution may be taken for a call.
	CallTimeout float64 `json:"call_timeout,omitempty"`
	EachCall    bool    `json:"each_call,omitempty"`

	System string `json:"system,omitempty"` // of a run, search or vet

	// run
	Schedule  *rounds.Schedule `json:"schedule,omitempty"`  // nil: without faults
	Rounds    int              `json:"rounds,omitempty"`    // 0: as many as the system says
	Recording Recording        `json:"recording,omitempty"` // "": violated
	Extents   []int            `json:"extents,omitempty"`   // judge what has happened by each of these numbers of rounds, which grow, as long as what a property awaits has not

	Without []string `json:"without,omitempty"` // judge without what these processes report, but for requests and replies

	Varies bool `json:"varies,omitempty"` // say whether anything is drawn in executions with the settings of the schedule

	Steered bool `json:"steered,omitempty"` // tell what each round sends, and wait for the faults that are decided then

	search.Options // of a search, part or learn; of a vet the seed

	Part *search.Part `json:"part,omitempty"` // part: these executions of the search

	Runs int `json:"runs,omitempty"` // vet
	Of   int `json:"of,omitempty"`   // cancel: the id of a search, part, learn or run that is steered; decide: of a run

	Faults []string `json:"faults,omitempty"` // decide: those of the turn that was told last
}

// Answer is a line that the host writes.
type Answer struct {
	ID    int    `json:"id"`
	Error string `json:"error,omitempty"`

	// hello
	Version    int           `json:"version,omitempty"`
	Systems    []Description `json:"systems,omitempty"`
	Strategies []string      `json:"strategies,omitempty"` // with which the host searches by itself
	Workers    int           `json:"workers,omitempty"`    // how many runs it executes at the same time; 0: one
	Parts      bool          `json:"parts,omitempty"`      // it searches in parts as well, and goes on with what is known of a search
	ByExtents  bool          `json:"by_extents,omitempty"` // it judges a run by several numbers of rounds
	Turns      bool          `json:"turns,omitempty"`      // a run can be steered
	Knows      []string      `json:"knows,omitempty"`      // which faults it knows besides those that every host does

	// run
	Violations []result.Violation   `json:"violations,omitempty"`
	Execution  *recording.Execution `json:"execution,omitempty"`
	Unjudged   *Unjudged            `json:"unjudged,omitempty"` // nothing is violated as far as it was judged, and something was not
	Extents    []Extent             `json:"extents,omitempty"`  // what is violated by each number of rounds that the execution came to
	Failed     string               `json:"failed,omitempty"`   // why it came to no more of them
	Turn       *Turn                `json:"turn,omitempty"`     // of a run that is steered: each, and then the answer
	Settled    bool                 `json:"settled,omitempty"`  // nothing is drawn, in the execution without faults at least

	// search: progress any number of times, then the answer
	Progress *result.Progress `json:"progress,omitempty"`
	Answer   *result.Answer   `json:"answer,omitempty"`

	// part: progress any number of times, then what the executions came to
	Stretch *search.Stretch `json:"stretch,omitempty"`

	// learn: progress any number of times, then the answer and what was learned
	Table *learned.Table `json:"table,omitempty"`

	// with the id 0: a call of a process does not come back
	Hangs *Hang `json:"hangs,omitempty"`

	// vet
	Tests []execution.Test `json:"tests,omitempty"`
}

// Turn is what is known of an execution in the middle of a round, as [system.Turn] says.
type Turn struct {
	Begins  *rounds.Schedule    `json:"begins,omitempty"` // the execution has begun under this schedule, or has begun again
	Round   int                 `json:"round"`
	Facts   []recording.Fact    `json:"facts,omitempty"`
	Arrived []recording.Message `json:"arrived,omitempty"`
	Lost    []recording.Message `json:"lost,omitempty"`
	Sent    []recording.Message `json:"sent,omitempty"`
	First   int                 `json:"first,omitempty"`
	Settled bool                `json:"settled,omitempty"`
}

// Hang is where a call of a process does not come back, as far as that is known.
type Hang struct {
	Schedule rounds.Schedule `json:"schedule"`
	Round    int             `json:"round"`
	Process  string          `json:"process,omitempty"`
	Call     string          `json:"call,omitempty"`
	Stack    []string        `json:"stack,omitempty"` // the functions that run, the innermost first
}

// Extent is what an execution violates by the end of so many rounds.
type Extent struct {
	Rounds     int                `json:"rounds"`
	Violations []result.Violation `json:"violations,omitempty"`
}

// CheckExtents reports numbers of rounds at which an execution cannot be judged.
func CheckExtents(extents []int) error {
	before := 0
	for _, n := range extents {
		if n <= before || n > MaxRounds {
			return fmt.Errorf("the extents of a run grow from 1 to at most %d, and are not %v", MaxRounds, extents)
		}
		before = n
	}
	return nil
}

// Unjudged says which property took too long to judge.
type Unjudged struct {
	Property string `json:"property"`
	Why      string `json:"why"`
}

// Description is what a host tells of a system.
type Description struct {
	search.Description
	Properties []Property `json:"properties"`
	Test
}

// Test is what a host tells that is a test.
type Test struct {
	Asks *search.Options `json:"asks,omitempty"` // how the system is searched where that is not said, without bounds; nil: that is not said either
	Kept string          `json:"kept,omitempty"` // the directory in which the test keeps schedules; "": it keeps none

	// Guided is the name of the guide that decides faults in the test; "": there is none. ldfi does not follow it by itself.
	Guided string `json:"guided,omitempty"`
}

// Property is one that a system has to satisfy. One without rules has to be
// judged by the host.
type Property struct {
	Name   string `json:"name"`
	Rules  string `json:"rules,omitempty"`
	Judged bool   `json:"judged,omitempty"` // by the host
	ByEnd  bool   `json:"by_end,omitempty"` // a violation says that something has not happened by the end; of rules some do by themselves

	CrashedCounts bool `json:"crashed_counts,omitempty"` // what processes have reported counts when they have crashed, too
}

// PropertyOf returns how a property is sent.
func PropertyOf(p property.Property, judged bool) Property {
	out := Property{Name: p.Name, Judged: judged, ByEnd: p.ByEnd, CrashedCounts: p.CrashedCounts}
	if p.Rules != nil {
		out.Rules = p.Rules.Text
	}
	return out
}

// Property returns a property that was sent.
func (p Property) Property() property.Property {
	if p.Rules == "" {
		return property.Property{Name: p.Name, ByEnd: p.ByEnd, CrashedCounts: p.CrashedCounts}
	}
	return property.Property{Name: p.Name, Rules: datalog.New(p.Name, p.Rules), ByEnd: p.ByEnd, CrashedCounts: p.CrashedCounts}
}

// TooManyRounds is the error about a number of rounds that no execution has.
func TooManyRounds(n int) error {
	return fmt.Errorf("an execution has 1 to %d rounds, and not %d", MaxRounds, n)
}
