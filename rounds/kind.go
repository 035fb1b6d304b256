package rounds

import (
	"fmt"
	"slices"
)

// Kind is a kind of fault.
type Kind int

// The kinds of fault. Dedalus programs have crashes, restarts, isolations, omissions,
// partitions, cuts, delays and duplicates. Systems written in Go also have pauses and
// orders, and faults of clocks, disks and programs if their processes run on machines.
// Lies, ticks and requests have no budget: only guides and users decide them.
const (
	Crash     Kind = iota // a process stops sending, for ever or until it restarts
	Isolate               // a process neither sends to others nor receives from them
	Omit                  // what one process sends to another in one round is lost
	Restart               // a crashed process comes back with its durable state
	Pause                 // a process stands still; what is sent to it waits
	Partition             // two sides exchange nothing
	Cut                   // what one process sends to another is lost; the other direction works
	Delay                 // what one process sends to another arrives some rounds later
	Duplicate             // what one process sends to another arrives once more, some rounds later
	Order                 // the messages of a round reach a process in another order
	Fast                  // the clock of a process runs fast
	Slow                  // the clock of a process runs slow
	Jump                  // the clock of a process jumps ahead by some rounds
	FailSync              // a process cannot make its writes durable in one round
	Terminate             // the program of a process gets SIGTERM, and is started again later
	Choose                // the environment picks a fact
	Lie                   // a message says something else when it arrives
	Tick                  // the timers of a process tick more often in one round
	Ask                   // a client asks something of a process
)

// kindRow is what the text of schedules, settings, scopes and errors needs to
// know of a kind.
type kindRow struct {
	word  string // in the text of a schedule
	noun  string // what one such fault is called
	key   string // the setting that limits them
	limit string // what the setting says; `n` is its value
	shape shape
	lasts bool // it has a last round
	order int  // its place in a schedule in normal form
	by    subject
	bound bound
}

// bound is the budget of a kind in Bounds.
type bound struct {
	get    func(Bounds) int
	set    func(*Bounds, int)
	scope  int  // its place in the text of a scope
	losses bool // only in rounds that can lose messages
}

// shape is what the text of a fault has besides its word and its round.
type shape int

const (
	ofProcess shape = iota // a@5
	ofLink                 // a>b@5
	ofCrash                // a@5/point/disk
	ofLater                // a>b@5+2
	ofJump                 // a@5+30
	ofSides                // a,b|*@5..8
	ofOrder                // b@5 c,a
	ofCall                 // submit("n2")@1
	ofLie                  // a>b@3/Vote ToNil
	ofAsk                  // a@3 "PUT x=1"
)

// subject is what can execute a fault.
type subject int

const (
	_ subject = iota // of no kind
	systems
	programs // and systems
)

