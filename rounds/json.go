package rounds

import (
	"encoding/json"
	"fmt"

	"github.com/lineage-driven/ldfi/internal/plainjson"
)

// boundsJSON is the JSON form of Bounds.
type boundsJSON struct {
	Processes  []string   `json:"processes"`
	EOT        int        `json:"eot"`
	EFF        int        `json:"eff,omitempty"`
	Crashes    budgetJSON `json:"crashes"`
	Omissions  budgetJSON `json:"omissions"`
	Isolations budgetJSON `json:"isolations"`
	Restarts   budgetJSON `json:"restarts,omitempty"`
	Pauses     budgetJSON `json:"pauses,omitempty"`
	Partitions budgetJSON `json:"partitions,omitempty"`
	Cuts       budgetJSON `json:"cuts,omitempty"`
	FastClocks budgetJSON `json:"fast_clocks,omitempty"`
	SlowClocks budgetJSON `json:"slow_clocks,omitempty"`
	Jumps      budgetJSON `json:"jumps,omitempty"`
	MaxJump    int        `json:"max_jump,omitempty"` // in rounds
	FailedSync budgetJSON `json:"failed_syncs,omitempty"`
	Delays     budgetJSON `json:"delays,omitempty"`
	Duplicates budgetJSON `json:"duplicates,omitempty"`
	MaxDelay   int        `json:"max_delay,omitempty"` // in rounds
	Orders     budgetJSON `json:"orders,omitempty"`
	Period     int        `json:"period"`
	At         string     `json:"at,omitempty"`      // phase, if faults begin with phases only
	Phase      []string   `json:"phase,omitempty"`   // the names of its rounds
	Implied    bool       `json:"implied,omitempty"` // the omissions
	Crash      string     `json:"crash"`             // "mute" or "stop"
	NeverCrash []string   `json:"never_crash,omitempty"`
	Reliable   []string   `json:"reliable,omitempty"`
	Own        string     `json:"own,omitempty"`     // "lost", or else kept, of who is isolated
	Deliver    string     `json:"deliver,omitempty"` // n-f, n-1, a number or majority
	Kernel     string     `json:"kernel,omitempty"`  // yes
	Durable    []string   `json:"durable,omitempty"` // relations of a program

	Joins map[string]int `json:"join,omitempty"` // processes of a program, and the rounds in which they join

	Points map[string][]string `json:"points,omitempty"`
	Disks  bool                `json:"disks,omitempty"` // so that there are three of each crash

	Choose  []choiceJSON `json:"choose,omitempty"`
	Choices *budgetJSON  `json:"choices,omitempty"`
}

// budgetJSON is a budget: a number, or "unlimited".
type budgetJSON int

func (b budgetJSON) MarshalJSON() ([]byte, error) {
	if b == Unlimited {
		return plainjson.Marshal(unlimitedText)
	}
	return plainjson.Marshal(int(b))
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
		Processes: processes, EOT: b.EOT, EFF: b.EFF,
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
	return plainjson.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (b *Bounds) UnmarshalJSON(data []byte) error {
	var in boundsJSON
	if err := plainjson.Unmarshal(data, &in); err != nil {
		return fmt.Errorf("bounds: %w", err)
	}
	if in.Crash != "mute" && in.Crash != "stop" && in.Crash != "" {
		return fmt.Errorf("bounds: crash is mute or stop, and not %q", in.Crash)
	}
	if in.Own != ownLost && in.Own != "" {
		return fmt.Errorf("bounds: own is lost or left out, and not %q", in.Own)
	}
	*b = Bounds{
		Processes: in.Processes, EOT: in.EOT, EFF: in.EFF,
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
