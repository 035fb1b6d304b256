package rounds

import (
	"encoding/json"
	"fmt"

	"github.com/lineage-driven/ldfi/internal/text"
)

// boundsJSON is the JSON form of Bounds.
type boundsJSON struct {
	Processes  []string   `json:"processes"`              // the names of the processes
	EOT        int        `json:"eot"`                    // end of time: an execution has the rounds 1 to eot
	EFF        int        `json:"eff,omitempty"`          // end of finite failures: messages are lost only in rounds before eff; none: in any round
	From       int        `json:"from,omitempty"`         // the first round in which a fault can begin; none: round 1
	FaultFree  int        `json:"fault_free,omitempty"`   // the number of rounds at the end in which nothing fails; none: there are no such rounds
	Crashes    budgetJSON `json:"crashes"`                // the most crashes: a process crashes once, and once more after each restart
	Omissions  budgetJSON `json:"omissions"`              // the most omissions: the messages of one process to another in one round are lost
	Isolations budgetJSON `json:"isolations"`             // the most isolations: one process is isolated until its phase ends
	Restarts   budgetJSON `json:"restarts,omitempty"`     // the most restarts of crashed processes
	Pauses     budgetJSON `json:"pauses,omitempty"`       // the most pauses: one process stands still until its phase ends
	Partitions budgetJSON `json:"partitions,omitempty"`   // the most partitions: two sides exchange nothing until the phase ends; a partition that is not used allows one more isolation
	Cuts       budgetJSON `json:"cuts,omitempty"`         // the most cuts: what one process sends another is lost until the phase ends; the other direction works
	FastClocks budgetJSON `json:"fast_clocks,omitempty"`  // the most fast clocks: the clock of one process runs fast until its phase ends
	SlowClocks budgetJSON `json:"slow_clocks,omitempty"`  // the most slow clocks: the clock of one process runs slow until its phase ends; a clock is not fast and slow at once
	Jumps      budgetJSON `json:"jumps,omitempty"`        // the most jumps: the clock of one process jumps ahead at the start of one round
	MaxJump    int        `json:"max_jump,omitempty"`     // the most rounds by which a clock jumps ahead
	FailedSync budgetJSON `json:"failed_syncs,omitempty"` // the most failed syncs: in one round nothing becomes durable on the disk of one process
	Terminated budgetJSON `json:"terminations,omitempty"` // the most terminations: the program of one process gets SIGTERM, and is started again when its phase ends
	Delays     budgetJSON `json:"delays,omitempty"`       // the most delays: the messages of one process to another in one round arrive in a later round
	Duplicates budgetJSON `json:"duplicates,omitempty"`   // the most duplicates: the messages of one process to another in one round arrive once more in a later round
	MaxDelay   int        `json:"max_delay,omitempty"`    // the most rounds by which a message arrives later
	Kinds      []string   `json:"kinds,omitempty"`        // kinds of messages that omissions, cuts, delays and duplicates can hit alone
	Orders     budgetJSON `json:"orders,omitempty"`       // the most orders: one process receives the messages of one round in another order of senders than that of processes
	Period     int        `json:"period"`                 // the number of rounds in a phase, with which isolations, pauses, partitions and cuts end
	At         string     `json:"at,omitempty"`           // phase, if all faults begin in the first round of a phase
	Phase      []string   `json:"phase,omitempty"`        // the names of the rounds of a phase
	Implied    bool       `json:"implied,omitempty"`      // the omissions were not asked for: they follow from an eff in the settings of a program
	Crash      string     `json:"crash"`                  // what crashes do to a process: mute (it sends nothing) or stop (it does nothing)
	NeverCrash []string   `json:"never_crash,omitempty"`  // processes that are assumed never to crash
	Reliable   []string   `json:"reliable,omitempty"`     // links that are assumed to lose messages only by crashes, as a>c or *>m
	Own        string     `json:"own,omitempty"`          // lost, if an isolated process loses its messages to itself as well
	Deliver    string     `json:"deliver,omitempty"`      // the number of processes from which each process that is up receives at least in each round: n-f, n-1, a number or majority
	Kernel     string     `json:"kernel,omitempty"`       // yes, if in each round some process exchanges messages with all others
	Within     string     `json:"within,omitempty"`       // a number of rounds, or least: pre has to imply post from so many rounds after the quiet begins, for any number of rounds before
	Durable    []string   `json:"durable,omitempty"`      // relations of a program that outlive a crash: a process that restarts has their facts that it had when it crashed, and no others

	Joins map[string]int `json:"join,omitempty"` // processes that join later, with the rounds in which they join

	Points map[string][]string `json:"points,omitempty"` // of a system: for each process the points within a round at which it can crash
	Disks  bool                `json:"disks,omitempty"`  // processes have disks, so that each crash comes in three kinds

	Choose  []choiceJSON `json:"choose,omitempty"`  // the choices of the environment
	Choices *budgetJSON  `json:"choices,omitempty"` // the most facts that a schedule chooses; where it chooses nothing, the defaults hold
}

