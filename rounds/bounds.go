package rounds

// Unlimited is a budget without a limit, for the numbers of faults.
const Unlimited = -1

// Bounds say which schedules are looked at: who takes part, for how many
// rounds, and which faults there may be. A kind of fault is possible when its
// budget is not 0: an EFF alone allows none.
type Bounds struct {
	Processes []string // their names, in the order in which they are shown
	EOT       int      // end of time: the rounds are 1..EOT
	EFF       int      // end of finite failures: losses happen in rounds before it; 0: in any round
	From      int      // the first round in which a fault begins; 0 reads as 1

	Crashes    int      // at most so many crashes: of each process one, and one more after each restart
	Omissions  int      // at most so many (sender, receiver, round) lose their messages
	Isolations int      // at most so many (process, phase) are isolated
	Restarts   int      // at most so many times a crashed process comes back
	Pauses     int      // at most so many (process, phase) are paused
	Partitions int      // at most so many (two sides, phase) exchange nothing; one that is not used allows an isolation more
	Cuts       int      // at most so many (link, phase) lose what is sent on them, one way
	Period     int      // the rounds in a phase: who is isolated, paused, parted or cut off rejoins when one ends; 0 reads as 1
	Phase      []string // the names of the rounds of a phase, as in Prepare, Ack; so many are the Period if that is 0
	At         string   // phase: all faults begin in the first round of a phase; empty: in any
	CrashStop  bool     // a crashed process stops altogether, rather than only sending nothing

	// Durable names the relations of a Dedalus program of which a process that comes
	// back has what it had when it crashed. It has nothing else.
	Durable []string

	// Joins has the processes of a program that join later, and in which round: before
	// it they neither send, receive nor compute, and no fault strikes them.
	Joins map[string]int

	// Faults of machines, for systems whose processes run on some.
	FastClocks  int // at most so many (process, phase) have a clock that runs fast
	SlowClocks  int // at most so many (process, phase) have a clock that runs slow; not both
	Jumps       int // at most so many (process, round) begin with a clock that jumps ahead
	MaxJump     int // by so many rounds at most; 0 reads as 1
	FailedSyncs int // in at most so many (process, round) nothing becomes durable

	// Messages that come late, twice, or in another order.
	Delays     int // at most so many (sender, receiver, round) arrive in a later round
	Duplicates int // at most so many (sender, receiver, round) arrive once more in a later round
	MaxDelay   int // by so many rounds at most; 0 reads as 1
	Orders     int // at most so many (receiver, round) get what others send them in another order than that of Processes

	// What is taken for granted: who never crashes, and links, as a>b, *>m or m>*,
	// on which nothing is lost but by a crash of the sender or the receiver.
	NeverCrash []string
	Reliable   []string

	// What is taken for granted of each round. Who is up receives from at least so
	// many processes, itself included: Deliver is n-f, where f is how many can crash,
	// n-1, a number or majority. With Kernel, which is yes, some process that is up
	// exchanges messages with all others. Empty: nothing; none is the same, and says it
	// in place of what a system says.
	Deliver string
	Kernel  string

	// OwnLost says that who is isolated loses what it sends itself as well, as in
	// uniform rounds: it is outside of the kernel. Of programs only.
	OwnLost bool

	// Points are the points within a round at which each process can crash as
	// well, in the order in which it declares them: a system says so, and nobody
	// else. Nil: what they are is not known here, and nobody crashes at one.
	Points map[string][]string

	// Disks says that processes have disks, so that there are three of each crash:
	// what was not synced is lost, kept or torn. As with Points, a system says so.
	Disks bool

	// What the environment chooses, which is no fault: inputs, coins, who is first. A
	// program says so, or a system.
	Choose  []Choice
	Choices int // at most so many of the schedule's own: without any those hold that are there by default

	// Implied says that the omissions were not asked for: they follow from an eff
	// in the settings of a program, as BoundsOf has it. The scope says so.
	Implied bool
}

// Normal returns the bounds with a period of at least 1 (the rounds of a phase that
// has names, unless it says otherwise), with a MaxJump of at
// least 1 if there are jumps, a MaxDelay of at least 1 if there are delays or
// duplicates, and without assumptions that are none.
func (b Bounds) Normal() Bounds {
	if b.Period == 0 {
		b.Period = len(b.Phase)
	}
	b.Period = max(b.Period, 1)
	if b.Deliver == noAssumption {
		b.Deliver = ""
	}
	if b.Kernel == noAssumption {
		b.Kernel = ""
	}
	if b.Jumps != 0 {
		b.MaxJump = max(b.MaxJump, 1)
	}
	if b.Delays != 0 || b.Duplicates != 0 {
		b.MaxDelay = max(b.MaxDelay, 1)
	}
	return b
}

// LastLoss is the last round in which messages can be lost, 0 if none can be.
func (b Bounds) LastLoss() int {
	if b.EFF > 0 {
		return min(b.EFF-1, b.EOT)
	}
	return b.EOT
}
