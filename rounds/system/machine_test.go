package system_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// ledger writes the number of each round to its disk, syncs that in even rounds, and
// reads a clock.
type ledger struct {
	machine         system.Machine
	clock           int
	written, synced []int
	told            []string
}

func (l *ledger) Machine() system.Machine { return l.machine }

func (l *ledger) Send(s *system.Step) {
	c := s.Conditions()
	l.clock += 10 + 5*c.Clock + 10*c.Jump
	l.written = append(l.written, s.Round())
	if s.Round()%2 == 0 && !c.FailSync {
		l.synced = append(l.synced, l.written...)
		l.written = nil
	}
	if c.Goroutines.Given {
		s.Fact("order", int(c.Goroutines.Value))
	}
	s.At("written")
}

func (l *ledger) CrashPoints() []string { return []string{"written"} }

func (l *ledger) Receive(s *system.Step, inbox []system.Message) {
	s.Fact("clock", l.clock)
	s.Fact("disk", fmt.Sprint(l.synced, l.written))
}

func (l *ledger) CrashDisk(outcome string) {
	l.told = append(l.told, outcome)
	switch outcome {
	case "kept":
		l.synced = append(l.synced, l.written...)
	case "torn":
		l.synced = append(l.synced, l.written[:len(l.written)/2]...)
	}
	l.written = nil
}

func (l *ledger) Crash() { l.told = append(l.told, "Crash in place of CrashDisk") }

func (l *ledger) Restart(s *system.Step) { s.Fact("told", strings.Join(l.told, " ")) }

var wholeMachine = system.Machine{Clock: true, Disk: true, Goroutines: true}

func ledgers(m system.Machine) *system.System {
	return &system.System{
		Name: "ledger", Processes: []string{"a", "b"}, Rounds: 6,
		New: func(name string, _ *rand.Rand) system.Process {
			if name == "b" {
				return &ledger{machine: wholeMachine}
			}
			return &ledger{machine: m}
		},
	}
}

// last returns what a reported last of a relation.
func last(t testing.TB, e *recording.Execution, relation string) string {
	t.Helper()
	text := ""
	for _, f := range e.Facts {
		if f.Relation == relation && f.Args[0].String() == `"a"` {
			text = fmt.Sprint(f.Args[1])
		}
	}
	return strings.Trim(text, `"`)
}

func TestFaultsOfMachines(t *testing.T) {
	for schedule, want := range map[string][3]string{
		"":                                     {"60", "[1 2 3 4 5 6] []", ""},
		"fast a@2..4":                          {"75", "[1 2 3 4 5 6] []", ""},
		"slow a@2..3; fast a@4":                {"55", "[1 2 3 4 5 6] []", ""},
		"jump a@5+30":                          {"360", "[1 2 3 4 5 6] []", ""},
		"jump a@5+2; slow a@5; fast b@1..6":    {"75", "[1 2 3 4 5 6] []", ""},
		"failsync a@2":                         {"60", "[1 2 3 4 5 6] []", ""},
		"failsync a@6":                         {"60", "[1 2 3 4] [5 6]", ""},
		"crash a@4; restart a@6":               {"40", "[1 2 6] []", "lost"},
		"crash a@4/kept; restart a@6":          {"40", "[1 2 3 6] []", "kept"},
		"failsync a@2; crash a@4; restart a@6": {"40", "[6] []", "lost"},
		"failsync a@2; crash a@4/torn; restart a@6":                   {"40", "[1 6] []", "torn"},
		"crash a@3/written; restart a@4":                              {"60", "[1 2 4 5 6] []", "lost"},
		"crash a@3/written/kept; restart a@4":                         {"60", "[1 2 3 4 5 6] []", "kept"},
		"crash a@2/torn; restart a@3; crash a@4/kept; restart a@4":    {"50", "[3 4 5 6] []", "torn kept"},
		"pause a@2; jump a@2+9; crash a@5; jump a@5+9; restart a@6":   {"40", "[1 3 4 6] []", "lost"},
		"pause a@2..3; crash a@3/written/kept; restart a@4; fast a@3": {"40", "[1 4 5 6] []", "kept"},
	} {
		e := execute(t, ledgers(wholeMachine), schedule)
		require.Equal(t, want, [3]string{last(t, e, "clock"), last(t, e, "disk"), last(t, e, "told")}, schedule)
		require.Equal(t, e, execute(t, ledgers(wholeMachine), e.Schedule.String()))
		require.Empty(t, e.Inexact)
	}
}