// budgetJSON is a budget: a number, or "unlimited".
type budgetJSON int

func (b budgetJSON) MarshalJSON() ([]byte, error) {
	if b == Unlimited {
		return text.MarshalJSON(unlimitedText)
	}
	return text.MarshalJSON(int(b))
}

func (b *budgetJSON) UnmarshalJSON(data []byte) error {
	if string(data) == `"`+unlimitedText+`"` {
		*b = Unlimited
		return nil
	}
	var n int
	if err := json.Unmarshal(data, &n); err != nil || n < 0 {
		return fmt.Errorf("a budget is a whole number, 0 or more, or %q, and not %s", unlimitedText, data)
	}
	*b = budgetJSON(n)
	return nil
}

// MarshalJSON writes the bounds in normal form, under the names of the settings.
func (b Bounds) MarshalJSON() ([]byte, error) {
	b = b.Normal()
	own := ""
	if b.OwnLost {
		own = ownLost
	}
	crash := "mute"
	if b.CrashStop {
		crash = "stop"
	}
	processes := b.Processes
	if processes == nil {
		processes = []string{}
	}
	out := boundsJSON{
		Processes: processes, EOT: b.EOT, EFF: b.EFF, From: b.From, FaultFree: b.FaultFree,
		Crashes: budgetJSON(b.Crashes), Omissions: budgetJSON(b.Omissions), Isolations: budgetJSON(b.Isolations),
		Restarts: budgetJSON(b.Restarts), Pauses: budgetJSON(b.Pauses), Partitions: budgetJSON(b.Partitions), Cuts: budgetJSON(b.Cuts), Period: b.Period, Crash: crash, Implied: b.Implied,
		FastClocks: budgetJSON(b.FastClocks), SlowClocks: budgetJSON(b.SlowClocks),
		Jumps: budgetJSON(b.Jumps), MaxJump: b.MaxJump, FailedSync: budgetJSON(b.FailedSyncs), Terminated: budgetJSON(b.Terminations),
		Delays: budgetJSON(b.Delays), Duplicates: budgetJSON(b.Duplicates), MaxDelay: b.MaxDelay, Orders: budgetJSON(b.Orders),
		Phase: b.Phase, At: b.At,
		Points: b.Points, Disks: b.Disks,
		NeverCrash: b.NeverCrash, Reliable: b.Reliable, Own: own, Deliver: b.Deliver, Kernel: b.Kernel, Within: b.Within,
		Durable: b.Durable, Joins: b.Joins, Kinds: b.Kinds,
	}
	out.choose(b)
	return text.MarshalJSON(out)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (b *Bounds) UnmarshalJSON(data []byte) error {
	var in boundsJSON
	if err := text.UnmarshalJSON(data, &in); err != nil {
		return fmt.Errorf("bounds: %w", err)
	}
	if in.Crash != "mute" && in.Crash != "stop" && in.Crash != "" {
		return fmt.Errorf("bounds: crash is mute or stop, and not %q", in.Crash)
	}
	if in.Own != ownLost && in.Own != "" {
		return fmt.Errorf("bounds: own is lost or left out, and not %q", in.Own)
	}
	*b = Bounds{
		Processes: in.Processes, EOT: in.EOT, EFF: in.EFF, From: in.From, FaultFree: in.FaultFree,
		Crashes: int(in.Crashes), Omissions: int(in.Omissions), Isolations: int(in.Isolations),
		Restarts: int(in.Restarts), Pauses: int(in.Pauses), Partitions: int(in.Partitions), Cuts: int(in.Cuts), Period: in.Period, CrashStop: in.Crash == "stop", Implied: in.Implied,
		FastClocks: int(in.FastClocks), SlowClocks: int(in.SlowClocks),
		Jumps: int(in.Jumps), MaxJump: in.MaxJump, FailedSyncs: int(in.FailedSync), Terminations: int(in.Terminated),
		Delays: int(in.Delays), Duplicates: int(in.Duplicates), MaxDelay: in.MaxDelay, Orders: int(in.Orders),
		Phase: in.Phase, At: in.At,
		Points: in.Points, Disks: in.Disks,
		NeverCrash: in.NeverCrash, Reliable: in.Reliable, OwnLost: in.Own == ownLost, Deliver: in.Deliver, Kernel: in.Kernel, Within: in.Within,
		Durable: in.Durable, Joins: in.Joins, Kinds: in.Kinds,
	}
	return in.chosen(b)
}

// MarshalText writes the text form.
func (s Schedule) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the text form.
func (s *Schedule) UnmarshalText(text []byte) error {
	parsed, err := ParseSchedule(string(text))
	*s = parsed
	return err
}
