package work

import (
	"fmt"

	"github.com/lineage-driven/ldfi/internal/text"
)

// Status is what the workers do.
type Status struct {
	Workers int  `json:"workers"`        // that do units of this ldfi
	Slots   int  `json:"slots"`          // how many units they do at a time
	Busy    int  `json:"busy"`           // of these slots, whoever asked
	Waiting int  `json:"waiting"`        // units of this command that nobody has begun
	Running int  `json:"running"`        // that somebody does
	Failed  int  `json:"failed"`         // that nobody could do
	Lost    bool `json:"lost,omitempty"` // there is no connection to the server at the moment
}

// String says it in a few words.
func (s Status) String() string {
	text := fmt.Sprintf("%s, %d of %s busy", text.Plural(s.Workers, "worker"), s.Busy, text.Plural(s.Slots, "slot"))
	switch {
	case s.Lost:
		text = "the server is not reached"
	case s.Workers == 0:
		text = "no worker yet"
	}
	if s.Failed > 0 {
		text += fmt.Sprintf(", %d failed", s.Failed)
	}
	return text
}

// status is what the workers do by now.
func (c *Coordinator) status() Status {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	s := Status{Waiting: c.workers.Waiting, Running: c.workers.Running, Failed: len(c.Failed()), Lost: c.workers.Lost}
	for _, w := range c.workers.Workers {
		if w.Build == c.options.Build {
			s.Workers++
			s.Slots += w.Slots
			s.Busy += min(len(w.Doing), w.Slots)
		}
	}
	return s
}
