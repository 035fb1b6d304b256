package rounds

// Unlimited is the budget that allows any number of faults of a kind.
const Unlimited = -1

// Bounds limit the schedules that are looked at: the processes, the number of rounds,
// and the faults. The field that limits the faults of one kind is its budget: the most
// faults of the kind in one schedule, or [Unlimited]. A budget of 0 allows none: an EFF
// alone allows no faults.
type Bounds struct {
	Processes []string // the names of the processes, in the order in which they are shown
	EOT       int      // end of time: an execution has the rounds 1 to EOT
	EFF       int      // end of finite failures: messages are lost only in rounds before EFF; 0: in any round
	From      int      // the first round in which a fault can begin; 0 means 1
	FaultFree int      // the number of rounds at the end in which nothing fails; only a system has them

	Crashes    int      // the most crashes: a process crashes once, and once more after each restart
	Omissions  int      // the most omissions: the messages of one process to another in one round are lost
	Isolations int      // the most isolations: one process is isolated until its phase ends
	Restarts   int      // the most restarts of crashed processes
	Pauses     int      // the most pauses: one process stands still until its phase ends
	Partitions int      // the most partitions: two sides exchange nothing until the phase ends; a partition that is not used allows one more isolation
	Cuts       int      // the most cuts: what one process sends another is lost until the phase ends; the other direction works
	Period     int      // the number of rounds in a phase, with which isolations, pauses, partitions and cuts end; 0 means the length of Phase, or 1
	Phase      []string // the names of the rounds of a phase, such as Prepare and Ack
	At         string   // "phase": all faults begin in the first round of a phase; "": in any round
	CrashStop  bool     // a crashed process does nothing at all; otherwise it only stops sending

	// Durable names the relations of a Dedalus program that outlive a crash: a process
	// that restarts has the facts of these relations that it had when it crashed, and
	// no others.
	Durable []string

	// Kinds are the kinds of messages that omissions, cuts, delays and duplicates can hit
	// alone: relations of a program, or what the messages of a system are called. A link is
	// hit at most once in a round, or phase: all messages, or those of one kind.
	Kinds []string

	// Joins maps each process that joins later to the round in which it joins. Before
	// that round the process does not send, receive or compute, and no fault strikes
	// it.
	Joins map[string]int

	// Faults of machines, for systems whose processes run on machines.
	FastClocks  int // the most fast clocks: the clock of one process runs fast until its phase ends
	SlowClocks  int // the most slow clocks: the clock of one process runs slow until its phase ends; a clock is not fast and slow at once
	Jumps       int // the most jumps: the clock of one process jumps ahead at the start of one round
	MaxJump     int // the most rounds by which a clock jumps ahead; 0 means 1
	FailedSyncs int // the most failed syncs: in one round nothing becomes durable on the disk of one process

	// Terminations are the most terminations, for systems whose processes are programs of
	// their own: one of them gets SIGTERM, and is started again when its phase ends.
	Terminations int

	// Messages that come late, twice, or in another order.
	Delays     int // the most delays: the messages of one process to another in one round arrive in a later round
	Duplicates int // the most duplicates: the messages of one process to another in one round arrive once more in a later round
	MaxDelay   int // the most rounds by which a message arrives later; 0 means 1
	Orders     int // the most orders: one process receives the messages of one round in another order of senders than that of Processes

	// Assumptions: NeverCrash names processes that never crash, and are not terminated. Reliable names links,
	// as a>b, *>m or m>*, that lose messages only when the sender or the receiver
	// crashes.
	NeverCrash []string
	Reliable   []string

	// Assumptions about each round. Deliver is the number of processes, itself
	// included, from which each process that is up receives at least: n-f, where f is
	// the number of processes that can crash, n-1, a number, or majority. With the
	// Kernel "yes" some process that is up exchanges messages with all others. Empty
	// assumes nothing; "none" assumes nothing either, also where a system has an
	// assumption of its own.
	Deliver string
	Kernel  string

	// Within says when pre and post of a program are judged: not in the last of so many
	// rounds, but in all rounds of any number, from so many after nothing fails any more; a number, or
	// least. Empty judges the last round; so does "none", also where the program says otherwise.
	Within string

	// OwnLost says that an isolated process loses its messages to itself as well, as in
	// uniform rounds: it is outside of the kernel. Only Dedalus programs have it.
	OwnLost bool

	// Points maps each process to the points within a round at which it can crash, in
	// the order in which the process declares them. Only a system sets Points. Nil
	// means that the points are not known, and then no process crashes at a point.
	Points map[string][]string

	// Disks says that processes have disks. Then each crash comes in three kinds: what
	// was not synced is lost, kept or torn. Only a system sets Disks.
	Disks bool

	// Choose are the choices of the environment, which are no faults: inputs, coins,
	// the process that is first. A program declares them, or a system.
	Choose  []Choice
	Choices int // the most facts that a schedule chooses; where it chooses nothing, the defaults hold

	// Implied says that the omissions were not asked for: they follow from the setting
	// eff of a program (see BoundsOf). The text of the scope says so.
	Implied bool
}

// Normal returns the bounds with their defaults filled in: a Period of 0 becomes the
// length of Phase, or 1; MaxJump is at least 1 if there are jumps, and MaxDelay if
// there are delays or duplicates; the assumption "none" becomes empty.
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
	if b.Within == noAssumption {
		b.Within = ""
	}
	if b.Jumps != 0 {
		b.MaxJump = max(b.MaxJump, 1)
	}
	if b.Delays != 0 || b.Duplicates != 0 {
		b.MaxDelay = max(b.MaxDelay, 1)
	}
	return b
}

// Lasting returns the bounds for so many rounds, in each of which messages may be lost. The
// choices are left to the program.
func (b Bounds) Lasting(eot int) Bounds {
	if b.Implied {
		b.Omissions, b.Implied = Unlimited, false
	}
	b.EOT, b.EFF, b.Choose, b.Within = eot, 0, nil, ""
	return b
}

// Late returns the most rounds by which a message arrives later, 0 if none does.
func (b Bounds) Late() int {
	if b.Delays == 0 && b.Duplicates == 0 {
		return 0
	}
	return max(b.MaxDelay, 1)
}

// Shortest returns the smallest number of rounds that the bounds can have: by then faults can begin,
// and all processes have joined.
func (b Bounds) Shortest() int {
	least := max(b.From, 1)
	for _, name := range b.Processes {
		least = max(least, b.Joined(name))
	}
	return least
}

// LastFault returns the last round in which there can be a fault.
func (b Bounds) LastFault() int { return b.EOT - b.FaultFree }

// LastLoss returns the last round in which messages can be lost, 0 if there is none.
func (b Bounds) LastLoss() int {
	if b.EFF > 0 {
		return min(b.EFF-1, b.LastFault())
	}
	return b.LastFault()
}
