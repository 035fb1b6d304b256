package subject

import (
	"errors"

	"github.com/lineage-driven/ldfi/rounds"
)

// partner is a bound that changes nothing unless another bound allows some fault.
type partner struct {
	key     string
	needs   func(rounds.Bounds) bool
	message string
}

var partners = []partner{
	{"period", func(b rounds.Bounds) bool {
		return (b.Isolations != 0 || b.Pauses != 0 || b.Partitions != 0 || b.Cuts != 0 || b.FastClocks != 0 || b.SlowClocks != 0 || b.Terminations != 0) && b.LastLoss() > 0 ||
			b.Crashes != 0 && b.At != ""
	}, "no process is isolated, parted or cut off: it needs isolations, partitions or cuts (or pauses, fast-clocks, slow-clocks or terminations, of a system) above 0, and an eff above 1 if there is one"},
	{"eff", mayLose, "no messages are lost: it needs omissions, isolations, partitions, cuts, delays or duplicates (or pauses, fast-clocks, slow-clocks, jumps, failed-syncs, terminations or orders, of a system) above 0"},
	{"from", func(b rounds.Bounds) bool { return b.Crashes != 0 || b.LastLoss() > 0 && mayLose(b) }, "there are no faults: it needs crashes, omissions or another kind of fault above 0"},
	{"crash", func(b rounds.Bounds) bool { return b.Crashes != 0 }, "no process crashes: it needs crashes above 0"},
	{"never-crash", func(b rounds.Bounds) bool { return b.Crashes != 0 || b.Terminations != 0 }, "no process crashes: it needs crashes (or terminations, of a system) above 0"},
	{"reliable", func(b rounds.Bounds) bool { return losesMessages(b) || comesLater(b) }, "no messages are lost but by crashes, which it does not prevent: it needs omissions, isolations, partitions, cuts, delays or duplicates above 0, and an eff above 1 if there is one"},
	{"deliver", striking, "nothing is lost and no process crashes: it needs crashes, omissions, isolations, partitions or cuts above 0"},
	{"kernel", striking, "nothing is lost and no process crashes: it needs crashes, omissions, isolations, partitions or cuts above 0"},
	{"own", func(b rounds.Bounds) bool { return (b.Isolations != 0 || b.Partitions != 0) && b.LastLoss() > 0 }, "no process is isolated: it needs isolations above 0, and an eff above 1 if there is one"},
	{"max-jump", func(b rounds.Bounds) bool { return b.Jumps != 0 && b.LastLoss() > 0 }, "no clock jumps: it needs jumps above 0, and an eff above 1 if there is one"},
	{"max-delay", comesLater, "nothing comes late or twice: it needs delays or duplicates above 0, an eot above 1, and an eff above 1 if there is one"},
	{"kinds", func(b rounds.Bounds) bool {
		return (b.Omissions != 0 || b.Cuts != 0) && b.LastLoss() > 0 || comesLater(b)
	}, "no messages of a single link are lost, late or come twice: it needs omissions, cuts, delays or duplicates above 0, and an eff above 1 if there is one"},
	{"restarts", func(b rounds.Bounds) bool { return b.Crashes != 0 || b.Restarts == 0 }, "no process crashes: it needs crashes above 0"},
	{"durable", func(b rounds.Bounds) bool { return b.Crashes != 0 && b.Restarts != 0 }, "no process restarts: it needs crashes and restarts above 0"},
}

// mayLose tells whether there are faults that an eff ends.
func mayLose(b rounds.Bounds) bool {
	return b.Omissions != 0 || b.Isolations != 0 || b.Pauses != 0 || b.Partitions != 0 || b.Cuts != 0 ||
		b.FastClocks != 0 || b.SlowClocks != 0 || b.Jumps != 0 || b.FailedSyncs != 0 || b.Terminations != 0 || b.Delays != 0 || b.Duplicates != 0 || b.Orders != 0
}

// striking tells whether something is not received.
func striking(b rounds.Bounds) bool { return b.Crashes != 0 || losesMessages(b) }

// comesLater tells whether messages come late or twice.
func comesLater(b rounds.Bounds) bool {
	return (b.Delays != 0 || b.Duplicates != 0) && b.LastLoss() > 0 && b.EOT > 1
}

// losesMessages tells whether messages may be lost apart from those of crashed processes.
func losesMessages(b rounds.Bounds) bool {
	return (b.Omissions != 0 || b.Isolations != 0 || b.Partitions != 0 || b.Cuts != 0) && b.LastLoss() > 0
}

// Idle reports the bounds of the question that change nothing about the possible schedules,
// each by a [rounds.OverrideError]. A named schedule may have such faults anyway, so Idle
// does not matter for its execution.
func (o *Opened) Idle() error {
	var all []error
	for _, p := range partners {
		if o.subject.Shared().Guide != "" && (p.key == "never-crash" || p.key == "reliable") {
			continue // a guide decides faults without other bounds
		}
		if _, given := o.subject.Shared().Bounds[p.key]; given && !p.needs(o.Bounds()) {
			all = append(all, &rounds.OverrideError{Key: p.key, Message: p.message})
		}
	}
	return errors.Join(append(all, o.idle()...)...)
}

// idle reports no more than all questions have.
func (p *OpenedProtocol) idle() []error { return nil }

// idle reports the bounds of faults of clocks and disks that the system does not have, and
// that no faults are left.
func (h *OpenedSystem) idle() (all []error) {
	for _, k := range rounds.Kinds() {
		lacks := h.system().Lacks(k)
		if _, given := h.question.Bounds[k.Setting()]; given && lacks != "" && h.Bounds().Budget(k) != 0 {
			all = append(all, &rounds.OverrideError{Key: k.Setting(), Message: lacks})
		}
	}
	return append(all, h.question.noFaults())
}

// noFaults reports a question about a system whose flags exclude every fault. It would be
// searched under the default faults of the system.
func (s *System) noFaults() error {
	first := ""
	for _, k := range rounds.Kinds() {
		if k == rounds.Restart || k == rounds.Choose { // no faults by themselves
			continue
		}
		switch value, given := s.Bounds[k.Setting()]; {
		case given && value != "0":
			return nil
		case given && first == "":
			first = k.Setting()
		}
	}
	if first == "" {
		return nil
	}
	return &rounds.OverrideError{Key: first, Message: "no faults are left to search: give another bound a number above 0, or execute the system without faults by ldfi inject"}
}
