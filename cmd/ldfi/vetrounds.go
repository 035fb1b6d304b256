package main

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/internal/vet"
	"github.com/lineage-driven/ldfi/ldfi/result"
)

// vetRounds reports whether executions in lock-step rounds stand for asynchronous ones.
func (s *session) vetRounds(ctx context.Context, o *subject.Opened, output output) error {
	found, err := o.RoundBased(ctx)
	if err != nil {
		return err
	}
	if !found.Asynchronous.Shown {
		s.code = exitViolated
	}
	if output == "json" {
		return text.WriteJSON(s.out, found)
	}
	return writeRounds(s.out, found)
}

// writeRounds writes the conditions by groups, and what follows.
func writeRounds(w io.Writer, found *subject.RoundBased) error {
	var b bytes.Buffer
	for _, g := range vet.Groups {
		fmt.Fprintf(&b, "%s (%s)\n", g.Group, g.Source)
		for _, c := range found.Conditions {
			if c.Group == g.Group {
				text.Field(&b, "  ", 9, string(c.Met), conditionLines(&c)...)
			}
		}
	}
	fmt.Fprintln(&b, found.Asynchronous.Text)
	_, err := w.Write(b.Bytes())
	return err
}

// conditionLines says what is asked for, and why it is met or not.
func conditionLines(c *result.Condition) []string {
	name := c.Name
	if !c.Needed {
		name += " (not needed here)"
	}
	return []string{name, c.Where()}
}
