package system

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/specs/property"
)

// System is a set of processes, with the requests of clients and the properties that
// have to hold.
type System struct {
	Name      string
	Processes []string // their names
	Rounds    int      // the number of rounds of an execution, unless RunOptions set it

	// Fixed says that the number of rounds is part of the promise, as in a protocol of
	// a fixed number of rounds: an execution is judged at its end. Otherwise something
	// that has not happened by then ([property.Property.ByEnd]) is a violation only if
	// it does not happen in more rounds either.
	Fixed bool

	// Single says that executions must not overlap in one program, because they share
	// global state, such as variables of a library. Then a search in this program uses
	// one core, and ldfi run --system starts several hosts.
	Single bool

	// New returns the process called name at the start of an execution. The source
	// random is the one that its Step.Rand returns later.
	New func(name string, random *rand.Rand) Process

	Requests []Request // in any order
	Choices  []Choice  // requests that clients make as well, if the schedule selects them

	// Script is how many requests a script has that processes know, as clients of servers
	// do: Step.Script says which of them are made, as the schedule says it (requests
	// 3,7..9) or all. A search makes do with as few as possible. 0: there is no script.
	Script int

	// MinTicks and MaxTicks limit the number of ticks that a Ticker gets in each round.
	// The number is drawn once per execution, unless the schedule says "ticks n". With
	// both 0 there are no ticks. With only one given, the number is drawn from
	// 1..MaxTicks, or is MinTicks.
	MinTicks, MaxTicks int

	Properties []property.Property // the properties that every execution has to satisfy

	// Faults are the bounds of searches that set no budget of their own; processes and
	// rounds are always those of the system. A search that sets one budget replaces all
	// budgets; other fields, such as EFF, Period and Reliable, it replaces one by one.
	// The zero value leaves the faults to the search.
	Faults rounds.Bounds

	// Calls watches the calls of the processes, unless it is nil. A search sets it.
	Calls *execution.CallWatch

	// Joins maps each process that joins later to the round in which it joins. Before
	// that round the process is not called, messages and requests to it are lost, and
	// no fault strikes it. Joining is a part of the system and no fault.
	Joins map[string]int

	// Apart says how far processes are apart; the zero value: not at all.
	Apart Apart

	// Lies are what faults make of messages that arrive (lie a>b@3/Vote ToNil), by their
	// names: each returns what is delivered in place of the payload. Its random numbers follow
	// from the seed of the schedule, the lie and the message.
	Lies map[string]func(m Message, random *rand.Rand) any

	// Ask returns the payload of a request that a schedule asks by its text (ask a@3 "x");
	// nil: the text is the payload.
	Ask func(text string) (payload any, err error)

	// Warnings returns what is probably not meant about an execution that has ended, each a
	// sentence, by what its processes have come to know. A search asks it about an execution
	// without faults, and has them in its answer. nil: there are none.
	Warnings func(processes []Process) []string

	// Durable names the relations whose facts no crash may make a process
	// forget, such as votes and acknowledged writes; see CheckDurability.
	Durable []string
}

// Bounds returns bounds without faults for the system, with eot rounds, or its own
// number of rounds if eot is 0. Crashed processes stop (CrashStop).
func (s *System) Bounds(eot int) rounds.Bounds {
	b := rounds.Bounds{Processes: s.Processes, EOT: cmp.Or(eot, s.Rounds), Period: 1, Phase: s.Faults.Phase, CrashStop: true, Joins: s.Joins}
	if len(s.Choices) > 0 {
		b.Choose = execution.Choices(s.ChoiceData(), b.EOT)
	}
	return b
}

// faults returns bounds with the faults of the system.
func (s *System) faults(eot int) rounds.Bounds {
	b := s.Faults
	b.Processes, b.EOT, b.CrashStop, b.Joins = s.Processes, eot, true, s.Joins
	return b
}

// Validate returns an error that joins everything that is wrong with the fields of the
// system.
func (s *System) Validate() error {
	var wrong []error
	add := func(format string, args ...any) { wrong = append(wrong, fmt.Errorf(format, args...)) }
	if s.New == nil {
		add("it has no New, which makes its processes")
	}
	if _, err := s.newCatalogue(); err != nil {
		add("%w", err)
	} else if err := s.Bounds(max(s.Rounds, 1)).Validate(); err != nil {
		wrong = append(wrong, err)
	} else if err := s.faults(max(s.Rounds, 1)).Validate(); err != nil {
		add("Faults: %w", err)
	}
	if s.Rounds < 0 {
		add("Rounds is %d, and has to be 1 or more", s.Rounds)
	}
	if s.MinTicks < 0 || s.MaxTicks < 0 || s.MaxTicks > 0 && s.MinTicks > s.MaxTicks {
		add("MinTicks is %d and MaxTicks %d, which is no range", s.MinTicks, s.MaxTicks)
	}
	if s.Apart.Rounds < 0 || s.Apart.Rounds > mostApart {
		add("Apart.Rounds is %d, and has to be 0 to %d", s.Apart.Rounds, mostApart)
	}
	if s.Script < 0 || s.Script > rounds.MostRequests {
		add("Script is %d, and has to be 0 to %d", s.Script, rounds.MostRequests)
	}
	for _, name := range s.Apart.Last {
		if !slices.Contains(s.Processes, name) {
			add("Apart.Last has %q, which is no process", name)
		}
	}
	for _, name := range s.Apart.Own {
		if !slices.Contains(s.Processes, name) {
			add("Apart.Own has %q, which is no process", name)
		}
	}
	seen := map[int]bool{}
	for i, r := range s.requests() {
		if !slices.Contains(s.Processes, r.Process) {
			add("request %d is made of %q, which is no process", r.ID, r.Process)
		}
		if r.Round < 1 {
			add("request %d is made in round %d, and rounds count from 1", r.ID, r.Round)
		}
		if seen[r.ID] {
			add("Requests[%d] has the ID %d of another request", i, r.ID)
		}
		seen[r.ID] = true
	}
	if err := errors.Join(wrong...); err != nil {
		return fmt.Errorf("system %q: %w", s.Name, err)
	}
	return nil
}

// requests returns the requests with their IDs.
func (s *System) requests() []Request {
	requests := slices.Clone(s.Requests)
	for i := range requests {
		requests[i].ID = cmp.Or(requests[i].ID, i+1)
	}
	return requests
}

// tickRange returns how many ticks a round can have.
func (s *System) tickRange() (least, most int) {
	switch {
	case s.MaxTicks == 0:
		return s.MinTicks, s.MinTicks
	default:
		return max(s.MinTicks, 1), s.MaxTicks
	}
}
