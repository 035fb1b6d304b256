package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/internal/vet"
)

// vetClosure looks for an execution with late messages that no execution in lock-step
// rounds looks like.
func (s *session) vetClosure(ctx context.Context, o *subject.Opened, output output) error {
	found, err := o.Closure(ctx)
	if found == nil {
		return err
	}
	if found.Schedule != nil {
		s.code = exitViolated
	}
	if output == "json" {
		if err != nil {
			return err
		}
		return text.WriteJSON(s.out, found)
	}
	return errors.Join(writeClosure(s.out, o.Bounds().Processes, found), err)
}

// writeClosure writes what a search for such an execution found.
func writeClosure(w io.Writer, processes []string, found *vet.Unclosed) error {
	var b bytes.Buffer
	field := func(name string, lines ...string) { text.Field(&b, "", 9, name, lines...) }
	if found.Schedule != nil {
		field("faults", found.Schedule.String())
		field("but", butText(found))
		for _, name := range slices.Sorted(slices.Values(processes)) {
			field(name, found.Histories[name])
		}
		field("breaks", found.Broken)
	}
	field("executed", fmt.Sprintf("%s with late messages: %d look like that in lock-step rounds in which these are lost, %d like another",
		text.Plural(found.Tried, "schedule"), found.Lost, found.Altered))
	_, err := w.Write(b.Bytes())
	return err
}

// butText says what no execution in lock-step rounds has.
func butText(found *vet.Unclosed) string {
	if found.Differs == "" {
		return "no execution in lock-step rounds takes all processes through these states"
	}
	return fmt.Sprintf("no execution in lock-step rounds takes %s through these states", found.Differs)
}