// kindTable is the kinds in the order of their constants.
var kindTable = [...]kindRow{
	Crash:     {"crash", "crash", "crashes", "at most `n` crashes", ofCrash, false, 0, programs, bound{func(b Bounds) int { return b.Crashes }, func(b *Bounds, n int) { b.Crashes = n }, 5, false}},
	Isolate:   {"isolate", "isolation", "isolations", "at most `n` isolations", ofProcess, true, 3, programs, bound{func(b Bounds) int { return b.Isolations }, func(b *Bounds, n int) { b.Isolations = n }, 1, true}},
	Omit:      {"omit", "omission", "omissions", "at most `n` messages between two processes in one round are lost, or unlimited", ofLink, false, 4, programs, bound{func(b Bounds) int { return b.Omissions }, func(b *Bounds, n int) { b.Omissions = n }, 4, true}},
	Restart:   {"restart", "restart", "restarts", "at most `n` times a crashed process comes back, with what it keeps", ofProcess, false, 1, programs, bound{func(b Bounds) int { return b.Restarts }, func(b *Bounds, n int) { b.Restarts = n }, 6, false}},
	Pause:     {"pause", "pause", "pauses", "at most `n` times a process of a system stands still for the rest of a phase", ofProcess, true, 2, systems, bound{func(b Bounds) int { return b.Pauses }, func(b *Bounds, n int) { b.Pauses = n }, 3, true}},
	Partition: {"partition", "partition", "partitions", "at most `n` times the processes are parted in two for the rest of a phase", ofSides, true, 5, programs, bound{func(b Bounds) int { return b.Partitions }, func(b *Bounds, n int) { b.Partitions = n }, 2, true}},
	Cut:       {"cut", "cut", "cuts", "at most `n` times what one process sends another is lost for the rest of a phase", ofLink, true, 6, programs, bound{func(b Bounds) int { return b.Cuts }, func(b *Bounds, n int) { b.Cuts = n }, 2, true}},
	Delay:     {"delay", "delay", "delays", "at most `n` times what one process sends another comes some rounds later", ofLater, false, 7, programs, bound{func(b Bounds) int { return b.Delays }, func(b *Bounds, n int) { b.Delays = n }, 11, true}},
	Duplicate: {"duplicate", "duplicate", "duplicates", "at most `n` times what one process sends another comes again some rounds later", ofLater, false, 8, programs, bound{func(b Bounds) int { return b.Duplicates }, func(b *Bounds, n int) { b.Duplicates = n }, 12, true}},
	Order:     {"order", "order", "orders", "at most `n` times what a process receives in a round comes in another order", ofOrder, false, 9, systems, bound{func(b Bounds) int { return b.Orders }, func(b *Bounds, n int) { b.Orders = n }, 13, true}},
	Fast:      {"fast", "fast clock", "fast-clocks", "at most `n` times the clock of a process runs fast for the rest of a phase", ofProcess, true, 10, systems, bound{func(b Bounds) int { return b.FastClocks }, func(b *Bounds, n int) { b.FastClocks = n }, 7, true}},
	Slow:      {"slow", "slow clock", "slow-clocks", "at most `n` times the clock of a process runs slow for the rest of a phase", ofProcess, true, 11, systems, bound{func(b Bounds) int { return b.SlowClocks }, func(b *Bounds, n int) { b.SlowClocks = n }, 8, true}},
	Jump:      {"jump", "jump", "jumps", "at most `n` times the clock of a process jumps ahead", ofJump, false, 12, systems, bound{func(b Bounds) int { return b.Jumps }, func(b *Bounds, n int) { b.Jumps = n }, 9, true}},
	FailSync:  {"failsync", "failed sync", "failed-syncs", "in at most `n` rounds nothing becomes durable on the disk of a process", ofProcess, false, 13, systems, bound{func(b Bounds) int { return b.FailedSyncs }, func(b *Bounds, n int) { b.FailedSyncs = n }, 10, true}},
	Terminate: {"terminate", "termination", "terminations", "at most `n` times a program gets SIGTERM, and starts again in the next phase", ofProcess, true, 14, systems, bound{func(b Bounds) int { return b.Terminations }, func(b *Bounds, n int) { b.Terminations = n }, 6, true}},
	Choose:    {"choose", "choice", "choices", "the environment chooses at most `n` facts; without it any number", ofCall, false, 15, programs, bound{func(b Bounds) int { return b.Choices }, func(b *Bounds, n int) { b.Choices = n }, 11, false}},
	Lie:       {word: "lie", noun: "lie", shape: ofLie, order: 16, by: systems},
	Tick:      {word: "tick", noun: "tick", shape: ofJump, order: 17, by: systems},
	Ask:       {word: "ask", noun: "request", shape: ofAsk, order: 18, by: systems},
}

// spoken is the kinds in the order in which people are told about them.
var spoken = []Kind{Crash, Restart, Omit, Isolate, Partition, Cut, Delay, Duplicate, Pause, Fast, Slow, Jump, FailSync, Terminate, Order, Choose}

// Kinds returns the kinds of fault in the order in which they are shown. Each has a
// budget in [Bounds]. Choose comes last, because a choice of the environment is no
// fault.
func Kinds() []Kind { return slices.Clone(spoken) }

// kindNames returns the words for the kinds in the text of a schedule.
func kindNames() []string {
	words := make([]string, len(kindTable))
	for i, row := range kindTable {
		words[i] = row.word
	}
	return words
}

// String returns the word for the kind in the text of a schedule.
func (k Kind) String() string {
	if !k.known() {
		return fmt.Sprintf("kind(%d)", int(k))
	}
	return kindTable[k].word
}

func (k Kind) known() bool { return k >= 0 && int(k) < len(kindTable) }

// row returns what is known of a kind, nothing if there is no such kind.
func (k Kind) row() *kindRow {
	if !k.known() {
		return &kindRow{order: len(kindTable) + int(k)}
	}
	return &kindTable[k]
}

// lasts tells whether a fault of the kind has a last round.
func (k Kind) lasts() bool { return k.known() && kindTable[k].lasts }

// Noun returns the noun for one fault of the kind: "crash", "isolation".
func (k Kind) Noun() string { return k.row().noun }

// Setting returns the key of the setting that limits the faults of the kind: "crashes".
func (k Kind) Setting() string { return k.row().key }

// Limit returns a phrase that describes the setting of the kind; `n` stands for its
// value.
func (k Kind) Limit() string { return k.row().limit }

// OfPrograms tells whether Dedalus programs have faults of the kind; otherwise only
// systems written in Go have them.
func (k Kind) OfPrograms() bool { return k.row().by == programs }

// SetBudget sets the most faults of kind k that a schedule may have.
func (b *Bounds) SetBudget(k Kind, n int) {
	if set := k.row().bound.set; set != nil {
		set(b, n)
	}
}

// Budget returns the most faults of kind k that a schedule may have, or Unlimited.
func (b Bounds) Budget(k Kind) int {
	if get := k.row().bound.get; get != nil {
		return get(b)
	}
	return 0
}
