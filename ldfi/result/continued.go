package result

import (
	"fmt"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
)

// Continued describes how an execution was continued because something had not happened
// by its end. The promise is broken because it does not happen later either.
type Continued struct {
	Rounds  int      `json:"rounds"`            // the round up to which it was continued
	From    int      `json:"from"`              // the round from which on other seeds are used: all faults are before it
	Seeds   []uint64 `json:"seeds"`             // the seeds for what is drawn at random from the round From on
	Unasked int      `json:"unasked,omitempty"` // the first round after the last request to a process that is up, if it is before From; 0: there are later requests, or none at all
	Limit   string   `json:"limit,omitempty"`   // why it was continued no further, a phrase; empty if it was continued as far as planned
}

// String returns a phrase that describes how the execution was continued.
func (c *Continued) String() string {
	s := fmt.Sprintf("still so in round %d", c.Rounds)
	if len(c.Seeds) > 0 {
		var seeds []string
		for _, seed := range c.Seeds {
			seeds = append(seeds, fmt.Sprint(seed))
		}
		s += fmt.Sprintf(", and with seed %s from round %d on", text.List(seeds, "or"), c.From)
	}
	if c.Unasked > 0 {
		s += fmt.Sprintf("; from round %d on no client asks a process that is up", c.Unasked)
	}
	if c.Limit != "" {
		s += " (" + c.Limit + ")"
	}
	return s
}

// Late describes executions that were late: something had not happened by their end,
// but happens when they are continued, or when other numbers are drawn after the last
// fault.
type Late struct {
	Schedules int             `json:"schedules"`        // how many there were
	Reseeded  int             `json:"reseeded"`         // the number of these in which it happens only with another seed
	Rounds    int             `json:"rounds"`           // the round by which it had happened in all of them
	Slowest   rounds.Schedule `json:"slowest,omitzero"` // the schedule of the slowest, which took Rounds
	Broken    int             `json:"broken,omitempty"` // the number of these that violate something else by then: with more rounds they are findings
}

// String returns a sentence that describes the late executions, without its full stop.
func (l *Late) String() string {
	were := "were"
	if l.Schedules == 1 {
		were = "was"
	}
	text := fmt.Sprintf("%s %s late, not stuck: the slowest took %d rounds", text.Plural(l.Schedules, "schedule"), were, l.Rounds)
	if l.Reseeded > 0 {
		text += fmt.Sprintf(", %d of them with another seed", l.Reseeded)
	}
	text += " (ldfi waits for 8 times the rounds after the last fault)"
	if l.Broken > 0 {
		violate := "violate"
		if l.Broken == 1 {
			violate = "violates"
		}
		text += fmt.Sprintf("; %d of them %s a property after the last round of the search: try --eot %d", l.Broken, violate, l.Rounds)
	}
	return text
}

// Of returns a sentence, without its full stop, about one execution that was late; what
// describes how it broke the promise by its end. It returns "" if l is nil.
func (l *Late) Of(what string) string {
	switch {
	case l == nil:
		return ""
	case l.Broken > 0:
		return fmt.Sprintf("late: %s; it happens within %d rounds, but a property is violated by then: try --eot %d", what, l.Rounds, l.Rounds)
	case l.Reseeded > 0:
		return fmt.Sprintf("late, not stuck: %s; within %d rounds it happens, if another seed is used after the last fault", what, l.Rounds)
	default:
		return fmt.Sprintf("late, not stuck: %s; within %d rounds it happens", what, l.Rounds)
	}
}
