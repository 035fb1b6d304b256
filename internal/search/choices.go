package search

import (
	"fmt"

	"github.com/lineage-driven/ldfi/internal/execution"
	"github.com/lineage-driven/ldfi/rounds"
)

// choose returns bounds with the requests that the system lets a schedule choose.
func (d *Description) choose(b rounds.Bounds) rounds.Bounds {
	b.Choose = execution.Choices(d.Choices, b.EOT)
	return b
}

// mayChoose returns bounds with a budget for choices where they say nothing about it:
// any number of them.
func (d *Description) mayChoose(b rounds.Bounds) rounds.Bounds {
	if len(d.Choices) > 0 && !mentionsChoices(b) {
		b.Choices = rounds.Unlimited
	}
	return b
}

// mentionsChoices tells whether bounds say how many choices there may be: none, if
// they say what can be chosen, or have an empty list of that.
func mentionsChoices(b rounds.Bounds) bool { return b.Choices != 0 || b.Choose != nil }

// choices reports choices of requests that the system does not have.
func (d *Description) choices(b rounds.Bounds) error {
	if b.Choices == 0 || len(d.Choices) > 0 {
		return nil
	}
	return fmt.Errorf("choices: system %q lets a schedule choose no requests (System.Choices): leave them out", d.Name)
}
