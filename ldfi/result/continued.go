package result

import (
	"fmt"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
)

// Continued says how an execution was continued at whose end something had not
// happened: that it does not happen later either is what breaks the promise.
type Continued struct {
	Rounds  int      `json:"rounds"`            // to that round
	From    int      `json:"from"`              // the round from which on other seeds count: all faults are before it
	Seeds   []uint64 `json:"seeds"`             // others, for what is drawn at random from there on
	Unasked int      `json:"unasked,omitempty"` // from that round on clients ask nobody who is up, and it is before From: nothing is asked again; 0: somebody is asked, or nobody ever is
	Limit   string   `json:"limit,omitempty"`   // why it was continued no further, a phrase; empty if it was as far as it should be
}

// String returns a phrase.
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
		s += fmt.Sprintf("; clients ask nobody who is up from round %d on, and nothing is asked again", c.Unasked)
	}
	if c.Limit != "" {
		s += " (" + c.Limit + ")"
	}
	return s
}

// Late is executions at whose end something had not happened that happens when they
// are continued, or when other numbers are drawn behind their last fault.
type Late struct {
	Schedules int             `json:"schedules"`        // how many there were
	Reseeded  int             `json:"reseeded"`         // so many of them in which it happens only with another seed
	Rounds    int             `json:"rounds"`           // by then it had happened in all of them
	Slowest   rounds.Schedule `json:"slowest,omitzero"` // that took so many
}

// String returns a sentence without its full stop.
func (l *Late) String() string {
	were := "were"
	if l.Schedules == 1 {
		were = "was"
	}
	text := fmt.Sprintf("%s %s late, not stuck: at most %d rounds", text.Plural(l.Schedules, "schedule"), were, l.Rounds)
	if l.Reseeded > 0 {
		text += fmt.Sprintf(", %d of them with another seed", l.Reseeded)
	}
	return text + " (late within 8 × calm)"
}

// Of says of one execution that this was late, a sentence without its full stop; empty
// if nothing was.
func (l *Late) Of(what string) string {
	switch {
	case l == nil:
		return ""
	case l.Reseeded > 0:
		return fmt.Sprintf("late, not stuck: %s, and no longer so in %d rounds with another seed behind the last fault", what, l.Rounds)
	default:
		return fmt.Sprintf("late, not stuck: %s, and no longer so in %d rounds", what, l.Rounds)
	}
}
