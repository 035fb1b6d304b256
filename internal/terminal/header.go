package terminal

import (
	"fmt"
	"strings"

	"github.com/lineage-driven/ldfi/internal/plural"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// header says what is explored, what happens, and under which faults.
func (s *screen) header() []string {
	return []string{
		line(s.options.Title) + "   " + s.scope(),
		s.verdict(),
		s.faults(),
		"",
	}
}

func (s *screen) scope() string { return result.ScopeOf(s.explore.Bounds()).Text }

// verdict is that of the current schedule.
func (s *screen) verdict() string {
	in := s.shown()
	if in == nil {
		return "…          executing"
	}
	return pad(verdictWord(in), 11) + s.standing() + "  " + line(about(in))
}

func verdictWord(in *result.Injection) string {
	switch in.Verdict {
	case result.Violated:
		return "VIOLATED"
	case "":
		return "executed"
	default:
		return "holds"
	}
}

// about says what is broken.
func about(in *result.Injection) string {
	switch n := len(in.Violations); {
	case in.Verdict == "":
		return "nothing is promised"
	case n == 0:
		return "the promise is kept"
	case n == 1:
		return in.Violations[0].String()
	default:
		return fmt.Sprintf("%s, and %d more", in.Violations[0], n-1)
	}
}

// standing says where the verdict comes from.
func (s *screen) standing() string {
	switch {
	case s.current && s.look != nil:
		return "[by the circuit, executed]"
	case s.current:
		return "[executed]"
	default:
		return "[by the circuit]"
	}
}

// faults are those of the schedule.
func (s *screen) faults() string {
	schedule := s.explore.Schedule()
	text := schedule.String()
	if text == "" {
		return "faults     none"
	}
	text = "faults     " + line(text) + "   " + plural.Of(schedule.Size(), "fault")
	if in := s.shown(); in != nil && !in.Within {
		text += ", outside the bounds"
	}
	return text
}

// footer is what was just done, or the keys to begin with.
func (s *screen) footer() string {
	if s.remark != "" {
		return strings.ReplaceAll(line(s.remark), `\n`, " ")
	}
	if s.help {
		return "any key goes back"
	}
	return "arrows move  space fault  c i o r p  l links  u undo  ? help  q quit"
}
