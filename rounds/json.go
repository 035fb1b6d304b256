package rounds

import (
	"encoding/json"
	"fmt"

	"github.com/lineage-driven/ldfi/internal/text"
)

// boundsJSON is the JSON form of Bounds.
type boundsJSON struct {
	Processes  []string   `json:"processes"`              // who takes part
	EOT        int        `json:"eot"`                    // end of time: the rounds are 1..eot
	EFF        int        `json:"eff,omitempty"`          // end of finite failures: losses happen in rounds before it; none: in any round
	From       int        `json:"from,omitempty"`         // the first round in which a fault begins; none: the first of all
	Crashes    budgetJSON `json:"crashes"`                // at most so many crashes: of each process one, and one more after each restart
	Omissions  budgetJSON `json:"omissions"`              // at most so many (sender, receiver, round) lose their messages
	Isolations budgetJSON `json:"isolations"`             // at most so many (process, phase) are isolated
	Restarts   budgetJSON `json:"restarts,omitempty"`     // at most so many times a crashed process comes back
	Pauses     budgetJSON `json:"pauses,omitempty"`       // at most so many (process, phase) are paused
	Partitions budgetJSON `json:"partitions,omitempty"`   // at most so many (two sides, phase) exchange nothing; one that is not used allows an isolation more
	Cuts       budgetJSON `json:"cuts,omitempty"`         // at most so many (link, phase) lose what is sent on them, one way
	FastClocks budgetJSON `json:"fast_clocks,omitempty"`  // at most so many (process, phase) have a clock that runs fast
	SlowClocks budgetJSON `json:"slow_clocks,omitempty"`  // at most so many (process, phase) have a clock that runs slow; not both
	Jumps      budgetJSON `json:"jumps,omitempty"`        // at most so many (process, round) begin with a clock that jumps ahead
	MaxJump    int        `json:"max_jump,omitempty"`     // by so many rounds at most
	FailedSync budgetJSON `json:"failed_syncs,omitempty"` // in at most so many (process, round) nothing becomes durable
	Delays     budgetJSON `json:"delays,omitempty"`       // at most so many (sender, receiver, round) arrive in a later round
	Duplicates budgetJSON `json:"duplicates,omitempty"`   // at most so many (sender, receiver, round) arrive once more in a later round
	MaxDelay   int        `json:"max_delay,omitempty"`    // by so many rounds at most
	Orders     budgetJSON `json:"orders,omitempty"`       // at most so many (receiver, round) get what others send them in another order than that of processes
	Period     int        `json:"period"`                 // the rounds in a phase: who is isolated, paused, parted or cut off rejoins when one ends
	At         string     `json:"at,omitempty"`           // phase, if faults begin with phases only
	Phase      []string   `json:"phase,omitempty"`        // the names of the rounds of a phase
	Implied    bool       `json:"implied,omitempty"`      // the omissions were not asked for: they follow from an eff in the settings of a program
	Crash      string     `json:"crash"`                  // what a process does that has crashed: mute (it sends nothing) or stop (it does nothing)
	NeverCrash []string   `json:"never_crash,omitempty"`  // processes of which it is assumed that they never crash
	Reliable   []string   `json:"reliable,omitempty"`     // links of which it is assumed that only crashes lose their messages, as a>c or *>m
	Own        string     `json:"own,omitempty"`          // lost, if who is isolated loses its messages to itself as well
	Deliver    string     `json:"deliver,omitempty"`      // from how many somebody receives in each round at least: n-f, n-1, a number or majority
	Kernel     string     `json:"kernel,omitempty"`       // yes, if in each round somebody exchanges messages with all others
	Durable    []string   `json:"durable,omitempty"`      // relations of a program of which a process that comes back has what it had when it crashed; it has nothing else

	Joins map[string]int `json:"join,omitempty"` // processes of a program that join later, and the rounds in which they do

	Points map[string][]string `json:"points,omitempty"` // of a system: for each process the points within a round at which it can crash
	Disks  bool                `json:"disks,omitempty"`  // processes have disks, so that there are three of each crash

	Choose  []choiceJSON `json:"choose,omitempty"`  // what the environment chooses
	Choices *budgetJSON  `json:"choices,omitempty"` // at most so many choices of the schedule's own: without any those hold that are there by default
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

// MarshalJSON writes the bounds in normal form, with the names of the settings.
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
		Processes: processes, EOT: b.EOT, EFF: b.EFF, From: b.From,
		Crashes: budgetJSON(b.Crashes), Omissions: budgetJSON(b.Omissions), Isolations: budgetJSON(b.Isolations),
		Restarts: budgetJSON(b.Restarts), Pauses: budgetJSON(b.Pauses), Partitions: budgetJSON(b.Partitions), Cuts: budgetJSON(b.Cuts), Period: b.Period, Crash: crash, Implied: b.Implied,
		FastClocks: budgetJSON(b.FastClocks), SlowClocks: budgetJSON(b.SlowClocks),
		Jumps: budgetJSON(b.Jumps), MaxJump: b.MaxJump, FailedSync: budgetJSON(b.FailedSyncs),
		Delays: budgetJSON(b.Delays), Duplicates: budgetJSON(b.Duplicates), MaxDelay: b.MaxDelay, Orders: budgetJSON(b.Orders),
		Phase: b.Phase, At: b.At,
		Points: b.Points, Disks: b.Disks,
		NeverCrash: b.NeverCrash, Reliable: b.Reliable, Own: own, Deliver: b.Deliver, Kernel: b.Kernel,
		Durable: b.Durable, Joins: b.Joins,
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
		Processes: in.Processes, EOT: in.EOT, EFF: in.EFF, From: in.From,
		Crashes: int(in.Crashes), Omissions: int(in.Omissions), Isolations: int(in.Isolations),
		Restarts: int(in.Restarts), Pauses: int(in.Pauses), Partitions: int(in.Partitions), Cuts: int(in.Cuts), Period: in.Period, CrashStop: in.Crash == "stop", Implied: in.Implied,
		FastClocks: int(in.FastClocks), SlowClocks: int(in.SlowClocks),
		Jumps: int(in.Jumps), MaxJump: in.MaxJump, FailedSyncs: int(in.FailedSync),
		Delays: int(in.Delays), Duplicates: int(in.Duplicates), MaxDelay: in.MaxDelay, Orders: int(in.Orders),
		Phase: in.Phase, At: in.At,
		Points: in.Points, Disks: in.Disks,
		NeverCrash: in.NeverCrash, Reliable: in.Reliable, OwnLost: in.Own == ownLost, Deliver: in.Deliver, Kernel: in.Kernel,
		Durable: in.Durable, Joins: in.Joins,
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
