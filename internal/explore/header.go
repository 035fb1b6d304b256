package explore

import (
	"strings"

	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// header shows the subject, the outcome, the faults, and the locks.
func (s *screen) header() []string {
	all := []string{line(s.options.Title) + "   " + s.scope()}
	all = append(all, s.verdict()...)
	all = append(all, s.faults()...)
	return append(all, s.locks()...)
}

func (s *screen) scope() string { return result.ScopeOf(s.explore.Bounds()).Text }

// verdict is that of the current schedule.
func (s *screen) verdict() []string {
	in := s.shown()
	switch {
	case in == nil && s.trouble != nil:
		return field("no verdict", line(s.trouble.Error()), s.width)
	case in == nil:
		return field("…", "executing", s.width)
	}
	word, about := s.judged(in)
	return field(word, line(about), s.width)
}

// judged says what is broken, or for which schedules the promise is kept: in this run, or
// under all schedules if no fault set was found that breaks it.
func (s *screen) judged(in *result.Injection) (word, about string) {
	switch {
	case in.Verdict == "":
		return "executed", "nothing is promised"
	case len(in.Violations) > 0:
		return "VIOLATED", answertext.Broken(in.Violations)
	case s.certified && in.Within:
		return "holds", "no schedule within the bounds breaks the promise"
	case s.pane.sets.found == nil:
		return "kept", keptHere + "; n searches for faults that break it"
	case len(s.pane.sets.found.All) > 0:
		return "kept", keptHere + "; others break it, see 2"
	default:
		return "kept", keptHere + "; 2 says what was searched"
	}
}

// keptHere speaks of one run, and is no verdict about other runs.
const keptHere = "the promise is kept in this run"

// verdictSource says where the verdict comes from: the circuit has it at once, and the
// execution confirms it.
func (s *screen) verdictSource() string {
	switch {
	case s.current && s.blind != nil:
		return "executed (there is no circuit: " + line(s.blind.Error()) + ")"
	case s.current && s.ran.Repeats != nil:
		return s.ran.Repeats.Replayed()
	case s.current && s.doubted:
		return "executed, and once more to confirm it"
	case s.current:
		return "executed"
	case s.trouble != nil:
		return "by the circuit; the execution failed: " + line(s.trouble.Error())
	case s.look != nil:
		return "by the circuit, executing"
	default:
		return "executing"
	}
}

// faults shows the faults of the schedule.
func (s *screen) faults() []string {
	schedule := s.explore.Schedule()
	text := line(schedule.String()) + "   " + text.Plural(schedule.Size(), "fault")
	if schedule.String() == "" {
		text = "none; space puts one into the grid"
	}
	if n := s.pane.sets.place(schedule); n != "" {
		text += ", " + n
	}
	if in := s.shown(); in != nil && !in.Within {
		text = "outside the bounds: " + text
	}
	return field("faults", text+"; "+s.verdictSource(), s.width)
}

// locks are the assumptions, if there are some.
func (s *screen) locks() []string {
	var all []string
	for _, l := range s.explore.Locks() {
		all = append(all, line(l.String()))
	}
	if len(all) == 0 {
		return nil
	}
	return field("locks", strings.Join(all, "; "), s.width)
}

// note returns the remark in one line.
func (s *screen) note() string { return line(strings.ReplaceAll(s.remark, "\n", " ")) }

// footer shows the typed text, the question, the last remark, or the first keys.
func (s *screen) footer() string {
	switch {
	case s.prompt != nil:
		return s.prompt.input.View()
	case s.remark != "":
		return s.note()
	case s.question != nil:
		return s.waiting()
	case s.help:
		return "pgdown more   any other key goes back"
	case s.width < 60:
		return "space fault  n next  v w R u  ? help  q"
	default:
		return "space fault  l links  n next set  v differs  w why  R repairs  u undo  ? help  q"
	}
}