func TestGoroutinesOfASchedule(t *testing.T) {
	require.Equal(t, "7", last(t, execute(t, ledgers(system.Machine{}), "goroutines 7"), "order"))
	require.Empty(t, last(t, execute(t, ledgers(wholeMachine), ""), "order"))
}

// What a machine does not have no schedule can break.
func TestMachineLacks(t *testing.T) {
	bare := counting(new([]string))
	for schedule, want := range map[string]string{
		"fast a@2..3":          "fast a@2..3: process a has no timers (system.Ticker), and no clock that could run fast or slow or jump",
		"slow a@2":             "slow a@2: process a has no timers (system.Ticker), and no clock that could run fast or slow or jump",
		"jump a@2+3":           "jump a@2+3: process a has no timers (system.Ticker), and no clock that could run fast or slow or jump",
		"failsync a@2":         "failsync a@2: process a has no disk, whose syncs could fail",
		"crash a@2/torn":       "crash a@2/torn: process a has no disk, of which a crash could keep or tear what was not synced",
		"crash a@2/kept":       "crash a@2/kept: process a has no disk, of which a crash could keep or tear what was not synced",
		"goroutines 7; seed 1": "goroutines 7: no process has goroutines whose order could be drawn",
	} {
		s, err := rounds.ParseSchedule(schedule)
		require.NoError(t, err)
		_, err = bare.Run(context.Background(), s, system.RunOptions{})
		if strings.Contains(want, "no clock") { // timers are one
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, `system "counting": schedule: `+want+" (system.Machined)")
		}
		_, err = ledgers(system.Machine{}).Run(context.Background(), s, system.RunOptions{})
		if strings.HasPrefix(schedule, "goroutines") { // b has them
			require.NoError(t, err)
			continue
		}
		require.EqualError(t, err, `system "ledger": schedule: `+want+" (system.Machined)")
	}
	_, err := bare.Run(context.Background(), rounds.Schedule{Faults: []rounds.Fault{{Kind: rounds.Crash, Process: "a", Round: 2, Detail: "lost"}}}, system.RunOptions{})
	require.EqualError(t, err, `system "counting": schedule: crash a@2/lost: what was not synced is lost unless a crash says otherwise: write crash a@2`)
}

// noDisk says that it has a disk, and is not told of what a crash does to it.
type noDisk struct{ script }

func (*noDisk) Machine() system.Machine { return system.Machine{Disk: true} }

func TestDiskWithoutCrashes(t *testing.T) {
	s := counting(new([]string))
	s.New = func(name string, _ *rand.Rand) system.Process { return &noDisk{script{name: name, log: new([]string)}} }
	_, err := s.Run(context.Background(), rounds.Schedule{}, system.RunOptions{})
	require.EqualError(t, err, `system "counting": process a, before the first round, in Machine: its machine has a disk, but it does not say what a crash does to that: give it a method CrashDisk(outcome string) (system.DiskCrasher)`)
}

func TestInexact(t *testing.T) {
	s := ledgers(system.Machine{Inexact: "the overlay is missing", Single: true})
	require.Equal(t, "the overlay is missing", execute(t, s, "").Inexact)
	can, err := s.Abilities()
	require.NoError(t, err)
	require.Equal(t, system.Machine{Goroutines: true, Single: true, Inexact: "the overlay is missing"}, can.Machine)

	s = counting(new([]string))
	s.New = func(name string, _ *rand.Rand) system.Process {
		return &script{name: name, log: new([]string), send: func(s *system.Step) {
			if s.Round() == 3 {
				s.Inexact(s.Process() + " ran out of memory")
			}
		}}
	}
	require.Equal(t, "a ran out of memory", execute(t, s, "").Inexact)
	require.Equal(t, "b ran out of memory", execute(t, s, "crash a@2").Inexact)
	can, err = s.Abilities()
	require.NoError(t, err)
	require.Equal(t, system.Machine{}, can.Machine)
}

// A runner that executes one schedule after the other forgets what was not exact.
func TestInexactOnce(t *testing.T) {
	s := counting(new([]string))
	s.New = func(name string, _ *rand.Rand) system.Process {
		return &script{name: name, log: new([]string), receive: func(s *system.Step, _ []system.Message) { s.Inexact("late") }}
	}
	r := s.NewRunner()
	r.Options = system.RunOptions{Record: true, Rounds: 3}
	for schedule, want := range map[string]string{"": "late", "crash a@1; crash b@1; crash c@1": ""} {
		parsed, err := rounds.ParseSchedule(schedule)
		require.NoError(t, err)
		require.NoError(t, r.Run(context.Background(), parsed))
		require.Equal(t, want, r.Execution().Inexact)
	}
}
