package diagram

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
)

// idle tells whether a fault loses no message that was sent and that anybody
// could see. Of a process that stops altogether it is not known what it would
// have sent.
func idle(f rounds.Fault, e *recording.Execution) bool {
	stops := e.Bounds.CrashStop || e.System != ""
	if unrecorded(e) {
		return false
	}
	switch f.Kind {
	case rounds.Omit, rounds.Isolate, rounds.Partition, rounds.Cut:
	case rounds.Crash:
		if stops {
			return false
		}
	default:
		return false
	}
	for _, s := range e.Messages {
		if s.Lost && loses(f, s) && (s.Round < e.Bounds.EOT || e.System != "") {
			return false
		}
	}
	return true
}

// unrecorded tells whether nothing is known of what happened: the program of a
// system was lost, and all that it did with it.
func unrecorded(e *recording.Execution) bool {
	return e.System != "" && len(e.Messages) == 0 && len(e.Facts) == 0
}

// loses tells whether a fault is one of those that lose a message, be it the
// cause that the recording names or not.
func loses(f rounds.Fault, s recording.Message) bool {
	switch f.Kind {
	case rounds.Omit, rounds.Cut:
		if !f.Hits(s.Relation) {
			return false
		}
	}
	switch f.Kind {
	case rounds.Omit:
		return f.Process == s.From && f.To == s.To && f.Round == s.Round
	case rounds.Cut:
		return f.Process == s.From && f.To == s.To && f.Round <= s.Round && s.Round <= f.Until
	case rounds.Isolate:
		return (f.Process == s.From || f.Process == s.To) && f.Round <= s.Round && s.Round <= f.Until
	case rounds.Partition:
		return s.From != "" && f.Round <= s.Round && s.Round <= f.Until && crosses(f, s.From, s.To)
	default:
		return f.Process == s.From && f.Round <= s.Round
	}
}

// faultText is a fault as it is shown where it begins.
func (m *model) faultText(f rounds.Fault) string {
	switch {
	case m.idle[f]:
		return f.String() + " has no effect in this execution"
	case within(f) && slices.Contains(m.unreached, f):
		return fmt.Sprintf("%s: %s does not come to %s, and crashes at the end of the round%s", f, f.Process, f.Point(), disk(f, ", and"))
	case within(f):
		return fmt.Sprintf("%s: %s crashes at %s%s", f, f.Process, f.Point(), disk(f, ", and"))
	case f.Disk() != "":
		return f.String() + disk(f, ":")
	case machines[f.Kind] != "":
		return fmt.Sprintf("%s: %s", f, strings.NewReplacer("$p", f.Process, "$n", text.Plural(f.By, "round"), "$u", m.startedAgain(f)).Replace(machines[f.Kind]))
	}
	return f.String()
}

// startedAgain says when a program is started again that is terminated.
func (m *model) startedAgain(f rounds.Fault) string {
	if f.Until >= m.eot {
		return ""
	}
	return fmt.Sprintf(", and is started again in round %d", f.Until+1)
}

// machines are faults of a machine in words.
var machines = map[rounds.Kind]string{
	rounds.Fast:      "the clock of $p runs fast",
	rounds.Slow:      "the clock of $p runs slow",
	rounds.Jump:      "the clock of $p jumps ahead by $n",
	rounds.FailSync:  "what $p syncs does not become durable",
	rounds.Terminate: "$p gets SIGTERM$u",
}

// disk says what becomes of the disk of a process that crashes, behind a word; of a
// plain crash nothing.
func disk(f rounds.Fault, word string) string {
	if f.Disk() == "" {
		return ""
	}
	return fmt.Sprintf("%s what it had not synced is %s", word, f.Disk())
}
